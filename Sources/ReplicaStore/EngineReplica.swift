// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
internal import DocumentModel
internal import LMDB
package import SyncCore

/// A replica in a database file. The database's documents are the local view, so whatever reads the database reads what
/// the program has written and the server has sent.
///
/// Each transaction is at most one commit. Its body runs once, outside of LMDB: what it changes is kept in memory and
/// compared with the file when it is written, because LMDB may have to run its own transaction twice. Meanwhile a lock keeps
/// the transactions of other clients waiting, so that all of them rest on the state before. The system releases it if the
/// process dies.
package final class EngineReplica: Replica {
    package let engine: Engine
    /// What was kept of a file that was found damaged.
    package let healing: ReplicaHealing?
    /// Is told once, on the thread of the transaction, if something cannot be read. Opening the file again heals it.
    package var damageHandler: (@Sendable (ReplicaError) -> Void)?
    private let clients: EnginePeers
    private var isDamageNoted = false

    package var peers: any ReplicaPeers { clients }

    /// Opens the file, or creates it for the remote database `options.identity`. Others may have it open.
    ///
    /// A file that cannot be read, or in which a transaction has found damage before, is healed: see ``ReplicaHealing``.
    ///
    /// - Throws: `unusable` for a database that is no replica, for the replica of another remote database, and for a damaged
    ///   one that another client has open.
    package init(_ path: String, _ options: Engine.Options) throws(EngineError) {
        (engine, clients, healing) = try EngineReplica.openHealthy(path, options)
    }

    private static func openHealthy(
        _ path: String, _ options: Engine.Options
    ) throws(EngineError) -> (Engine, EnginePeers, ReplicaHealing?) {
        do throws(EngineError) {
            let (engine, clients) = try open(path, options)
            if !isDamaged(engine) { return (engine, clients, nil) }
        } catch {
            guard error.status == .dataLoss else { throw error }
        }
        let healing = try ReplicaHealing.heal(path, options)
        let (engine, clients) = try open(path, options)
        return (engine, clients, healing)
    }

    private static func isDamaged(_ engine: Engine) -> Bool {
        do throws(ReplicaError) { return try EngineRecords(engine).header.isDamaged } catch { return error.isDamage }
    }

    private static func open(
        _ path: String, _ options: Engine.Options
    ) throws(EngineError) -> (Engine, EnginePeers) {
        var options = options
        options.isReplica = true
        let engine = try Engine.open(path, options)
        guard engine.database == options.identity else {
            throw .ofAnotherDatabase(path, engine.database, not: options.identity)
        }
        let locks = try engine.clientLocks()
        let hasEntered: Bool
        do throws(LMDBError) { hasEntered = try locks.enter() } catch { throw .storage(error) }
        guard hasEntered else { throw .inUse(path) }
        return (engine, EnginePeers(locks))
    }

    /// Keeps all other clients away until this object is gone.
    ///
    /// - Throws: `unusable` if another client has the file open.
    package func keepOthersAway() throws(EngineError) {
        guard try clients.enterAlone() else { throw .inUse(engine.environment.path) }
    }

    /// The user whose writes the documents show.
    package func shownUser() throws(ReplicaError) -> SyncUser { try EngineRecords(engine).header.user }

    package func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        try clients.beginTransaction()
        defer { clients.endTransaction() }
        // A client that was killed may have left a commit that reads do not see, and a change of the state before it is refused. If
        // this fails, reads go on, and the commit tells why.
        try? engine.environment.showLastCommit()
        do throws(ReplicaError) {
            let records = try EngineRecords(engine, client: clients.ownNumber, isShared: clients.areOthersPresent)
            let result = try body(records)
            try records.commit()
            return result
        } catch {
            if error.isDamage { noteDamage(error) }
            throw error
        }
    }

    /// The next opening finds the note. If it cannot be written, the file cannot be opened either.
    private func noteDamage(_ error: ReplicaError) {
        guard !isDamageNoted else { return }
        isDamageNoted = true
        if let records = try? EngineRecords(engine) {
            var header = records.header
            header.isDamaged = true
            records.setHeader(header)
            try? records.commit()
        }
        damageHandler?(error)
    }
}

extension ReplicaError {
    init(_ error: EngineError) {
        self.init(error.message, isDamage: error.status == .dataLoss)
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
