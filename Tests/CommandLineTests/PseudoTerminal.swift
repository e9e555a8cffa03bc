// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// `script` of util-linux runs a command whose output is a terminal.
enum PseudoTerminal {
    private static let program = "/usr/bin/script"

    static let isAvailable = FileManager.default.isExecutableFile(atPath: program)

    /// The tool's output on a terminal. A shell parses the command line.
    static func output(of bench: Workbench, _ arguments: String) throws -> String {
        let process = Process()
        let hearth = try Locations.program("hearth").path
        process.executableURL = URL(filePath: program)
        process.arguments = ["--quiet", "--return", "--command", "\(hearth) \(arguments)", "typescript"]
        process.currentDirectoryURL = bench.folder.url
        process.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        return String(decoding: try bench.contents("typescript"), as: UTF8.self)
    }
}
