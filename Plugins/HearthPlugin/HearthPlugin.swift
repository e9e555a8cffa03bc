// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package hearth [ARGUMENTS]`: runs the `hearth` of the PATH in the package's folder; without arguments it validates
/// every `firestore.indexes.json` of the package. To let it write, as `fmt --write` does, SwiftPM on a Mac wants
/// `swift package --allow-writing-to-package-directory hearth …`.
@main
struct HearthPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let folder = context.package.directoryURL
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = ["hearth"] + (arguments.isEmpty ? try validation(in: folder) : arguments)
        try startUnblocked(process)
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: break
        case 127: Diagnostics.error("hearth is not installed: run `make install` in a checkout of Hearth")
        default: Diagnostics.error("hearth ended with \(process.terminationStatus)")
        }
    }

    /// SwiftPM starts plugins with signals blocked, and Foundation hands that on: no Ctrl-C would reach the program.
    private func startUnblocked(_ process: Process) throws {
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
    }

    private func validation(in folder: URL) throws -> [String] {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let paths = (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == "firestore.indexes.json" }
        guard !paths.isEmpty else { throw PluginError.noFiles }
        // Below the folder in which it runs, so that messages name files as people do.
        return ["validate"] + paths.map { String($0.path.dropFirst(folder.path.count).drop { $0 == "/" }) }.sorted()
    }
}

enum PluginError: Error, CustomStringConvertible {
    case noFiles

    var description: String {
        "the package has no firestore.indexes.json; name files: swift package hearth validate FILE"
    }
}
