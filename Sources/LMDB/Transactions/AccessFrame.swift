// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// One open transaction of a thread, linked to the transactions around it, so that a forbidden nesting is found before LMDB
/// deadlocks.
///
/// Frames nest as the closures do: the last one entered is the first one left, on the same thread.
@safe
class AccessFrame {
    enum Kind { case read, write }

    let kind: Kind
    private let environment: ObjectIdentifier
    private var outer: Unmanaged<AccessFrame>?

    init(_ kind: Kind, of environment: ObjectIdentifier) {
        self.kind = kind
        self.environment = environment
    }

    /// Makes this the thread's innermost frame; the caller keeps it alive until ``leave()``.
    func enter() {
        unsafe outer = Self.innermost
        unsafe Self.slot.value = Unmanaged.passUnretained(self).toOpaque()
    }

    func leave() {
        unsafe Self.slot.value = outer?.toOpaque()
        unsafe outer = nil
    }

    /// The kinds of `environment`'s transactions that this thread is inside.
    static func nesting(in environment: ObjectIdentifier) -> (read: Bool, write: Bool) {
        var result = (read: false, write: false)
        var next = unsafe innermost
        while let frame = unsafe next?.takeUnretainedValue() {
            if frame.environment == environment {
                if frame.kind == .read { result.read = true } else { result.write = true }
            }
            unsafe next = frame.outer
        }
        return result
    }

    private static let slot = unsafe System.ThreadPointer()

    private static var innermost: Unmanaged<AccessFrame>? {
        unsafe slot.value.map { unsafe Unmanaged.fromOpaque($0) }
    }
}

/// How many forks lie between this process and the one that first used the library; cheaper than `getpid`.
enum ForkCount {
    private static let count = Atomic<Int>(0)

    private static let registered: Void = {
        System.runAfterForks({ ForkCount.count.wrappingAdd(1, ordering: .relaxed) })
    }()

    static var current: Int {
        _ = registered
        return count.load(ordering: .relaxed)
    }
}

/// Stops a program that breaks a rule of the library. Unlike `precondition`, it prints the rule in release builds.
@inline(__always)
func require(_ condition: Bool, _ rule: StaticString) {
    if !condition { fatalError("\(rule)") }
}
