// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import LMDB

/// The records of a client's replica. Only for an engine that was opened as one; what they mean, the client knows.
extension Engine {
    /// A record's value, or nil.
    package func replicaRecord(_ key: [UInt8]) throws(EngineError) -> [UInt8]? {
        try read { (transaction) throws(EngineError) in try transaction.copy(of: key, in: .replica) }
    }

    /// The first records whose keys lie in a range, in key order.
    package func replicaRecords(
        in range: KeyRange, limit: Int = .max
    ) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        try read { (transaction) throws(EngineError) in try transaction.scan(range, of: .replica, limit: limit) }
    }

    /// A document and a record of one state.
    package func document(
        _ path: DocumentPath, andRecord key: [UInt8]
    ) throws(EngineError) -> (document: Document?, record: [UInt8]?) {
        try read { (transaction) throws(EngineError) in
            (
                try self.document(path, transaction), try transaction.copy(of: key, in: .replica)
            )
        }
    }

    /// A document, records, and the records that a list leads to, all of one state.
    ///
    /// - Parameters:
    ///   - keys: those of the records, in the order of the result.
    ///   - list: a range of keys.
    ///   - listed: makes the key of a record from one in the list.
    package func document(
        _ path: DocumentPath, andRecords keys: [[UInt8]], listedIn list: KeyRange, _ listed: ([UInt8]) -> [UInt8]
    ) throws(EngineError) -> (document: Document?, records: [[UInt8]?], listed: [(key: [UInt8], value: [UInt8]?)]) {
        var records: [[UInt8]?] = []
        var found: [(key: [UInt8], value: [UInt8]?)] = []
        let document = try read { (transaction) throws(EngineError) -> Document? in
            for key in keys { records.append(try transaction.copy(of: key, in: .replica)) }
            for entry in try transaction.scan(list, of: .replica, limit: .max) {
                let key = listed(entry.key)
                found.append((key, try transaction.copy(of: key, in: .replica)))
            }
            return try self.document(path, transaction)
        }
        return (document, records, found)
    }

    /// Makes a change of documents and records in one commit. When it returns, it is as durable as the environment's mode
    /// promises.
    ///
    /// Waits for all earlier commits. Calling it inside a read or write of the same thread is a programmer error.
    ///
    /// - Throws: `aborted` if the change's basis is no longer what it was.
    package func commit(_ change: ReplicaChange) throws(EngineError) { try scheduler.commit(change) }

    /// What a new client of the replica and others know of each other.
    ///
    /// - Throws: `unusable` if the path leads to another file by now.
    package func clientLocks() throws(EngineError) -> ClientLocks { try environment.locksOfClient() }
}

extension Environment {
    func locksOfClient() throws(EngineError) -> ClientLocks {
        let locks: ClientLocks?
        do { locks = try clientLocks() } catch { throw .storage(error) }
        guard let locks else {
            throw .unusable("\(path) was replaced by another file while it was opened. Open it again.")
        }
        return locks
    }
}
