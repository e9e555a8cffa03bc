// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// Commit: all writes or none, and only if the rules allow all of them.
        ///
        /// - Parameter transaction: the transaction that ends with the commit, whether it succeeds or fails.
        func commit(
            _ writes: [Write], transaction: [UInt8]?, in id: DatabaseID, by credentials: Credentials
        ) async throws(RequestError) -> CommitResult {
            let database = try await databases.database(id)
            let check: CommitCheck?
            do throws(RequestError) {
                if let conflict = VerificationConflicts.first(in: writes) { throw .invalid(conflict) }
                check = try database.commitCheck(of: writes, by: credentials)
            } catch {
                // As what is refused in the writer's turn: the client begins another one.
                if let transaction { try await rollback(transaction, in: id) }
                throw error
            }
            let result: CommitResult
            if let transaction {
                let (kind, attempt) = try database.transactions.end(transaction)
                switch kind {
                case .readWrite(let reads):
                    result = try await database.commit(writes, attempt, validating: reads, if: check)
                case .readOnly(let time):
                    // Clients end their read-only transactions by a commit of nothing.
                    guard writes.isEmpty else { throw .invalid("Cannot modify entities in a read-only transaction.") }
                    result = CommitResult(commitTime: time, results: [])
                }
            } else {
                result = try await database.commit(writes, if: check)
            }
            database.traffic.count { counts in for write in writes { counts.add(write) } }
            RequestRecord.current?.wrote(writes.count)
            return result
        }

        /// BatchWrite: each write for itself. Rules do not judge it; they leave it to administrators.
        func batchWrite(
            _ writes: [Write], in id: DatabaseID, by credentials: Credentials
        ) async throws(RequestError) -> [Result<WriteResult, RequestError>] {
            let database = try await databases.database(id)
            guard try database.gate(for: credentials) == nil else {
                throw RequestError(.permissionDenied, "Batch writes require admin authentication.")
            }
            guard Set(writes.map(\.path)).count == writes.count else {
                throw .invalid("the same document cannot be written more than once in a single request")
            }
            // Commits that wait together share one sync. Not a task group of pairs with their indices: optimised by Swift 6.3,
            // such a group returns the results in the order in which they were ready.
            let commits = writes.map { write in
                Task { () async -> Result<WriteResult, RequestError> in
                    do throws(RequestError) {
                        let result = try await database.commit([write])
                        database.traffic.count { $0.add(write) }
                        RequestRecord.current?.wrote(1)
                        return .success(result.results[0])
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<WriteResult, RequestError>] = []
            for commit in commits { results.append(await commit.value) }
            return results
        }
    }

    extension TrafficCounts {
        fileprivate mutating func add(_ write: Write) {
            switch write.operation {
            case .delete: documentsDeleted += 1
            case .update: documentsWritten += 1
            case .verify: break
            }
        }
    }
#endif
