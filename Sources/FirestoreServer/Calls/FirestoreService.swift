// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    /// The calls of Cloud Firestore's protocol, whatever brought them. Each is in a file of its own.
    final class FirestoreService: Sendable {
        let databases: DatabaseRegistry

        init(_ databases: DatabaseRegistry) {
            self.databases = databases
        }

        /// The state that a request reads, if the rules let its caller read what it is going to. Begins a transaction if the request
        /// asks for one.
        ///
        /// - Throws: `permissionDenied` if the rules do not allow the read; before that, what is invalid about it.
        func snapshot(
            of id: DatabaseID, _ consistency: Consistency, for credentials: Credentials, reading request: ReadRequest
        ) async throws(RequestError) -> Snapshot {
            try RequestError.checkCancellation()
            let database = try await databases.database(id)
            switch consistency {
            case .latest:
                let time = try database.readTime()
                do throws(RequestError) {
                    try database.authorize(request, for: credentials, at: time, now: time)
                } catch {
                    throw error.isTooOldReadTime ? .overtakenRead : error
                }
                return Snapshot(database, at: time, isLatest: true)
            case .readTime(let time):
                try await database.settle(time)
                try database.authorize(request, for: credentials, at: time)
                return Snapshot(database, at: time)
            case .transaction(let transaction):
                let time = try database.readTime(of: transaction)
                try database.authorize(request, for: credentials, at: time, isInTransaction: true)
                return Snapshot(database, at: time, transaction: transaction)
            case .newTransaction(let mode):
                let transaction = try await begin(mode, in: database)
                let time = try database.readTime(of: transaction)
                do throws(RequestError) {
                    try database.authorize(request, for: credentials, at: time, isInTransaction: true)
                } catch {
                    try await rollback(transaction, in: id)
                    throw error
                }
                return Snapshot(database, at: time, transaction: transaction, newTransaction: transaction)
            }
        }
    }

    extension ServedDatabase {
        func readTime() throws(RequestError) -> Timestamp {
            do throws(EngineError) { return try engine.readTime() } catch { throw RequestError(error) }
        }

        /// Makes sure that a time can be read without waiting: a commit of that time may be on its way to the disk, which an event
        /// loop must not wait for.
        ///
        /// - Throws: if the time cannot be read.
        func settle(_ time: Timestamp) async throws(RequestError) {
            try await onThread { [engine] in _ = try engine.records([], at: time) }
        }
    }
#endif
