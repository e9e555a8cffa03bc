// SPDX-License-Identifier: Apache-2.0

/// The rules of the `.gitignore` files of a folder and the folders around it.
struct IgnoreRules {
    private struct Rule {
        /// The folder of the file, with a final slash.
        let base: String
        let pattern: [UInt8]
        let isNegated: Bool
        let isForFolders: Bool
        /// Whether the pattern is a path from the folder of the file.
        let isRooted: Bool
    }

    private var rules: [Rule] = []
    /// The folder of the repository, which has `.git`.
    private(set) var repository: String?

    /// The rules around a folder, up to the folder that has `.git`. Without such a folder there are none.
    ///
    /// - Parameter folder: from the root on, as all paths here.
    init(above folder: String) {
        var above: [String] = []
        var path = folder
        while !System.exists("\(path)/.git") {
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return }
            path = String(path[..<slash])
            above.append(path)
        }
        for folder in above.reversed() { add(folder) }
    }

    mutating func add(_ folder: String) {
        if System.exists("\(folder)/.git") { repository = folder }
        guard System.exists("\(folder)/.gitignore"), let source = try? InputFile.contents("\(folder)/.gitignore") else {
            return
        }
        let base = "\(folder)/"
        for line in source.split(separator: UInt8(ascii: "\n")) {
            if let rule = IgnoreRules.rule(line, base) { rules.append(rule) }
        }
    }

    private static func rule(_ line: ArraySlice<UInt8>, _ base: String) -> Rule? {
        var pattern = line
        while let last = pattern.last, last == 0x0D || last == 0x20 { pattern = pattern.dropLast() }
        guard let first = pattern.first, first != UInt8(ascii: "#") else { return nil }
        let isNegated = first == UInt8(ascii: "!")
        if isNegated || first == UInt8(ascii: "\\") { pattern = pattern.dropFirst() }
        let slash = UInt8(ascii: "/")
        let isForFolders = pattern.last == slash
        if isForFolders { pattern = pattern.dropLast() }
        let isRooted = pattern.contains(slash)
        if pattern.first == slash { pattern = pattern.dropFirst() }
        guard !pattern.isEmpty else { return nil }
        return Rule(
            base: base, pattern: Array(pattern), isNegated: isNegated, isForFolders: isForFolders, isRooted: isRooted)
    }

    /// Whether the last rule that matches ignores it.
    func ignore(_ path: String, isFolder: Bool) -> Bool {
        for rule in rules.reversed() where isFolder || !rule.isForFolders {
            guard path.hasPrefix(rule.base) else { continue }
            let relative = Array(path.utf8.dropFirst(rule.base.utf8.count))
            let name = relative.lastIndex(of: UInt8(ascii: "/")).map { Array(relative[($0 + 1)...]) } ?? relative
            if IgnoreRules.matches(rule.pattern[...], (rule.isRooted ? relative : name)[...]) { return !rule.isNegated }
        }
        return false
    }

    /// `*` stands for all but slashes, `**` for anything, `?` for one character.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let (star, slash) = (UInt8(ascii: "*"), UInt8(ascii: "/"))
        if first == star {
            let isDouble = pattern.dropFirst().first == star
            var rest = pattern.drop { $0 == star }
            // `a/**/b` matches `a/b`, too.
            if isDouble, rest.first == slash, matches(rest.dropFirst(), text) { return true }
            if isDouble, rest.isEmpty { rest = [] }
            var end = text.startIndex
            while true {
                if matches(rest, text[end...]) { return true }
                guard end < text.endIndex, isDouble || text[end] != slash else { return false }
                end += 1
            }
        }
        guard let byte = text.first, first == byte || (first == UInt8(ascii: "?") && byte != slash) else {
            return false
        }
        return matches(pattern.dropFirst(), text.dropFirst())
    }
}
