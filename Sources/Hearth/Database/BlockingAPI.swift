// SPDX-License-Identifier: Apache-2.0

/// The blocking calls of an object. They have the same names behind `sync`, wait on the calling thread, and throw
/// errors.
///
/// ```swift
/// let city = database.document("cities/SF")
/// try city.sync.setData(["population": 860_000])
/// let population = try city.sync.getDocument()["population"]
/// ```
///
/// Use them in programs without `async`: scripts, command-line tools, tests. They are unavailable in asynchronous
/// functions, because a thread of Swift's cooperative pool must not block on the disk: there, `await` the call without
/// `sync`. On the callback queue, do not use them to wait for another callback. With a remote, do not use them in
/// synchronous functions that tasks call either, such as tests of Swift Testing: the server's answers come through that
/// pool, so callers that block all of its threads wait for ever.
public struct BlockingAPI<Base: Sendable>: Sendable {
    @usableFromInline let base: Base

    // Inlined where it is called: generic code there would cost as much as the rest of a short call.
    @inlinable
    init(base: Base) {
        self.base = base
    }
}

/// An object with blocking calls behind ``sync``.
public protocol BlockingAPIProviding: Sendable {}

extension BlockingAPIProviding {
    /// The blocking calls of this object.
    @available(*, noasync, message: "await the same call without .sync")
    @inlinable public var sync: BlockingAPI<Self> { BlockingAPI(base: self) }
}
