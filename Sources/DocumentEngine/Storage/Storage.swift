// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// An open database file and its stores.
final class Storage: Sendable {
    let environment: Environment
    let stores: Stores
    /// The current time in microseconds since 1970.
    let now: @Sendable () -> UInt64

    /// Opens the stores of an environment, or creates them in a new file.
    ///
    /// - Parameters:
    ///   - keepsHistory: whether to open or create the store of replaced versions, too.
    ///   - createsReplica: whether to create the store of a replica in a file without a header. One that exists is opened in any
    ///     case.
    /// - Throws: `unusable` for a file that has commits but lacks the stores: it belongs to another program. `damaged` if it lacks
    ///   some of them. `incomplete` for an empty file opened for reading only.
    init(
        _ environment: Environment, keepsHistory: Bool = false, createsReplica: Bool = false,
        now: @escaping @Sendable () -> UInt64 = System.now
    ) throws(EngineError) {
        self.environment = environment
        self.now = now
        var stores = try Storage.openStores(environment)
        if keepsHistory {
            stores.history = try Storage.openStore(Stores.historyName, in: environment, create: true)
        }
        let isNew = try Storage.isEmpty(stores.catalog, in: environment)
        stores.replica = try Storage.openStore(
            Stores.replicaName, in: environment, create: createsReplica && isNew)
        self.stores = stores
    }

    /// The store of replaced versions, which another program may have made since this one has opened the file; nil if there is none.
    func historyStore() throws(EngineError) -> Store? {
        if let known = stores.history { return known }
        return try Storage.openStore(Stores.historyName, in: environment, create: false)
    }

    /// Runs `body` in a read transaction.
    func read<R>(_ body: (inout Transaction) throws(EngineError) -> R) throws(EngineError) -> R {
        try environment.read { (frame) throws(EngineError) in
            var transaction = Transaction(frame.makeCursors(), stores)
            return try body(&transaction)
        }
    }

    /// As ``read(_:)``, if that can begin without waiting for the disk or for another thread's work; otherwise nil.
    func readAtOnce<R>(
        _ body: (inout Transaction) throws(EngineError) -> R?
    ) throws(EngineError) -> R? {
        try environment.readAtOnce { (frame) throws(EngineError) in
            var transaction = Transaction(frame.makeCursors(), stores)
            return try body(&transaction)
        }
    }

    /// Runs `body` in LMDB's write transaction. Commits if `body` returns, and aborts if it throws. Runs `body` again
    /// if the map had to grow.
    func write<R>(_ body: (inout Transaction) throws(EngineError) -> R) throws(EngineError) -> R {
        try environment.write { (frame) throws(EngineError) in
            var transaction = Transaction(frame.makeCursors(), stores)
            return try body(&transaction)
        }
    }

    /// The number of entries of some stores, orphaned ones included, by LMDB's own count.
    func entryCount(of names: StoreName...) throws(EngineError) -> Int {
        var count = 0
        for name in names {
            do throws(LMDBError) {
                count += try environment.statistics(of: stores[name]).entries
            } catch {
                throw .storage(error)
            }
        }
        return count
    }

    private static func openStores(_ environment: Environment) throws(EngineError) -> Stores {
        // Asked in a transaction, and before the stores are looked for: another process's first commit is in the file before
        // transactions see it.
        let isNew = try environment.read { (transaction) throws(EngineError) in transaction.transactionID == 0 }
        do throws(LMDBError) {
            return Stores(try environment.openStores(Stores.names, create: false))
        } catch {
            guard error.code == .noSuchStore else { throw .storage(error) }
        }
        guard isNew else { throw try lacksStores(environment) }
        guard !environment.options.readOnly else { throw .incomplete(environment.path) }
        do {
            return Stores(try environment.openStores(Stores.names, create: true))
        } catch {
            throw .storage(error)
        }
    }
}

extension Storage {
    /// The error for a file with commits that lacks stores. If most are there, it is no other program's: the page with their
    /// names is damaged.
    private static func lacksStores(_ environment: Environment) throws(EngineError) -> EngineError {
        var missing: [String] = []
        for name in Stores.names where try openStore(name, in: environment, create: false) == nil {
            missing.append(name)
        }
        guard missing.count > Stores.names.count / 2 else {
            return .damaged("the store \(missing.joined(separator: ", ")) is missing")
        }
        return .unusable("\(environment.path) is an LMDB file, but no Hearth database.")
    }

    private static func isEmpty(_ store: Store, in environment: Environment) throws(EngineError) -> Bool {
        do { return try environment.statistics(of: store).entries == 0 } catch { throw .storage(error) }
    }

    /// Nil if there is none and none may be created.
    private static func openStore(
        _ name: String, in environment: Environment, create: Bool
    ) throws(EngineError) -> Store? {
        do throws(LMDBError) {
            return try environment.openStores([name], create: create)[0]
        } catch {
            guard error.code == .noSuchStore else { throw .storage(error) }
            return nil
        }
    }
}
