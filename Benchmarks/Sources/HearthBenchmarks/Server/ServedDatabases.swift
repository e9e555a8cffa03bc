// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A running `hearth serve`. It ends with the last reference.
final class HearthProcess {
    let port: Int
    private let process = Process()

    /// The program with its server: the environment variable `HEARTH_PROGRAM`, which `make bench` sets.
    /// Says what is left out if there is none.
    static func program(for rows: String) -> String? {
        if let program = ProcessInfo.processInfo.environment["HEARTH_PROGRAM"], !program.isEmpty { return program }
        print("\nHEARTH_PROGRAM names no hearth with its server: \(rows) are left out.")
        return nil
    }

    init(_ program: String, _ arguments: [String], in folder: URL) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["serve", "--port", "0", "--host", "127.0.0.1"] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var announced = ""
        while !announced.contains("running at http://") || !announced.hasSuffix("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw BenchmarkError("hearth serve ended: \(announced)") }
            announced += String(decoding: piece, as: UTF8.self)
        }
        port = Int(announced.trimmingCharacters(in: .newlines).split(separator: ":").last ?? "") ?? 0
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// Megabytes of memory that belong to no file.
    var memory: Double { ServerSuite.memory(of: process.processIdentifier) }
}
