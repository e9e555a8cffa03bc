// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LMDB
internal import Synchronization

/// An encoder with a thread of its own.
final class LoadWorker: Sendable {
    private let encoder: Mutex<LoadEncoder>
    private let queue = DispatchQueue(label: "hearth.load")
    private let isFree = DispatchSemaphore(value: 1)
    private let error = Mutex<EngineError?>(nil)

    init(_ engine: Engine, _ catalog: CatalogSnapshot, _ file: ScratchFile) {
        encoder = Mutex(LoadEncoder(engine, catalog, file))
    }

    /// Begins to encode a batch; false if the one before is not done.
    func begin(_ batch: [LoadedDocument]) throws(EngineError) -> Bool {
        guard isFree.wait(timeout: .now()) == .success else { return false }
        if let error = error.withLock({ $0 }) {
            isFree.signal()
            throw error
        }
        queue.async { [self] in
            do throws(EngineError) {
                try encode(batch)
            } catch {
                self.error.withLock { $0 = error }
            }
            isFree.signal()
        }
        return true
    }

    /// Encodes a batch on the caller's thread.
    func encode(_ batch: [LoadedDocument]) throws(EngineError) {
        try encoder.withLock { (encoder) throws(EngineError) in try encoder.encode(batch) }
    }

    /// Waits for the batch under way.
    func finish() throws(EngineError) -> LoadRuns {
        isFree.wait()
        defer { isFree.signal() }
        if let error = error.withLock({ $0 }) { throw error }
        return try encoder.withLock { (encoder) throws(EngineError) in try encoder.finish() }
    }
}
