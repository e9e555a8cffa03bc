// SPDX-License-Identifier: Apache-2.0

import BulkMove
import DocumentModel
import SyncCore
import Synchronization
import Testing

@Suite struct PullTests {
    private func path(_ number: Int) -> DocumentPath {
        CollectionPath(ResourcePath(segments: ["cities"])).document(Text("c\(number)"))
    }

    /// On a slow line, a page of large documents takes longer than a call may.
    @Test func pagesThatTakeTooLongBecomeSmaller() async throws {
        let slow = SlowServer(mostRows: 9)
        _ = try await slow.server.batchWrite((0..<300).map { .set(path($0), .empty) })
        let told = Mutex(0)
        let pull = try await Pull(slow, clock: VirtualClock(), random: { 0.5 }) { error, _ in
            #expect(error.code == .deadlineExceeded)
            told.withLock { $0 += 1 }
        }
        var pulled: [DocumentPath] = []
        while let page = try await pull.next() { pulled += page.map(\.path) }
        #expect(pulled == (0..<300).map(path).sorted())
        #expect(told.withLock { $0 } >= 5)
    }

    /// Point-in-time recovery has no other states that are older than an hour (W-31).
    @Test func wholeMinute() async throws {
        let server = FakeServer()
        let pull = try await Pull(server, ofWholeMinute: true, clock: VirtualClock(), random: { 0.5 })
        let age = try await server.now().microseconds - pull.time.microseconds
        #expect(pull.time.microseconds % 60_000_000 == 0 && (0..<60_000_000).contains(age))
    }
}

/// A server that sends no more rows than some within the time that a call may take.
private final class SlowServer: BulkServer {
    let server = FakeServer()
    private let mostRows: Int

    init(mostRows: Int) {
        self.mostRows = mostRows
    }

    func documents(
        after path: DocumentPath?, limit: Int, at time: Timestamp
    ) async throws(SyncError) -> [SyncDocument] {
        let documents = try await server.documents(after: path, limit: limit, at: time)
        guard documents.count <= mostRows else { throw SyncError(.deadlineExceeded, "It took too long.") }
        return documents
    }

    func batchWrite(_ writes: [Write]) async throws(SyncError) -> [Result<WriteResult, SyncError>] {
        try await server.batchWrite(writes)
    }

    func now() async throws(SyncError) -> Timestamp { try await server.now() }

    func versions(
        after path: DocumentPath?, limit: Int, at time: Timestamp
    ) async throws(SyncError) -> [SyncDocument] {
        try await server.versions(after: path, limit: limit, at: time)
    }

    func documents(at paths: [DocumentPath], _ time: Timestamp) async throws(SyncError) -> [SyncDocument] {
        try await server.documents(at: paths, time)
    }
}
