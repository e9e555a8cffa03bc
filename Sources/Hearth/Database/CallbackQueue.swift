// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A closure of the program's, which need not be `Sendable`: it is only carried to the queue of
/// ``FirestoreSettings/dispatchQueue`` and called there. By default that is the main queue, on which closures of the main actor
/// may run; a program that sets another one says with it where its closures may run.
struct Callback<Argument>: @unchecked Sendable {
    private let body: (Argument) -> Void

    init(_ body: @escaping (Argument) -> Void) {
        self.body = body
    }

    func callAsFunction(_ argument: Argument) { body(argument) }
}

/// Calls callbacks on the program's queue, and tells once if nothing runs that queue.
///
/// It looks after a callback that has been handed over, and never while none is.
final class CallbackQueue: Sendable {
    private struct State {
        /// Numbers of callbacks.
        var handedOver = 0
        var begun = 0
        /// Whether a look is to come, or there is none any more.
        var isLooked = false
    }

    let queue: DispatchQueue
    private let patience: DispatchTimeInterval
    private let stuck: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: for how long a callback may wait; `.never` for a queue that is none of Hearth's business.
    ///   - stuck: called when the first one has waited for that long.
    init(_ queue: DispatchQueue, patience: DispatchTimeInterval, stuck: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.patience = patience
        self.stuck = stuck
        if patience == .never { state.withLock { $0.isLooked = true } }
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
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + patience) { [weak self] in
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
