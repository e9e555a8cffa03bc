// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The program `storage-proof`, which is built beside the tests.
enum StorageProof {
    static func start(_ arguments: [String], output: Pipe) throws -> Process {
        let process = Process()
        process.executableURL = try Locations.program("storage-proof")
        process.arguments = arguments
        process.standardOutput = output
        try process.start()
        return process
    }

    /// Runs it to its end. Returns its output and how it ended.
    static func run(_ arguments: [String]) throws -> (output: String, process: Process) {
        let output = Pipe()
        let process = try start(arguments, output: output)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process)
    }

    /// The number of repetitions: from the environment, for `make crash`, or a few.
    static func count(_ name: String, else few: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? few
    }
}
