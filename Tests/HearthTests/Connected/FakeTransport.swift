// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import DocumentModel
import QueryPlanner
import SyncCore
import Synchronization

/// One client's way to a ``FakeServer``.
struct FakeTransport: RemoteTransport {
    let server: FakeServer
    let number: Int

    var database: DatabaseID { FakeServer.database }
    var user: SyncUser? { SyncUser(nil) }

    func start(_ report: @escaping @Sendable (SyncInput) -> Void) {
        server.state.withLock { $0.clients[number].report = report }
    }

    func open(_ stream: SyncStream, connection: Int) { server.open(stream, connection, number) }
    func close(_ stream: SyncStream, connection: Int) { server.forget(stream, number) }
    func send(_ request: WatchRequest) { server.receive(request, number) }
    func send(_ request: WriteRequest) { server.receive(request, number) }
    func invalidateCredentials() {}
    func watchMessageTaken() {}

    func stop(_ ended: @escaping @Sendable () -> Void) {
        server.state.withLock { $0.clients[number].report = nil }
        // As a transport that needs time, on a thread of its own.
        DispatchQueue(label: "test.transport").async(execute: ended)
    }

    // MARK: Single requests

    private func request<R>(_ body: (Engine) throws -> R) async throws(SyncError) -> R {
        try await server.waitUntilRequestsAreAnswered()
        let refusal = server.state.withLock { state in
            state.clients[number].isReachable ? state.refusal : .networkIsGone
        }
        if let refusal { throw refusal }
        do {
            return try body(server.engine)
        } catch let error as EngineError {
            throw SyncError(error.status, error.message)
        } catch {
            throw SyncError(.invalidArgument, "\(error)")
        }
    }

    func documents(at paths: [DocumentPath]) async throws(SyncError) -> [SyncDocument] {
        try await request { engine in
            try paths.map { path in
                let time = server.state.withLock { $0.lastCommit }
                return try engine.document(path).map { SyncDocument($0) } ?? SyncDocument(path, .missing, version: time)
            }
        }
    }

    func commit(_ writes: [Write]) async throws(SyncError) -> CommitResult {
        try await request { engine in
            let result = try engine.commit(writes)
            server.change { $0.lastCommit = result.commitTime }
            return result
        }
    }

    func documents(of query: Query) async throws(SyncError) -> [SyncDocument] {
        try await request { engine in try engine.run(query, allowScan: true).documents.map { SyncDocument($0) } }
    }

    func aggregate(_ query: AggregationQuery) async throws(SyncError) -> [Value] {
        try await request { engine in try engine.run(query, allowScan: true).aggregates.map(\.value) }
    }
}
