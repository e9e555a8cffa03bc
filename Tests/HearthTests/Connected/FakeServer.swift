// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Hearth
import LMDB
import QueryPlanner
import SyncCore
import Synchronization
import TestSupport

/// A server of Cloud Firestore without a network: a database, clients that listen to it, and switches for what can go
/// wrong.
final class FakeServer: Sendable {
    struct Listen {
        let target: SyncTarget
        /// The versions of the documents that the client was told of.
        var told: [DocumentPath: DocumentModel.Timestamp] = [:]
        var isCurrent = false
    }

    /// What the server knows of one client.
    struct Client {
        var report: (@Sendable (SyncInput) -> Void)?
        var connections: [SyncStream: Int] = [:]
        var listens: [Int: Listen] = [:]
        var hasShakenHands = false
        /// Writes that wait for ``FakeServer/answersWrites``.
        var waiting: [[Write]] = []
        var isReachable = true
    }

    struct State {
        var clients: [Client] = []
        var answersWrites = true
        var tellsListeners = true
        /// Whether listeners hear of a write before its author.
        var tellsFirst = false
        /// Why the next writes are refused.
        var refusal: SyncError?
        /// Why listens are refused.
        var listenRefusal: SyncError?
        var lastCommit: DocumentModel.Timestamp
        var commitCount = 0
        var answersRequests = true
        /// How many single requests wait for ``answersRequests``.
        var heldRequests = 0
    }

    static let database = DatabaseID(project: "p")
    let engine: Engine
    private let directory: TemporaryDirectory
    let state: Mutex<State>

    init() throws {
        directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.identity = FakeServer.database
        options.durability = .mayLoseDatabase
        engine = try Engine.open(directory.path("server.db"), options)
        let first = try engine.commit([.set("start/0", Fields.empty)])
        state = Mutex(State(lastCommit: first.commitTime))
    }

    /// The way to this server for one more client.
    var remote: Remote {
        Remote(database: FakeServer.database) { [self] _ in
            let number = state.withLock { state in
                state.clients.append(Client())
                return state.clients.count - 1
            }
            return FakeTransport(server: self, number: number)
        }
    }

    // MARK: What happens on the server

    func set(_ path: String, _ fields: Fields) throws {
        try commit([.set(DocumentPath(stringLiteral: path), fields)])
    }

    func delete(_ path: String) throws {
        try commit([Write(DocumentPath(stringLiteral: path), .delete)])
    }

    func commit(_ writes: [Write]) throws {
        try state.withLock { state in
            state.lastCommit = try engine.commit(writes).commitTime
            tell(&state)
        }
    }

    func document(_ path: DocumentPath) throws -> Document? { try engine.document(path) }

    /// The field `n` of a document.
    func n(_ path: DocumentPath) throws -> Value? { try engine.document(path)?.fields["n" as Text] }

    /// How many commits came by write streams.
    var commitCount: Int { state.withLock { $0.commitCount } }

    /// How many targets clients listen to.
    var listenCount: Int { state.withLock { $0.clients.map(\.listens.count).reduce(0, +) } }

    func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            if state.answersWrites {
                for index in state.clients.indices {
                    let waiting = state.clients[index].waiting
                    state.clients[index].waiting = []
                    for writes in waiting { answer(writes, index, &state) }
                }
            }
            tell(&state)
        }
    }

    /// Cuts a client off, or lets it connect again.
    func setReachable(_ isReachable: Bool, _ number: Int = 0) {
        state.withLock { state in
            state.clients[number].isReachable = isReachable
            guard !isReachable else { return state.clients[number].report?(.connectivityRestored) ?? () }
            for stream in SyncStream.allCases { close(stream, number, .networkIsGone, &state) }
        }
    }

    func setUser(_ id: String?, _ number: Int = 0) {
        state.withLock { $0.clients[number].report?(.changeUser(SyncUser(id))) }
    }

    // MARK: Requests

    func waitUntilRequestsAreAnswered() async throws(SyncError) {
        guard !state.withLock({ $0.answersRequests }) else { return }
        state.withLock { $0.heldRequests += 1 }
        defer { state.withLock { $0.heldRequests -= 1 } }
        do {
            while !state.withLock({ $0.answersRequests }) { try await Task.sleep(for: .milliseconds(1)) }
        } catch {
            throw SyncError(.cancelled, "The call was cancelled.")
        }
    }

    // MARK: Streams

    func open(_ stream: SyncStream, _ connection: Int, _ number: Int) {
        state.withLock { state in
            let report = state.clients[number].report
            guard state.clients[number].isReachable else {
                report?(.streamClosed(stream, connection: connection, .networkIsGone, isNetworkFailure: true))
                return
            }
            state.clients[number].connections[stream] = connection
            if stream == .write { state.clients[number].hasShakenHands = false }
            report?(.streamOpened(stream, connection: connection))
        }
    }

    func forget(_ stream: SyncStream, _ number: Int) {
        state.withLock { $0.clients[number].forget(stream) }
    }

    private func close(_ stream: SyncStream, _ number: Int, _ error: SyncError, _ state: inout State) {
        guard let connection = state.clients[number].connections[stream] else { return }
        state.clients[number].forget(stream)
        state.clients[number].report?(
            .streamClosed(stream, connection: connection, error, isNetworkFailure: error == .networkIsGone))
    }

    func receive(_ request: WatchRequest, _ number: Int) {
        state.withLock { state in
            switch request {
            case .add(let request):
                if let refusal = state.listenRefusal {
                    return say(.targetsRejected([request.wireID], refusal), number, &state)
                }
                state.clients[number].listens[request.wireID] = Listen(target: request.target)
                say(.target(.added, targets: [request.wireID], resumeToken: [], readTime: nil), number, &state)
                tell(&state)
            case .remove(let id):
                state.clients[number].listens[id] = nil
                say(.target(.removed, targets: [id], resumeToken: [], readTime: nil), number, &state)
            }
        }
    }

    func receive(_ request: WriteRequest, _ number: Int) {
        state.withLock { state in
            switch request {
            case .handshake:
                state.clients[number].hasShakenHands = true
                respond(nil, number, &state)
            case .writes(let writes, _):
                if state.answersWrites {
                    answer(writes, number, &state)
                } else {
                    state.clients[number].waiting.append(writes)
                }
            case .goodbye: break
            }
        }
    }

    private func answer(_ writes: [Write], _ number: Int, _ state: inout State) {
        if let refusal = state.refusal { return close(.write, number, refusal, &state) }
        do throws(EngineError) {
            let result = try engine.commit(writes)
            state.lastCommit = result.commitTime
            state.commitCount += 1
            if state.tellsFirst { tell(&state) }
            respond(result, number, &state)
            tell(&state)
        } catch {
            close(.write, number, SyncError(error.status, error.message), &state)
        }
    }

    private func respond(_ result: CommitResult?, _ number: Int, _ state: inout State) {
        guard let connection = state.clients[number].connections[.write] else { return }
        let response = WriteResponse(streamToken: [1], commit: result)
        state.clients[number].report?(.writeResponse(response, connection: connection))
    }
}

extension FakeServer.Client {
    mutating func forget(_ stream: SyncStream) {
        connections[stream] = nil
        switch stream {
        case .watch: listens = [:]
        case .write: waiting = []
        }
    }
}

extension SyncError {
    static let networkIsGone = SyncError(.unavailable, "The network is gone.")
}

extension SyncDocument {
    init(_ document: Document) {
        self.init(
            document.path, .found(document.fields, createTime: document.createTime), version: document.updateTime)
    }
}
