// SPDX-License-Identifier: Apache-2.0

internal import QuerySource

/// The source files in folders, in the order of their names, without what is ignored or made by builds.
struct SourceFiles {
    /// Files of known languages.
    private(set) var paths: [String] = []
    /// Paths that were named and cannot be read.
    private(set) var failures: [CommandFailure] = []
    private let excluded: [String]

    /// Folders that hold what others wrote or programs made.
    private static let skipped: Set<String> = [
        "node_modules", "bower_components", "vendor", "Pods", "Carthage", "DerivedData", "build", "dist", "out",
        "target",
        "bin", "obj", "coverage", "venv", "env", "__pycache__", "site-packages", "third_party",
    ]

    /// - Parameter excluded: the paths of folders and files that settings leave out.
    init(_ arguments: [String], excluding excluded: [String] = []) {
        self.excluded = excluded.map(SourceFiles.spelled)
        for argument in arguments {
            let path = SourceFiles.spelled(argument)
            do throws(System.Failure) {
                if try System.isFolder(path) {
                    let place = System.destination(path)
                    try visit(path, at: place, IgnoreRules(above: place))
                } else {
                    paths.append(path)
                }
            } catch {
                failures.append(CommandFailure("could not read \"\(path)\": \(error.reason)"))
            }
        }
    }

    /// - Parameter place: the folder's path from the root on, in which it is looked for in the rules.
    private mutating func visit(
        _ folder: String, at place: String, _ rules: IgnoreRules
    ) throws(System.Failure) {
        var rules = rules
        rules.add(place)
        for entry in try System.entries(of: folder).sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        {
            let path = folder == "." ? entry.name : "\(folder)/\(entry.name)"
            let entryPlace = "\(place)/\(entry.name)"
            guard !excluded.contains(path), !rules.ignore(entryPlace, isFolder: entry.isFolder) else { continue }
            if entry.isFolder {
                guard !entry.name.hasPrefix("."), !SourceFiles.skipped.contains(entry.name) else { continue }
                // A folder that may not be listed is as if it were empty.
                try? visit(path, at: entryPlace, rules)
            } else if SourceFiles.isSource(entry.name) {
                paths.append(path)
            }
        }
    }

    /// One spelling of a path, from the working folder on if it is below that: settings, baselines and annotations know a
    /// file by it.
    static func spelled(_ path: String) -> String {
        var parts = path.split(separator: "/").filter { $0 != "." }
        guard path.hasPrefix("/") else { return parts.isEmpty ? "." : parts.joined(separator: "/") }
        let here = System.destination(".").split(separator: "/")
        guard parts.starts(with: here) else { return "/" + parts.joined(separator: "/") }
        parts.removeFirst(here.count)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    private static func isSource(_ name: String) -> Bool {
        guard !name.hasSuffix(".min.js"), !name.hasSuffix(".d.ts") else { return false }
        let parts = name.split(separator: ".")
        return parts.count > 1 && QuerySource.reads(fileExtension: String(parts[parts.count - 1]).lowercased())
    }
}
