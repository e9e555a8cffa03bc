// SPDX-License-Identifier: Apache-2.0

/// How a file names another one that it imports.
struct ModuleReference: Sendable, Equatable {
    var names: [String]
    /// Whether these are all names from the working folder on. Otherwise folders may be around them that are not known.
    let isWhole: Bool

    /// Whether it may be the file with a path.
    func matches(_ path: [String]) -> Bool {
        isWhole ? path == names : path.suffix(names.count).elementsEqual(names)
    }
}

/// Paths of modules as lists of names: those of files, and those by which files import them.
enum ModulePath {
    /// The names of files that stand for their folders.
    private static let heads: Set<String> = ["index", "__init__"]
    private static let extensions: Set<String> = [
        "js", "ts", "mjs", "cjs", "jsx", "tsx", "mts", "cts", "vue", "svelte",
    ]

    /// The path of a file: `src/names/index.ts` is `["src", "names"]`.
    static func of(file path: String) -> [String] {
        var names = parts(path)
        guard let last = names.popLast() else { return [] }
        return withoutHead(names + [last.split(separator: ".").dropLast().joined(separator: ".")])
    }

    /// The path of what a file of JavaScript imports from `./names`, or by a short name for a folder, as in `@/names`.
    static func of(import text: String, in file: String) -> ModuleReference {
        if text.hasPrefix(".") {
            let path = (folder(of: file, up: 0) + [text]).joined(separator: "/")
            return ModuleReference(names: of(path: path), isWhole: true)
        }
        let names = parts(text)
        let hasAlias = names.first.map { first in ["@", "~", "#", "$"].contains { first.hasPrefix($0) } } ?? false
        let end = withoutHead(withoutExtension(hasAlias ? Array(names.dropFirst()) : names))
        return ModuleReference(names: end, isWhole: false)
    }

    /// The path of a module that is looked for by one.
    static func of(path: String) -> [String] { withoutHead(withoutExtension(parts(path))) }

    /// The folder of a file, or one around it.
    static func folder(of file: String, up count: Int) -> [String] {
        parts(([file] + Array(repeating: "..", count: 1 + count)).joined(separator: "/"))
    }

    /// The names in a path. Those of folders around the working folder are dots.
    private static func parts(_ path: String) -> [String] {
        var names: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = names.last, last != ".." {
                names.removeLast()
            } else {
                names.append(String(part))
            }
        }
        return names
    }

    private static func withoutExtension(_ names: [String]) -> [String] {
        guard let last = names.last, let dot = last.lastIndex(of: "."),
            extensions.contains(String(last[last.index(after: dot)...]))
        else { return names }
        return Array(names.dropLast()) + [String(last[..<dot])]
    }

    private static func withoutHead(_ names: [String]) -> [String] {
        guard let last = names.last, names.count > 1, heads.contains(last) else { return names }
        return Array(names.dropLast())
    }
}

extension [String] {
    /// A path from the working folder on, without the names of that folder and those around it: `../src/names` is `names` in `src`.
    func inside(_ workingFolder: [String]) -> [String] {
        var names = self
        while let up = names.firstIndex(where: { $0 != ".." }), up > 0, up <= workingFolder.count,
            names[up] == workingFolder[workingFolder.count - up]
        {
            names.remove(at: up)
            names.removeFirst()
        }
        return names.isEmpty ? self : names
    }
}
