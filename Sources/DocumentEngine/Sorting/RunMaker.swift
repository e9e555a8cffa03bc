// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LMDB
internal import Synchronization

/// Turns batches into sorted runs of keys and values.
protocol RunMaker: SendableMetatype {
    associatedtype Batch: Sendable
    mutating func encode(_ batch: Batch) throws(EngineError)
    mutating func finish() throws(EngineError) -> EntryRuns
}

/// Run makers on two to four threads, depending on the processors: the caller's thread and their own.
struct RunMakers<Maker: RunMaker> {
    /// The first one works on the caller's thread.
    private let workers: [RunWorker<Maker>]

    /// Limits memory.
    private static var maximum: Int { 4 }

    init(_ make: () -> sending Maker) {
        let count = min(max(ScratchFile.processors, 2), RunMakers.maximum)
        workers = (0..<count).map { _ in RunWorker(make()) }
    }

    /// Passes the batch to an idle thread, or encodes it on this thread.
    func submit(_ batch: Maker.Batch) throws(EngineError) {
        for worker in workers.dropFirst() where try worker.begin(batch) { return }
        try workers[0].encode(batch)
    }

    /// Finishes on all threads and waits for them.
    func finish() throws(EngineError) -> EntryRuns {
        for worker in workers.dropFirst() { try worker.beginToFinish() }
        var runs = try workers[0].finish()
        for worker in workers.dropFirst() { runs.append(try worker.finish()) }
        return runs
    }

    /// Waits for what still runs after a failure.
    func waitForThreads() {
        for worker in workers.dropFirst() { worker.waitForThread() }
    }
}

/// A run maker with its own thread.
private final class RunWorker<Maker: RunMaker>: Sendable {
    private let maker: Mutex<Maker>
    private let queue = DispatchQueue(label: "hearth.encode")
    private let isFree = DispatchSemaphore(value: 1)
    private let error = Mutex<EngineError?>(nil)
    private let runs = Mutex<EntryRuns?>(nil)

    init(_ maker: sending Maker) {
        self.maker = Mutex(maker)
    }

    /// Starts to encode a batch on the worker's thread. Returns false if the thread is busy.
    func begin(_ batch: Maker.Batch) throws(EngineError) -> Bool {
        guard isFree.wait(timeout: .now()) == .success else { return false }
        try start { (maker) throws(EngineError) in try maker.encode(batch) }
        return true
    }

    /// Starts the work of ``finish()`` on the worker's thread.
    func beginToFinish() throws(EngineError) {
        isFree.wait()
        try start { [self] (maker) throws(EngineError) in
            let made = try maker.finish()
            self.runs.withLock { $0 = made }
        }
    }

    /// Encodes a batch on the caller's thread.
    func encode(_ batch: Maker.Batch) throws(EngineError) {
        try maker.withLock { (maker) throws(EngineError) in try maker.encode(batch) }
    }

    /// Waits for the worker's thread. If ``beginToFinish()`` was not called, finishes on the caller's thread.
    func finish() throws(EngineError) -> EntryRuns {
        isFree.wait()
        defer { isFree.signal() }
        try throwFailure()
        if let runs = runs.withLock({ $0 }) { return runs }
        return try maker.withLock { (maker) throws(EngineError) in try maker.finish() }
    }

    func waitForThread() {
        isFree.wait()
        isFree.signal()
    }

    /// Runs `work` on the worker's thread, which must be idle.
    private func start(_ work: @escaping @Sendable (inout Maker) throws(EngineError) -> Void) throws(EngineError) {
        do throws(EngineError) {
            try throwFailure()
        } catch {
            isFree.signal()
            throw error
        }
        queue.async { [self] in
            do throws(EngineError) {
                try maker.withLock { (maker) throws(EngineError) in try work(&maker) }
            } catch {
                self.error.withLock { $0 = error }
            }
            isFree.signal()
        }
    }

    private func throwFailure() throws(EngineError) {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
