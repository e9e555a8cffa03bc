// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A closure of the program. It need not be `Sendable`, because it is only moved to the queue of
/// ``FirestoreSettings/dispatchQueue`` and called there. The default is the main queue, where closures of the main
/// actor may run. A program that sets another queue decides where its closures may run.
struct Callback<Argument>: @unchecked Sendable {
    private let body: (Argument) -> Void

    init(_ body: @escaping (Argument) -> Void) {
        self.body = body
    }

    func callAsFunction(_ argument: Argument) { body(argument) }
}

/// Calls callbacks on the program's queue, and reports once if nothing runs that queue.
///
/// A check is scheduled only while a callback waits.
final class CallbackQueue: Sendable {
    private struct State {
        /// The numbers of callbacks that were enqueued and that have started.
        var handedOver = 0
        var begun = 0
        /// Whether a check is scheduled, or no further check is needed.
        var isLooked = false
    }

    let queue: DispatchQueue
    private let timeLimit: DispatchTimeInterval
    private let stuck: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - timeLimit: how long a callback may wait; `.never` disables the check.
    ///   - stuck: called once, when a callback has waited that long.
    init(_ queue: DispatchQueue, timeLimit: DispatchTimeInterval, stuck: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.timeLimit = timeLimit
        self.stuck = stuck
        if timeLimit == .never { state.withLock { $0.isLooked = true } }
    }

    func async(_ callback: @escaping @Sendable () -> Void) {
        let number = state.withLock { state -> Int? in
            state.handedOver += 1
            guard !state.isLooked else { return nil }
            state.isLooked = true
            return state.handedOver
        }
        if let number { look(for: number) }
        queue.async { [self] in
            state.withLock { $0.begun += 1 }
            callback()
        }
    }

    private func look(for number: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + timeLimit) { [weak self] in
            guard let self else { return }
            let (isStuck, next) = state.withLock { state -> (Bool, Int?) in
                if state.begun < number { return (true, nil) }
                state.isLooked = state.handedOver > state.begun
                return (false, state.isLooked ? state.handedOver : nil)
            }
            if isStuck { stuck() }
            if let next { look(for: next) }
        }
    }
}
