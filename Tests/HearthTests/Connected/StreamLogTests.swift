// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// A client that cannot use its server says so, but not at each attempt.
@Suite struct StreamLogTests {
    private let refused = SyncError(.unavailable, "127.0.0.1:9 cannot be reached: connection refused")
    private let denied = SyncError(.permissionDenied, "The service account may not use the database.")
    private let news = SyncInput.watch(
        .target(.none, targets: [], resumeToken: [], readTime: nil), connection: 1)

    private func closed(_ stream: SyncStream, _ error: SyncError?) -> SyncInput {
        .streamClosed(stream, connection: 1, error, isNetworkFailure: false)
    }

    @Test func eachReasonOnce() {
        var log = StreamLog()
        let first = log.message(for: closed(.watch, refused))
        #expect(first?.level == .error)
        #expect(first?.text.contains("127.0.0.1:9 cannot be reached") == true)
        for _ in 0..<9 { #expect(log.message(for: closed(.watch, refused)) == nil) }
        #expect(log.message(for: closed(.watch, denied))?.text.contains("may not use") == true)
        #expect(log.message(for: closed(.watch, denied)) == nil)
        // The other stream has reasons of its own.
        #expect(log.message(for: closed(.write, denied))?.level == .error)
    }

    @Test func endsOfWorkingStreamsAreNoFailures() {
        var log = StreamLog()
        #expect(log.message(for: news) == nil)
        #expect(log.message(for: closed(.watch, nil))?.level == .debug)
        #expect(log.message(for: closed(.watch, refused))?.level == .error)
        #expect(log.message(for: news)?.level == .debug)
        #expect(log.message(for: news) == nil)
        // Once it has worked again, the same reason is news.
        #expect(log.message(for: closed(.watch, refused))?.level == .debug)
        #expect(log.message(for: closed(.watch, refused))?.level == .error)
    }

    @Test func handlerOfTheProgramIsTold() async throws {
        let server = try FakeServer()
        let directory = try TemporaryDirectory()
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        let messages = Messages()
        settings.logHandler = { level, text in messages.note(level, text) }
        let database = try await Database.open(
            path: directory.path("app.db"), settings: settings, remote: server.remote)
        server.setReachable(false)
        let listener = database.collection("cities").addSnapshotListener { _, _ in }
        try await wait(for: "the log") { messages.errors.contains { $0.contains("The network is gone.") } }
        listener.remove()
        try await database.terminate()
    }
}

private final class Messages: Sendable {
    private let list = Mutex<[String]>([])

    var errors: [String] { list.withLock { $0 } }

    func note(_ level: FirestoreSettings.LogLevel, _ text: String) {
        if level == .error { list.withLock { $0.append(text) } }
    }
}
