// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import Synchronization

/// A load under way: sends each document the one way or the other.
struct Load {
    private let catalog: CatalogSnapshot
    private var staged: StagedLoad
    private var ordinary: OrdinaryLoad

    init(_ scheduler: TransactionScheduler) throws(EngineError) {
        catalog = try scheduler.catalog()
        staged = StagedLoad(scheduler, catalog)
        ordinary = try OrdinaryLoad(scheduler)
    }

    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        do { try IndexLimits.validate(path, fields, catalog.indexes) } catch { throw EngineError(error) }
        if try !staged.add(path, fields) { try ordinary.add(path, fields) }
    }

    mutating func finish(_ progress: (Double) -> Void) throws(EngineError) -> Int {
        let count = try ordinary.finish() + staged.count
        try staged.finish(progress)
        return count
    }
}

/// Documents of collections that are there already, in commits of many; the next ones are collected while the last are
/// committed.
struct OrdinaryLoad {
    private var batchBuilder: LoadBatchBuilder
    private var loader: Loader
    /// Documents of collections without an ID, so that many get theirs in one commit.
    private var pending: [(path: DocumentPath, fields: Fields)] = []
    private var pendingSize = 0

    private static let pendingLimit = 8 << 20

    init(_ scheduler: TransactionScheduler) throws(EngineError) {
        batchBuilder = try LoadBatchBuilder(scheduler)
        loader = Loader(scheduler)
    }

    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        if try batchBuilder.knows(path.collection) { return try addToBatch(path, fields) }
        pending.append((path, fields))
        pendingSize += DocumentSize.size(of: path, fields)
        if pendingSize > OrdinaryLoad.pendingLimit { try addPending() }
    }

    private mutating func addPending() throws(EngineError) {
        guard !pending.isEmpty else { return }
        let documents = pending
        pending.removeAll()
        pendingSize = 0
        try batchBuilder.allocateIDs(for: Set(documents.map(\.path.collection)))
        for (path, fields) in documents {
            // A batch that was full may have made the batch builder forget.
            _ = try batchBuilder.knows(path.collection)
            try addToBatch(path, fields)
        }
    }

    private mutating func addToBatch(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        if batchBuilder.isFull || batchBuilder.contains(path) {
            let count = batchBuilder.count
            try loader.submit(batchBuilder.take(), count)
            _ = try batchBuilder.knows(path.collection)
        }
        try batchBuilder.add(path, fields)
    }

    /// - Returns: how many documents were written.
    mutating func finish() throws(EngineError) -> Int {
        try addPending()
        let count = batchBuilder.count
        if !batchBuilder.isEmpty { try loader.submit(batchBuilder.take(), count) }
        try loader.finish()
        return loader.count
    }
}

/// Commits batches one after another on a thread of its own.
private struct Loader {
    /// What became of the commit under way.
    private final class Outcome: Sendable {
        let error = Mutex<EngineError?>(nil)
        let isDone = DispatchSemaphore(value: 0)
    }

    private let scheduler: TransactionScheduler
    private let queue = DispatchQueue(label: "hearth.load")
    private var underWay: Outcome?
    /// Documents submitted.
    private(set) var count = 0

    init(_ scheduler: TransactionScheduler) {
        self.scheduler = scheduler
    }

    /// Waits for the commit before, then starts this one.
    mutating func submit(_ batch: LoadBatch, _ documents: Int) throws(EngineError) {
        try finish()
        let outcome = Outcome()
        underWay = outcome
        count += documents
        queue.async { [scheduler] in
            var batch = batch
            batch.sortSecondHalf()
            do throws(EngineError) {
                try scheduler.commit(batch)
            } catch {
                outcome.error.withLock { $0 = error }
            }
            outcome.isDone.signal()
        }
    }

    mutating func finish() throws(EngineError) {
        guard let outcome = underWay else { return }
        outcome.isDone.wait()
        underWay = nil
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }
}

extension TransactionScheduler {
    fileprivate func commit(_ batch: LoadBatch) throws(EngineError) {
        try write { (transaction, commitTime, changes) throws(EngineError) in
            changes.discard()
            let catalog = try self.catalogs.read(&transaction)
            var applier = try LoadApplier(self.database, catalog, commitTime: commitTime, &transaction)
            try applier.apply(batch, &transaction)
        }
    }
}
