// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol

    extension FirestoreService {
        /// BeginTransaction.
        func beginTransaction(_ mode: TransactionMode, in id: DatabaseID) throws(RequestError) -> [UInt8] {
            try begin(mode, in: try databases.database(id)).id
        }

        func begin(
            _ mode: TransactionMode, in database: ServedDatabase
        ) throws(RequestError) -> (id: [UInt8], time: Timestamp) {
            let kind: TransactionKind
            do throws(EngineError) { kind = try database.transactionKind(mode) } catch { throw RequestError(error) }
            return (try database.transactions.begin(kind), kind.time)
        }

        /// Rollback.
        func rollback(_ transaction: [UInt8], in id: DatabaseID) throws(RequestError) {
            _ = try databases.database(id).transactions.end(transaction)
        }
    }

    extension ServedDatabase {
        fileprivate func transactionKind(_ mode: TransactionMode) throws(EngineError) -> TransactionKind {
            switch mode {
            case .readWrite: return .readWrite(try engine.beginReading())
            case .readOnly(nil): return .readOnly(try engine.readTime())
            case .readOnly(let time?):
                // Throws if the time cannot be read.
                _ = try engine.records([], at: time)
                return .readOnly(time)
            }
        }
    }
#endif
