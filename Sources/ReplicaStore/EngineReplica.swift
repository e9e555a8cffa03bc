// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import LMDB
package import SyncCore

/// A replica in a database file. The database's documents are the local view, so whatever reads the database reads what
/// the program has written and the server has sent.
///
/// Each transaction is at most one commit. Its body runs once, outside of LMDB: what it changes is kept in memory and
/// compared with the file when it is written, because LMDB may have to run its own transaction twice.
package final class EngineReplica: Replica {
    package let engine: Engine
    private let claim: FileClaim

    /// Opens the file, or creates it for the remote database `options.identity`.
    ///
    /// - Throws: `unusable` for a database that is no replica, for the replica of another remote database, and for one that
    ///   another client has open.
    package init(_ path: String, _ options: Engine.Options) throws(EngineError) {
        var options = options
        options.isReplica = true
        engine = try Engine.open(path, options)
        guard engine.database == options.identity else {
            throw .unusable(
                "\(path) holds the offline data of \(engine.database.resourceName), not of "
                    + "\(options.identity.resourceName). Choose another path for each database.")
        }
        guard let claim = try engine.claim() else {
            throw .unusable(
                "\(path) is in use by another client, which sends its writes. Open it for reading only, or end that client."
            )
        }
        self.claim = claim
    }

    /// The user whose writes the documents show.
    package func shownUser() throws(ReplicaError) -> SyncUser { try EngineRecords(engine).header.user }

    package func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        let records = try EngineRecords(engine)
        let result = try body(records)
        try records.commit()
        return result
    }
}

extension ReplicaError {
    init(_ error: EngineError) {
        self.init(error.message)
    }

    /// A record that cannot be read.
    static func damaged(_ what: String) -> ReplicaError {
        ReplicaError(.damaged(what))
    }
}

/// Runs a call of the engine.
func stored<Result>(_ body: () throws(EngineError) -> Result) throws(ReplicaError) -> Result {
    do throws(EngineError) { return try body() } catch { throw ReplicaError(error) }
}
