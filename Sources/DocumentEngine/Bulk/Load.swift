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

/// Documents of collections that are there already, in commits of many; the next ones are gathered while the last are committed.
struct OrdinaryLoad {
    private var gatherer: LoadGatherer
    private var loader: Loader
    /// Documents of collections without a number, so that many get theirs in one commit.
    private var waiting: [(path: DocumentPath, fields: Fields)] = []
    private var waitingSize = 0

    private static let waitingLimit = 8 << 20

    init(_ scheduler: TransactionScheduler) throws(EngineError) {
        gatherer = try LoadGatherer(scheduler)
        loader = Loader(scheduler)
    }

    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        if try gatherer.knows(path.collection) { return try gather(path, fields) }
        waiting.append((path, fields))
        waitingSize += DocumentSize.size(of: path, fields)
        if waitingSize > OrdinaryLoad.waitingLimit { try gatherWaiting() }
    }

    private mutating func gatherWaiting() throws(EngineError) {
        guard !waiting.isEmpty else { return }
        let documents = waiting
        waiting.removeAll()
        waitingSize = 0
        try gatherer.number(Set(documents.map(\.path.collection)))
        for (path, fields) in documents {
            // A batch that was full may have made the gatherer forget.
            _ = try gatherer.knows(path.collection)
            try gather(path, fields)
        }
    }

    private mutating func gather(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        if gatherer.isFull || gatherer.contains(path) {
            let count = gatherer.count
            try loader.submit(gatherer.take(), count)
            _ = try gatherer.knows(path.collection)
        }
        try gatherer.add(path, fields)
    }

    /// - Returns: how many documents were written.
    mutating func finish() throws(EngineError) -> Int {
        try gatherWaiting()
        let count = gatherer.count
        if !gatherer.isEmpty { try loader.submit(gatherer.take(), count) }
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
            changes.giveUp()
            let catalog = try self.catalogs.read(&transaction)
            var applier = try LoadApplier(self.database, catalog, commitTime: commitTime, &transaction)
            try applier.apply(batch, &transaction)
        }
    }
}
