// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Which copy of a state a thread uses, where there are ``count``, each with a lock of its own: threads then do not wait for each other,
/// and their processors do not pass the same memory back and forth. Threads beyond the count share the copies.
///
/// The copies are objects of a class that is not generic: code for any state would look up the state's type at each use.
public enum ShardNumber {
    /// How many copies there are.
    public static let count = 16

    private static let threads = Atomic<Int>(0)
    /// One more than the number, as an address.
    private static let slot = unsafe System.ThreadPointer()

    /// This thread's, below ``count``.
    public static var own: Int {
        if let known = unsafe slot.value { return Int(bitPattern: known) - 1 }
        return begin()
    }

    /// Runs `body` with this thread's copy, without counting a reference to it: the caller's array keeps it meanwhile.
    @inlinable @inline(__always)
    public static func withOwn<Copy: AnyObject, R>(of copies: [Copy], _ body: (Copy) -> R) -> R {
        unsafe Unmanaged.passUnretained(copies[own])._withUnsafeGuaranteedRef(body)
    }

    /// Threads take turns.
    @inline(never)
    private static func begin() -> Int {
        let number = threads.wrappingAdd(1, ordering: .relaxed).oldValue % count
        unsafe slot.value = UnsafeMutableRawPointer(bitPattern: number + 1)
        return number
    }
}

/// Keeps the locks of two small objects on different cache lines, of which processors fetch two at once.
package struct CacheLinePadding: Sendable {
    private let words:
        (
            UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
            UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
        ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    package init() {}
}
