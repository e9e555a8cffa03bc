// SPDX-License-Identifier: Apache-2.0

import BulkMove
import DocumentModel
import SyncCore
import Synchronization

/// A server in memory that fails as a test wants.
final class FakeServer: BulkServer {
    enum Fault: Sendable {
        case none
        /// The request as a whole is refused.
        case refuse(SyncError)
        /// The request is carried out, and the answer is lost.
        case lose(SyncError)
        /// These of the writes are refused.
        case refuseWrites(Set<Int>, SyncError)
    }

    private struct State {
        var documents: [DocumentPath: SyncDocument] = [:]
        var time: Int64 = 1_000_000
        var requests = 0
        var writes = 0
        var fetched = 0
    }

    private let state = Mutex(State())
    private let fault: @Sendable (_ request: Int, [Write]) -> Fault

    init(_ fault: @escaping @Sendable (_ request: Int, [Write]) -> Fault = { _, _ in .none }) {
        self.fault = fault
    }

    var documents: [DocumentPath: SyncDocument] { state.withLock { $0.documents } }
    /// Writes that were carried out.
    var writes: Int { state.withLock { $0.writes } }
    /// Documents that were asked for by name.
    var fetched: Int { state.withLock { $0.fetched } }

    func batchWrite(_ writes: [Write]) async throws(SyncError) -> [Result<WriteResult, SyncError>] {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        precondition(Set(writes.map(\.path)).count == writes.count, "a batch has one write of each document")
        switch fault(number, writes) {
        case .none: return apply(writes, except: [], SyncError(.ok, ""))
        case .refuse(let error): throw error
        case .lose(let error):
            _ = apply(writes, except: [], error)
            throw error
        case .refuseWrites(let refused, let error): return apply(writes, except: refused, error)
        }
    }

    private func apply(
        _ writes: [Write], except refused: Set<Int>, _ error: SyncError
    ) -> [Result<WriteResult, SyncError>] {
        state.withLock { state in
            writes.enumerated().map { index, write in
                guard !refused.contains(index) else { return .failure(error) }
                state.time += 1
                state.writes += 1
                let time = Timestamp(microseconds: state.time)!
                if case .update(let fields, _, _) = write.operation {
                    state.documents[write.path] = SyncDocument(
                        write.path, .found(fields, createTime: time), version: time)
                } else {
                    state.documents[write.path] = nil
                }
                return .success(WriteResult(updateTime: time, transformResults: []))
            }
        }
    }

    func now() async throws(SyncError) -> Timestamp {
        Timestamp(microseconds: state.withLock { $0.time })!
    }

    func documents(
        after path: DocumentPath?, limit: Int, at time: Timestamp
    ) async throws(SyncError) -> [SyncDocument] {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        if case .refuse(let error) = fault(number, []) { throw error }
        let all = documents.values.filter { document in path.map { $0 < document.path } ?? true }
        return Array(all.sorted { $0.path < $1.path }.prefix(limit))
    }

    func versions(
        after path: DocumentPath?, limit: Int, at time: Timestamp
    ) async throws(SyncError) -> [SyncDocument] {
        try await documents(after: path, limit: limit, at: time).map {
            SyncDocument($0.path, .found(.empty, createTime: $0.createTime), version: $0.version)
        }
    }

    func documents(at paths: [DocumentPath], _ time: Timestamp) async throws(SyncError) -> [SyncDocument] {
        let all = documents
        state.withLock { $0.fetched += paths.count }
        return paths.map { all[$0] ?? SyncDocument($0, .missing, version: time) }
    }
}
