// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import DocumentModel
internal import Synchronization

extension Engine {
    /// Writes documents in commits of many, each replacing what stands under its name: the way in for bulk loads.
    ///
    /// While one commit is under way, `next` is asked for the documents of the following one, until it gives nil. A document that
    /// cannot be stored is handed to `reject` and left out. Memory holds the documents of two commits.
    ///
    /// - Returns: how many documents were written.
    package func load(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void, progress: (Int) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        var loader = Loader(self)
        while let batch = try batch(next: next, reject: reject) {
            try loader.submit(batch)
            progress(loader.count)
        }
        try loader.finish()
        return loader.count
    }

    private func batch(
        next: () throws(EngineError) -> (path: DocumentPath, fields: Fields)?,
        reject: (DocumentPath, EngineError) -> Void
    ) throws(EngineError) -> [Write]? {
        var writes: [Write] = []
        var size = 0
        while size < Engine.batchSize, let document = try next() {
            let write = Write.set(document.path, document.fields)
            do throws(EngineError) {
                try WriteValidator.validate(write, database: database)
            } catch {
                reject(document.path, error)
                continue
            }
            size += DocumentSize.size(of: document.path, document.fields)
            writes.append(write)
        }
        return writes.isEmpty ? nil : writes
    }

    /// Of a commit's documents, by formula: enough that sorting their entries pays, little enough to hold two of them.
    private static var batchSize: Int { 16 << 20 }
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
    mutating func submit(_ batch: [Write]) throws(EngineError) {
        try finish()
        let outcome = Outcome()
        underWay = outcome
        count += batch.count
        queue.async { [engine] in
            do throws(EngineError) {
                _ = try engine.apply(batch)
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
