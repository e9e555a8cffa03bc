// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import LMDB

/// A replica's file of which only the records are read, whatever else is damaged.
package final class DamagedReplica {
    private let storage: Storage
    /// Keeps clients away, also after the file was closed.
    package let locks: ClientLocks

    /// - Throws: `unusable` if a client has the file open, or if it is no replica; `damaged` if the pages of the records are.
    package init(_ path: String) throws(EngineError) {
        var options = Engine.Options()
        options.creates = false
        options.readOnly = true
        let environment = try Engine.openEnvironment(path, options)
        locks = try DamagedReplica.locks(environment)
        let stores = [Stores.replicaName, Stores.overflowName]
        if let finding = try DamagedReplica.findings(stores, environment).first {
            throw .damaged("\(finding.text), so the client's queue cannot be read: restore a backup")
        }
        storage = try Storage(environment)
        guard storage.stores.replica != nil else {
            guard header?.isReplica != true else {
                throw .damaged("the store of the client's queue is missing: restore a backup")
            }
            throw .notOfflineData(path)
        }
    }

    /// Keeps clients away from a file that is to be deleted, whatever is damaged in it.
    ///
    /// - Throws: `unusable` if a client has the file open, and if it can be read and is not the offline data of this database;
    ///   `storage` if it was cut short and what is left of it does not tell of offline data.
    package static func lock(_ path: String, _ options: Engine.Options) throws(EngineError) -> ClientLocks {
        let environment: Environment
        do throws(EngineError) {
            environment = try Engine.openEnvironment(path, options)
        } catch {
            guard error.status == .dataLoss, let locks = try locksOfRemains(path, options.identity) else { throw error }
            return locks
        }
        let locks = try locks(environment)
        guard let header = try readableHeader(environment) else {
            guard try hasReplica(environment) != false else {
                throw .notOfflineData(path)
            }
            return locks
        }
        try header.requireUse(asReplica: true, readOnly: false, of: path)
        guard header.identity == options.identity else {
            throw .ofAnotherDatabase(path, header.identity, not: options.identity)
        }
        return locks
    }

    /// Of a file that LMDB cannot open; nil if nothing in it says that it was the offline data of this database.
    private static func locksOfRemains(
        _ path: String, _ identity: DatabaseID
    ) throws(EngineError) -> ClientLocks? {
        if !FileRemains.areNothing(at: path) {
            guard try isRecognized(path, as: identity) else { return nil }
        }
        let locks: ClientLocks?
        do { locks = try ClientLocks.ofFile(at: path) } catch { throw .storage(error) }
        return try locks.map { (locks) throws(EngineError) in try alone(locks, path) }
    }

    /// Whether something in a file says that it is or was the offline data of a remote database. A header of offline data stays in
    /// a file as it is, and former copies of it, too.
    package static func isRecognized(_ path: String, as identity: DatabaseID) throws(EngineError) -> Bool {
        do {
            return try FileRemains.contain(DatabaseHeader.replicaBytes(identity), in: path)
        } catch {
            throw .storage(error)
        }
    }

    /// Nil if that cannot be read.
    private static func hasReplica(_ environment: Environment) throws(EngineError) -> Bool? {
        do throws(EngineError) {
            return try Storage(environment).stores.replica != nil
        } catch {
            guard error.status == .dataLoss else { throw error }
            return nil
        }
    }

    private static func readableHeader(_ environment: Environment) throws(EngineError) -> DatabaseHeader? {
        do throws(EngineError) {
            guard try findings([Stores.catalogName], environment).isEmpty else { return nil }
            return try Storage(environment).read { (transaction) throws(EngineError) in
                try DatabaseHeader.read(transaction)
            }
        } catch {
            guard error.status == .dataLoss else { throw error }
            return nil
        }
    }

    private static func locks(_ environment: Environment) throws(EngineError) -> ClientLocks {
        try alone(environment.locksOfClient(), environment.path)
    }

    private static func alone(_ locks: ClientLocks, _ path: String) throws(EngineError) -> ClientLocks {
        let isAlone: Bool
        do { isAlone = try locks.enterAlone() } catch { throw .storage(error) }
        guard isAlone else { throw .inUse(path) }
        return locks
    }

    private static func findings(
        _ stores: [String], _ environment: Environment
    ) throws(EngineError) -> [PageFinding] {
        do { return try environment.auditPages(of: stores) } catch { throw .storage(error) }
    }

    /// The remote database; nil if the file's header cannot be read.
    package var identity: DatabaseID? { header?.identity }

    private var header: DatabaseHeader? {
        guard (try? DamagedReplica.findings([Stores.catalogName], storage.environment))?.isEmpty == true else {
            return nil
        }
        let header = try? storage.read { (transaction) throws(EngineError) in try DatabaseHeader.read(transaction) }
        return header ?? nil
    }

    package func records(in range: KeyRange) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        try storage.read { (transaction) throws(EngineError) in
            try transaction.scan(range, of: .replica, limit: .max)
        }
    }
}

extension EngineError {
    /// A client's file that another client has open.
    package static func inUse(_ path: String) -> EngineError {
        .unusable(
            "\(path) is in use by another client. End it first, or open the file for reading only."
        )
    }

    fileprivate static func notOfflineData(_ path: String) -> EngineError {
        .unusable("\(path) is not the offline data of a client of Cloud Firestore.")
    }

    /// The offline data of another remote database than the one that is asked for.
    package static func ofAnotherDatabase(_ path: String, _ found: DatabaseID, not wanted: DatabaseID) -> EngineError {
        .unusable(
            "\(path) holds the offline data of \(found.resourceName), not of \(wanted.resourceName). Choose another path "
                + "for each database.")
    }
}
