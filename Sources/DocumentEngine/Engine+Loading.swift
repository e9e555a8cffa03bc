// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import Synchronization

extension Engine {
    /// Writes documents, each replacing what stands under its name: the way in for bulk loads.
    ///
    /// Documents of new collections are sorted on disk, beside the database, and written in key order behind all others. They are
    /// seen all at once, at the end; a load that is killed or fails before leaves none of them, and the next load or change of
    /// indexes removes what it wrote. Documents of collections that are there already, or whose group has indexes over all its
    /// collections, are written in commits of many, each whole or not at all. When the call returns, all are durable.
    ///
    /// Memory does not grow with the input. One load or change of indexes happens at a time; a second one waits. A document that
    /// cannot be stored is handed to `reject`, before `next` is asked again, and left out.
    ///
    /// - Parameter progress: told how much of the work that follows the last document is done, from 0 to 1.
    /// - Returns: how many documents were written.
    package func load(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void, progress: (Double) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        try environment.whileMaintaining { () throws(EngineError) in
            try removeUnfinishedLoads()
            try build { _ in }
            var load = try Load(self)
            while let (path, fields) = try next() {
                do throws(EngineError) {
                    try WriteValidator.validate(.set(path, fields), database: database)
                    try load.add(path, fields)
                } catch {
                    guard case .refused = error else { throw error }
                    reject(path, error)
                }
            }
            return try load.finish(progress)
        }
    }

    fileprivate func commit(_ batch: LoadBatch) throws(EngineError) {
        try write { (cursors, commitTime, changes) throws(EngineError) in
            changes.giveUp()
            let catalog = try self.catalogs.read(&cursors)
            var applier = try LoadApplier(self, catalog, commitTime: commitTime, &cursors)
            try applier.apply(batch, &cursors)
        }
    }
}

/// A load under way: sends each document the one way or the other.
private struct Load {
    private let catalog: CatalogSnapshot
    private var staged: StagedLoad
    private var ordinary: OrdinaryLoad

    init(_ engine: Engine) throws(EngineError) {
        catalog = try engine.catalog()
        staged = StagedLoad(engine, catalog)
        ordinary = try OrdinaryLoad(engine)
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

    init(_ engine: Engine) throws(EngineError) {
        gatherer = try LoadGatherer(engine)
        loader = Loader(engine)
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

    private let engine: Engine
    private let queue = DispatchQueue(label: "hearth.load")
    private var underWay: Outcome?
    /// Documents submitted.
    private(set) var count = 0

    init(_ engine: Engine) {
        self.engine = engine
    }

    /// Waits for the commit before, then starts this one.
    mutating func submit(_ batch: LoadBatch, _ documents: Int) throws(EngineError) {
        try finish()
        let outcome = Outcome()
        underWay = outcome
        count += documents
        queue.async { [engine] in
            var batch = batch
            batch.sortSecondHalf()
            do throws(EngineError) {
                try engine.commit(batch)
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
