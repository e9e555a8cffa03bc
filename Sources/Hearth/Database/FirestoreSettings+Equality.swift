// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// A closure with an identity, so that copies of settings are equal.
final class LogHandler: Sendable {
    let handle: @Sendable (FirestoreSettings.LogLevel, String) -> Void

    init(handle: @escaping @Sendable (FirestoreSettings.LogLevel, String) -> Void) {
        self.handle = handle
    }
}

extension FirestoreSettings.Values: Hashable {
    /// On Linux, each `DispatchQueue.main` is an object of its own.
    private var queue: AnyHashable {
        let main = DispatchQueue.main.label
        return dispatchQueue.label == main ? main : ObjectIdentifier(dispatchQueue)
    }

    private var parts: [AnyHashable?] {
        [
            queue, cacheSettings as? AnyHashable, durability, fileAccess, queryLog,
            exactlyOnceCollection, timeToLiveSweepInterval, log.map { ObjectIdentifier($0) }, remote, host,
            isSSLEnabled,
            mapSize, placesWritesTogether,
        ]
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.parts == rhs.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

extension FirestoreSettings: Hashable {
    /// Whether both have the same values. Of closures and remotes, only copies of one are the same.
    public static func == (lhs: FirestoreSettings, rhs: FirestoreSettings) -> Bool { lhs.values == rhs.values }

    /// Hashes the values. Do not change settings that are in a set, or the keys of a dictionary.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
