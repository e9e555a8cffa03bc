// SPDX-License-Identifier: Apache-2.0

internal import QuerySource

/// The aliases of modules that `tsconfig.json` or `jsconfig.json` has, in the folder of a file or the closest one around it.
struct SourceAliases {
    /// By folder.
    private var found: [String: ModuleAliases] = [:]

    /// A configuration is small, and extends few others.
    private static let maximumSize = 1 << 20
    private static let maximumDepth = 4
    private static let maximumFiles = 16

    /// The names of the working folder and those around it.
    private static let workingFolder = System.destination(".").split(separator: "/").map { String($0) }

    mutating func aliases(around path: String) -> ModuleAliases {
        var folders: [String] = []
        var result = ModuleAliases()
        var next: String? = SourceAliases.folder(of: path)
        while let folder = next {
            folders.append(folder)
            if let known = found[folder] {
                result = known
                break
            }
            if let file = SourceAliases.file(in: folder) {
                result = SourceAliases.read(file) ?? result
                break
            }
            next = SourceAliases.folder(around: folder)
        }
        for folder in folders { found[folder] = result }
        return result
    }

    /// Nil for the root. What is around the working folder is `..`, which is no folder of a file in `../other`.
    private static func folder(around folder: String) -> String? {
        guard folder != "/" else { return nil }
        let isRelative = folder == "."
        guard isRelative || folder == ".." || folder.hasSuffix("/..") else { return self.folder(of: folder) }
        let place = System.destination(folder)
        // A folder that is not there has none around it.
        guard place.hasPrefix("/"), place != "/" else { return nil }
        return isRelative ? ".." : "\(folder)/.."
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func file(in folder: String) -> String? {
        ["tsconfig.json", "jsconfig.json"].map { folder == "." ? $0 : "\(folder)/\($0)" }
            .first(where: System.isRegularFile)
    }

    /// What cannot be read has no aliases: what they stand for is unresolved then.
    private static func read(_ path: String) -> ModuleAliases? {
        var files: Set<String> = []
        var result = read(path, &files)
        result?.workingFolder = workingFolder
        return result
    }

    /// - Parameter files: those that were read for it, each once.
    private static func read(_ path: String, _ files: inout Set<String>, depth: Int = 0) -> ModuleAliases? {
        guard depth < maximumDepth, files.count < maximumFiles, files.insert(System.destination(path)).inserted,
            let source = contents(path)
        else { return nil }
        var result = ModuleAliases(configuration: source, folder: folder(of: path))
        for other in result.extended {
            if let more = read(other, &files, depth: depth + 1) { result.extend(more) }
        }
        return result
    }

    /// A pipe would wait for its writer, and a device has no end.
    private static func contents(_ path: String) -> [UInt8]? {
        guard System.isRegularFile(path), let length = try? InputFile(path).length, length <= maximumSize else {
            return nil
        }
        return try? InputFile.contents(path)
    }
}
