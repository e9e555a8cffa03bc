// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Runs Examples/TaskList as a user does.
@Suite struct TaskListTests {
    /// The program is beside the test bundle.
    private static var program: URL {
        get throws {
            let bundle = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            let places = [bundle, Bundle.main.bundleURL, Repository.root.appending(path: ".build/debug")]
            let programs = places.map { $0.appending(path: "TaskList") }
            return try #require(programs.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        }
    }

    private func run(in folder: URL) throws -> [String] {
        let process = Process()
        process.executableURL = try TaskListTests.program
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["HEARTH_DATABASE"] = nil
        environment["GCLOUD_PROJECT"] = "my-tasks"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func meetsTheMissingIndexAndWorks() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try run(in: folder)
        let error = try #require(first.first)
        #expect(
            error.hasPrefix(
                "The query requires an index. You can create it here: "
                    + "https://console.firebase.google.com/v1/r/project/my-tasks/firestore/indexes?create_composite="))
        let water = "  [ ] Water the plants"
        let (call, called, letter) = ("  [ ] Call Charles", "  [x] Call Charles", "  [ ] Post the letter")
        #expect(
            Array(first.dropFirst()) == [
                "After listening:", water, call, letter,
                "After an update:", water, called, letter,
                "After a removal:", water, called,
            ])

        // The tasks and the index are still there.
        let second = try run(in: folder)
        #expect(
            second == [
                "After the index is there:", water, called, water, call, letter,
                "After listening:", water, called, water, call, letter,
                "After an update:", water, called, water, called, letter,
                "After a removal:", water, called, water, called,
            ])
    }
}
