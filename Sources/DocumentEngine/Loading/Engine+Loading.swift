// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import DocumentModel
internal import LMDB
internal import Synchronization

extension Engine {
    /// Writes documents in commits of many, each replacing what stands under its name: the way in for bulk loads.
    ///
    /// While one commit is under way, `next` is asked for the documents of the following one, until it gives nil. A document that
    /// cannot be stored is handed to `reject` and left out. Memory holds the encoded documents and entries of two commits.
    ///
    /// - Returns: how many documents were written.
    package func load(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void, progress: (Int) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        var gatherer = try LoadGatherer(self)
        var loader = Loader(self)
        while let document = try next() {
            if gatherer.isFull || gatherer.contains(document.path) {
                let count = gatherer.count
                try loader.submit(gatherer.take(), count)
                progress(loader.count)
            }
            do throws(EngineError) {
                try WriteValidator.validate(.set(document.path, document.fields), database: database)
                try gatherer.add(document.path, document.fields)
            } catch {
                guard case .refused = error else { throw error }
                reject(document.path, error)
            }
        }
        let count = gatherer.count
        if !gatherer.isEmpty { try loader.submit(gatherer.take(), count) }
        try loader.finish()
        progress(loader.count)
        return loader.count
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
