// SPDX-License-Identifier: Apache-2.0

internal import QuerySource

/// The source files in folders, in the order of their names, without what is ignored or made by builds.
struct SourceFiles {
    /// Files of known languages.
    private(set) var paths: [String] = []
    /// Paths that were named and cannot be read.
    private(set) var failures: [CommandFailure] = []
    /// How many files and folders are left out because of `.gitignore`.
    private(set) var ignored = (files: 0, folders: 0)
    private let excluded: [String]
    /// What repositories track, by their folders.
    private var tracked: [String: TrackedFiles] = [:]

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

    /// - Parameters:
    ///   - place: the folder's path from the root on, in which it is looked for in the rules.
    ///   - isIgnored: whether rules ignore the folder, so that only what is tracked counts.
    private mutating func visit(
        _ folder: String, at place: String, _ rules: IgnoreRules, isIgnored: Bool = false
    ) throws(System.Failure) {
        var rules = rules
        rules.add(place)
        for entry in try System.entries(of: folder).sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
        {
            let path = folder == "." ? entry.name : "\(folder)/\(entry.name)"
            let entryPlace = "\(place)/\(entry.name)"
            guard !excluded.contains(path), SourceFiles.mayHoldSource(entry) else { continue }
            let isIgnored = isIgnored || rules.ignore(entryPlace, isFolder: entry.isFolder)
            if isIgnored, !isTracked(entryPlace, rules.repository) {
                if entry.isFolder { ignored.folders += 1 } else { ignored.files += 1 }
            } else if entry.isFolder {
                // A folder that may not be listed is as if it were empty.
                try? visit(path, at: entryPlace, rules, isIgnored: isIgnored)
            } else {
                paths.append(path)
            }
        }
    }

    private mutating func isTracked(_ place: String, _ repository: String?) -> Bool {
        guard let repository else { return false }
        let files = tracked[repository] ?? TrackedFiles(repository)
        tracked[repository] = files
        return files.contains(place)
    }

    private static func mayHoldSource(_ entry: System.Entry) -> Bool {
        entry.isFolder ? !entry.name.hasPrefix(".") && !skipped.contains(entry.name) : isSource(entry.name)
    }

    /// A sentence on what `.gitignore` leaves out; nil if that is nothing.
    var noteOnIgnored: String? {
        let counts = [(ignored.files, "file"), (ignored.folders, "folder")].filter { $0.0 > 0 }
        guard !counts.isEmpty else { return nil }
        return ".gitignore leaves out " + counts.map { Numbers.counted($0.0, $0.1) }.joined(separator: " and ")
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

    static func isSource(_ name: String) -> Bool {
        guard !name.hasSuffix(".min.js"), !name.hasSuffix(".d.ts") else { return false }
        let parts = name.split(separator: ".")
        return parts.count > 1 && QuerySource.reads(fileExtension: String(parts[parts.count - 1]).lowercased())
    }
}
