// SPDX-License-Identifier: Apache-2.0

/// The blocking forms of an object's calls: the same names behind `sync`, throwing and waiting on the calling thread.
///
/// ```swift
/// let city = database.document("cities/SF")
/// try city.sync.setData(["population": 860_000])
/// let population = try city.sync.getDocument()["population"]
/// ```
///
/// For programs without `async`: scripts, command-line tools, tests. In asynchronous functions `sync` cannot be used, since
/// nothing may block a thread of Swift's pool on the disk: `await` the same call without `sync`. Nor may it be used on the
/// queue that callbacks arrive on to wait for another callback.
public struct Synchronous<Base: Sendable>: Sendable {
    let base: Base
}

/// What has blocking forms of its calls behind ``sync``.
public protocol SynchronousForms: Sendable {}

extension SynchronousForms {
    /// The blocking forms of this object's calls.
    @available(*, noasync, message: "await the same call without .sync")
    public var sync: Synchronous<Self> { Synchronous(base: self) }
}
