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

        /// What a read of a database sees. Begins a transaction if the request asks for one.
        func snapshot(
            of id: DatabaseID, _ consistency: Consistency
        ) async throws(RequestError) -> Snapshot {
            let database = try databases.database(id)
            switch consistency {
            case .latest:
                return Snapshot(database, at: try database.readTime())
            case .readTime(let time):
                return Snapshot(database, at: time)
            case .transaction(let transaction):
                let time = try database.transactions.time(of: transaction)
                return Snapshot(database, at: time, transaction: transaction)
            case .newTransaction(let mode):
                let (transaction, time) = try await begin(mode, in: database)
                return Snapshot(database, at: time, transaction: transaction, newTransaction: transaction)
            }
        }
    }

    extension ServedDatabase {
        func readTime() throws(RequestError) -> Timestamp {
            do throws(EngineError) { return try engine.readTime() } catch { throw RequestError(error) }
        }
    }
#endif
