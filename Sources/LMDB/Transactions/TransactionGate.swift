// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Counts the open transactions of this process, keeps idle readers, and lets transactions wait while the map is exchanged.
///
/// The map is exchanged only while no transaction of this process is open, because spans point into it. A thread that is inside
/// a transaction does not wait, because the exchange waits for that thread.
final class TransactionGate: Sendable {
    private struct State {
        /// Of writers.
        var openTransactions = 0
        var isWriting = false
        var isResizing = false
        var isPoisoned = false
        /// The map was lost, so that not even reads are possible.
        var isUnmapped = false
    }

    /// The reads of some threads.
    private final class Reads: Sendable {
        let state = Mutex(ReadState())
        private let padding = CacheLinePadding()
    }

    @safe
    private struct ReadState: Sendable {
        var count = 0
        /// The map is about to be exchanged: only nested reads may begin.
        var isClosed = false
        var isUnmapped = false
        /// Each with a reference that belongs to the array.
        var idleReaders: [Unmanaged<Reader>] = unsafe []
    }

    /// How many readers each shard keeps. Every one has a slot in the lock file, of which all processes have a limited number.
    private static let mostIdle = 4

    private let monitor = Monitor(State())
    /// Each is locked alone, or inside ``monitor``.
    private let reads = (0..<ShardNumber.count).map { _ in Reads() }

    /// Enters a read and returns an idle reader, if there is one, which the caller owns. The thread that enters a read leaves it.
    @unsafe
    func enterRead(isNested: Bool) throws(LMDBErrorCode) -> Unmanaged<Reader>? {
        while true {
            if let entered = unsafe try tryToEnterRead(isNested: isNested) { return unsafe entered }
            monitor.wait(until: { !$0.isResizing }) { _ in }
        }
    }

    /// Enters a read with an idle reader. Nil, without having entered, if there is none, or if it would have to wait for the map.
    @unsafe
    func enterReadAtOnce() -> Unmanaged<Reader>? {
        guard let entered = unsafe try? tryToEnterRead(isNested: false) else { return nil }
        if let reader = unsafe entered { return unsafe reader }
        if let reader = unsafe takeIdleReader() { return unsafe reader }
        unsafe leaveRead(nil)
        return nil
    }

    /// An idle reader of any thread, which the caller owns. Call it within a read or as the writer.
    @unsafe
    func takeIdleReader() -> Unmanaged<Reader>? {
        for reads in reads {
            if let reader = unsafe reads.state.withLock({ unsafe $0.idleReaders.popLast() }) { return unsafe reader }
        }
        return nil
    }

    /// Nil, without having entered, while the map is exchanged.
    @unsafe
    private func tryToEnterRead(isNested: Bool) throws(LMDBErrorCode) -> Unmanaged<Reader>?? {
        unsafe try withOwn { reads -> Result<Unmanaged<Reader>??, LMDBErrorCode> in
            guard !reads.isUnmapped else { return unsafe .failure(.poisoned) }
            guard !reads.isClosed || isNested else { return unsafe .success(.none) }
            reads.count += 1
            return unsafe .success(.some(reads.idleReaders.popLast()))
        }.get()
    }

    /// - Parameter reader: becomes idle, or is released where there are enough, and is no longer the caller's.
    @unsafe
    func leaveRead(_ reader: Unmanaged<Reader>?) {
        let isAwaited = withOwn { reads in
            if let reader = unsafe reader {
                if unsafe reads.idleReaders.count < TransactionGate.mostIdle {
                    unsafe reads.idleReaders.append(reader)
                } else {
                    unsafe reader.release()
                }
            }
            reads.count -= 1
            return reads.isClosed && reads.count == 0
        }
        guard isAwaited else { return }
        // Whoever awaits it has either not looked yet or waits already.
        monitor.withLock { _ in }
        monitor.wakeAll()
    }

    /// Becomes the process's only writer, after waiting for the one before.
    func enterWrite() throws(LMDBErrorCode) {
        try monitor.wait(until: { !$0.isResizing && !$0.isWriting }) { state throws(LMDBErrorCode) in
            guard !state.isUnmapped, !state.isPoisoned else { throw .poisoned }
            state.isWriting = true
            state.openTransactions += 1
        }
    }

    func leaveWrite() {
        leave { $0.isWriting = false }
        monitor.wakeAll()
    }

    /// Runs `change` while no transaction is open. A caller that is the writer has ended its transaction and stays the writer.
    ///
    /// - Parameter change: exchanges the map; `isMapped` is false if there is no map any more.
    func whileQuiet<R>(_ change: () -> (result: R, isMapped: Bool)) -> R {
        monitor.wait(until: { !$0.isResizing }) { $0.isResizing = true }
        forEach { $0.isClosed = true }
        defer { monitor.wakeAll() }
        return monitor.wait(until: { $0.openTransactions == 0 && !isReading }) { state in
            // They point into the old map.
            closeIdleReaders()
            let outcome = change()
            state.isUnmapped = !outcome.isMapped
            state.isResizing = false
            forEach { reads in
                reads.isClosed = false
                reads.isUnmapped = !outcome.isMapped
            }
            return outcome.result
        }
    }

    /// Runs `body` with the reads of this thread's shard.
    @inline(__always)
    private func withOwn<R: Sendable>(_ body: (inout sending ReadState) -> sending R) -> R {
        ShardNumber.withOwn(of: reads) { $0.state.withLock(body) }
    }

    private func forEach(_ body: (inout ReadState) -> Void) {
        for reads in reads { reads.state.withLock { body(&$0) } }
    }

    private var isReading: Bool {
        var count = 0
        forEach { count += $0.count }
        return count > 0
    }

    /// Counts the writer's transaction as ended; ``resumeWrite()`` counts it as begun. For the time around ``whileQuiet(_:)``.
    func pauseWrite() { leave { _ in } }

    func resumeWrite() {
        monitor.wait(until: { !$0.isResizing }) { $0.openTransactions += 1 }
    }

    /// Runs `body` while the map, if there is one, is not exchanged. `body` must not begin a transaction.
    func withMap(_ body: () -> Void) {
        monitor.withLock { state in
            if !state.isUnmapped { body() }
        }
    }

    func poison() { monitor.withLock { $0.isPoisoned = true } }

    var isPoisoned: Bool { monitor.withLock { $0.isPoisoned || $0.isUnmapped } }

    /// Call it before the gate is released.
    func closeIdleReaders() {
        forEach { reads in
            unsafe reads.idleReaders.forEach { unsafe $0.release() }
            unsafe reads.idleReaders.removeAll()
        }
    }

    private func leave(_ change: (inout State) -> Void) {
        let isAwaited = monitor.withLock { state in
            change(&state)
            state.openTransactions -= 1
            return state.openTransactions == 0 && state.isResizing
        }
        if isAwaited { monitor.wakeAll() }
    }
}
