// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import Synchronization

/// A running load. Documents of new collections are staged; others are loaded in ordinary commits.
struct Load {
    /// Nil if no documents are staged.
    private var staged: StagedLoad?
    private var ordinary: OrdinaryLoad

    init(_ scheduler: TransactionScheduler, _ catalog: CatalogSnapshot, stages: Bool) {
        staged = stages ? StagedLoad(scheduler, catalog) : nil
        ordinary = OrdinaryLoad(scheduler)
    }

    /// Takes a valid document.
    ///
    /// - Throws: what an earlier document's commit threw, too.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        if try staged?.add(path, fields) != true { try ordinary.add(path, fields) }
    }

    mutating func finish(_ progress: (Double) -> Void) throws(EngineError) -> Int {
        let count = try ordinary.finish() + (staged?.count ?? 0)
        try staged?.finish(progress)
        return count
    }

    /// Waits for what still runs after a failure, so that nothing is written when the load has ended.
    mutating func waitForThreads() {
        ordinary.waitForThread()
        staged?.waitForThreads()
    }
}

/// Documents of collections that are there already, in commits of many; the next ones are read while the last are committed.
struct OrdinaryLoad {
    private let scheduler: TransactionScheduler
    private let queue = DispatchQueue(label: "hearth.load")
    private var writes: [Write] = []
    private var size = 0
    private var pending: PendingCommit?
    /// Documents submitted.
    private var count = 0

    /// How large the documents of one commit are, in bytes as Firestore counts them.
    private static let sizeLimit = 16 << 20

    init(_ scheduler: TransactionScheduler) {
        self.scheduler = scheduler
    }

    /// Takes a valid document.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        writes.append(.set(path, fields))
        size += DocumentSize.size(of: path, fields)
        if size > OrdinaryLoad.sizeLimit { try submit() }
    }

    /// - Returns: how many documents were written.
    mutating func finish() throws(EngineError) -> Int {
        if !writes.isEmpty { try submit() }
        try waitForPending()
        return count
    }

    /// Waits for the commit before, then starts this one.
    private mutating func submit() throws(EngineError) {
        try waitForPending()
        let commit = PendingCommit()
        let full = writes
        pending = commit
        count += writes.count
        writes.removeAll(keepingCapacity: true)
        size = 0
        queue.async { [scheduler] in
            do throws(EngineError) {
                try scheduler.commit(loading: full)
            } catch {
                commit.error.withLock { $0 = error }
            }
            commit.isDone.signal()
        }
    }

    private mutating func waitForPending() throws(EngineError) {
        let commit = pending
        waitForThread()
        if let error = commit?.error.withLock({ $0 }) { throw error }
    }

    /// Waits for the commit under way, whatever becomes of it.
    mutating func waitForThread() {
        pending?.isDone.wait()
        pending = nil
    }
}

/// What became of the commit under way.
private final class PendingCommit: Sendable {
    let error = Mutex<EngineError?>(nil)
    let isDone = DispatchSemaphore(value: 0)
}

extension TransactionScheduler {
    /// One commit of a load, whose documents no observer is told.
    fileprivate func commit(loading writes: [Write]) throws(EngineError) {
        try write { (transaction, commitTime, changes) throws(EngineError) in
            changes.discard()
            let catalog = try self.catalogs.read(&transaction)
            let cached = WriterCache.Content(catalogVersion: catalog.version)
            var applier = try WriteApplier(catalog, cached: cached, database: self.database, &transaction)
            _ = try applier.apply(writes, at: commitTime, &changes, transaction).get()
            _ = try applier.finish(placingPages: false, &transaction)
        }
    }
}
