// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// State of which each thread mostly has a copy to itself, so that threads do not wait for each other and their processors do not pass
/// the same memory back and forth.
package struct Sharded<State: Sendable>: Sendable {
    private let shards: [Shard<State>]

    package init(_ state: State) {
        shards = (0..<ShardNumber.count).map { _ in Shard(state) }
    }

    /// Runs `body` with this thread's copy. Threads beyond ``ShardNumber/count`` share the copies.
    @inline(__always)
    package func withOwn<R, E: Error>(_ body: (inout State) throws(E) -> sending R) throws(E) -> sending R {
        try shards[ShardNumber.own].withLock(body)
    }

    /// What `body` finds in any copy.
    package func first<R: Sendable>(_ body: (inout State) -> R?) -> R? {
        for shard in shards {
            if let found = shard.withLock({ body(&$0) }) { return found }
        }
        return nil
    }

    /// Runs `body` with each copy in turn.
    package func forEach(_ body: (inout State) -> Void) {
        for shard in shards { shard.withLock { body(&$0) } }
    }
}

private final class Shard<State>: Sendable {
    private let state: Mutex<State>
    /// Keeps the locks of two shards on different cache lines, of which processors fetch two at once.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    private let more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    init(_ state: sending State) {
        self.state = Mutex(state)
    }

    @inline(__always)
    func withLock<R, E: Error>(_ body: (inout State) throws(E) -> sending R) throws(E) -> sending R {
        try state.withLock(body)
    }
}

/// Which copy of a ``Sharded`` state a thread has.
package enum ShardNumber {
    package static let count = 16

    private static let threads = Atomic<Int>(0)
    /// One more than the number, as an address.
    private static let slot = unsafe System.ThreadPointer()

    @inline(__always)
    static var own: Int {
        if let known = unsafe slot.value { return Int(bitPattern: known) - 1 }
        return begin()
    }

    /// Threads take turns.
    @inline(never)
    private static func begin() -> Int {
        let number = threads.wrappingAdd(1, ordering: .relaxed).oldValue % count
        unsafe slot.value = UnsafeMutableRawPointer(bitPattern: number + 1)
        return number
    }
}
