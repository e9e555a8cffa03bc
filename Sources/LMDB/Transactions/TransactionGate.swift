// SPDX-License-Identifier: Apache-2.0

/// Counts the open transactions of this process, keeps idle readers, and lets transactions wait while the map is exchanged.
///
/// The map is exchanged only while no transaction of this process is open, because spans point into it. A thread that is inside
/// a transaction does not wait, because the exchange waits for that thread.
final class TransactionGate: Sendable {
    private struct State {
        var openTransactions = 0
        var isWriting = false
        var isResizing = false
        var isPoisoned = false
        /// The map was lost, so that not even reads are possible.
        var isUnmapped = false
        var idleReaders: [Reader] = []
    }

    private let monitor = Monitor(State())

    /// Enters a read and returns an idle reader, if there is one.
    func enterRead(isNested: Bool) throws(LMDBErrorCode) -> Reader? {
        try monitor.wait(until: { !$0.isResizing || isNested }) { state throws(LMDBErrorCode) in
            guard !state.isUnmapped else { throw .poisoned }
            state.openTransactions += 1
            return state.idleReaders.popLast()
        }
    }

    /// Enters a read with an idle reader. Nil, without having entered, if there is none, or if it would have to wait for the map.
    func enterReadAtOnce() -> Reader? {
        monitor.withLock { state in
            guard !state.isResizing, !state.isUnmapped, let reader = state.idleReaders.popLast() else { return nil }
            state.openTransactions += 1
            return reader
        }
    }

    func leaveRead(_ reader: Reader?) {
        leave { state in
            if let reader { state.idleReaders.append(reader) }
        }
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
        defer { monitor.wakeAll() }
        return monitor.wait(until: { $0.openTransactions == 0 }) { state in
            // They point into the old map.
            state.idleReaders.removeAll()
            let outcome = change()
            state.isUnmapped = !outcome.isMapped
            state.isResizing = false
            return outcome.result
        }
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

    func closeIdleReaders() { monitor.withLock { $0.idleReaders.removeAll() } }

    private func leave(_ change: (inout State) -> Void) {
        let isAwaited = monitor.withLock { state in
            change(&state)
            state.openTransactions -= 1
            return state.openTransactions == 0 && state.isResizing
        }
        if isAwaited { monitor.wakeAll() }
    }
}
