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

    mutating func aliases(around path: String) -> ModuleAliases {
        var folders: [String] = []
        var folder = SourceAliases.folder(of: path)
        while found[folder] == nil, folder != ".", folder != "/", SourceAliases.file(in: folder) == nil {
            folders.append(folder)
            folder = SourceAliases.folder(of: folder)
        }
        let result =
            found[folder] ?? SourceAliases.file(in: folder).flatMap { SourceAliases.read($0) } ?? ModuleAliases()
        for folder in folders + [folder] { found[folder] = result }
        return result
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
        return read(path, &files)
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
