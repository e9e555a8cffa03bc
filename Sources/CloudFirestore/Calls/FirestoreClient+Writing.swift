// SPDX-License-Identifier: Apache-2.0

#if Connected
    package import DocumentModel
    internal import FirestoreProtocol
    internal import SwiftProtobuf
    package import SyncCore

    extension FirestoreClient {
        /// All of the writes, or none.
        package func commit(_ writes: [Write]) async throws(SyncError) -> CommitResult {
            var request = ProtoCommitRequest()
            request.database = database.resourceName
            request.writes = writes.map { $0.message(in: database) }
            let response: ProtoCommitResponse = try await unary("Commit", request)
            return try translated { () throws(RequestError) in
                try CommitResult(
                    response.writeResults, at: response.hasCommitTime ? response.commitTime : nil, of: writes.count,
                    in: database)
            }
        }

        /// Each write for itself, in any order, at most one for each document.
        ///
        /// - Returns: how each one ended, in the order of `writes`.
        /// - Throws: if the server refused the request as a whole.
        package func batchWrite(
            _ writes: [Write], within timeout: Duration = timeout
        ) async throws(SyncError) -> [Result<WriteResult, SyncError>] {
            var request = ProtoBatchWriteRequest()
            request.database = database.resourceName
            request.writes = writes.map { $0.message(in: database) }
            let response: ProtoBatchWriteResponse = try await unary("BatchWrite", request, within: timeout)
            guard response.status.count == writes.count, response.writeResults.count == writes.count else {
                throw SyncError(.internal, "The server's answer lacks results.")
            }
            var results: [Result<WriteResult, SyncError>] = []
            for (status, result) in zip(response.status, response.writeResults) {
                let code = StatusCode(rawValue: Int(status.code)) ?? .unknown
                guard code == .ok else {
                    results.append(.failure(SyncError(code, status.message)))
                    continue
                }
                results.append(
                    .success(
                        try translated { () throws(RequestError) in try WriteResult(result, in: database) }))
            }
            return results
        }
    }
#endif
