// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import Hearth

/// Calls that wait leave Swift's pool its threads, of which a small machine has one or two. A call that does not would wait
/// for ever here, so these tests have processes of their own, which the system ends.
@Suite struct SmallPoolTests {
    /// More transactions than Dispatch has threads, as a crowd of tasks may run. A task lets their blocks end.
    @Test func localTransactions() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let sample = try Sample()
            let turn = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<300 { group.addTask { try await sample.database.runTransaction { _ in turn.wait() } } }
                group.addTask { for _ in 0..<300 { turn.signal() } }
                try await group.waitForAll()
            }
            exit(EXIT_SUCCESS)
        }
    }

    /// The server's answers come through tasks.
    @Test func transactions() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let server = try FakeServer()
            try server.set("cities/SF", .n(1))
            let device = try Device(server)
            let city = device.cities.document("SF")
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<300 {
                    group.addTask { try await device.database.runTransaction { try $0.getDocument(city)["n"] as? Int } }
                }
                for try await number in group { precondition(number == 1) }
            }
            exit(EXIT_SUCCESS)
        }
    }

    /// A synchronous function that a task calls may close its database, although it should not.
    @Test func blockingTermination() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let devices = try (0..<max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)).map { _ in
                try Device(FakeServer())
            }
            for device in devices { _ = try await device.cities.getDocuments() }
            await withTaskGroup(of: Void.self) { group in
                for device in devices { group.addTask { terminate(device.database) } }
            }
            exit(EXIT_SUCCESS)
        }
    }

    /// Another task writes what a stream gives.
    @Test func bundlesFromStreams() async throws {
        await #expect(processExitsWith: .success) {
            alarm(300)
            let device = try Device(FakeServer())
            let directory = try TemporaryDirectory()
            let pipes = (0..<max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)).map {
                directory.path("\($0).pipe")
            }
            for pipe in pipes { precondition(mkfifo(pipe, 0o600) == 0) }
            await withTaskGroup(of: Void.self) { group in
                for pipe in pipes {
                    group.addTask { _ = try? await device.database.loadBundle(InputStream(fileAtPath: pipe)!) }
                }
                for pipe in pipes { group.addTask { FileHandle(forWritingAtPath: pipe)!.closeFile() } }
            }
            exit(EXIT_SUCCESS)
        }
    }
}

private func terminate(_ database: Database) {
    do { try database.sync.terminate() } catch { preconditionFailure("\(error)") }
}
