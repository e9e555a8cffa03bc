// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Whether data persists after the database is closed: ``PersistentCacheSettings`` or ``MemoryCacheSettings``.
public protocol LocalCacheSettings: Sendable {}

/// The database is a file. Without a remote its size is unlimited, because nothing is evicted.
public struct PersistentCacheSettings: LocalCacheSettings, Hashable {
    /// From how many bytes on documents that were not used for long are forgotten; nil for never.
    let threshold: Int?

    /// Creates the default settings: 100 MiB for a database with a remote.
    public init() {
        threshold = SyncCache.usualThreshold
    }

    /// Creates settings with a size for a database with a remote.
    ///
    /// - Parameter sizeBytes: how large the file may become before documents that were not used for long are forgotten
    ///   (C-38). The server's documents stay, and so do queued writes. At least 1 MiB; -1 is no limit. Without a remote it
    ///   has no effect.
    public init(sizeBytes: NSNumber) {
        threshold = SyncCache.threshold(sizeBytes)
    }
}

/// The database is temporary. It starts empty, and is deleted when it is closed or when the process ends for whatever
/// reason.
public struct MemoryCacheSettings: LocalCacheSettings {
    let garbageCollectorSettings: any MemoryGarbageCollectorSettings

    /// Creates settings for a temporary database, with ``MemoryEagerGCSetting``.
    public init() {
        garbageCollectorSettings = MemoryEagerGCSetting()
    }

    /// Creates settings for a temporary database.
    ///
    /// - Parameter garbageCollectorSettings: when documents of a remote database are forgotten. Without a remote it has no
    ///   effect, because nothing is collected.
    public init(garbageCollectorSettings: any MemoryGarbageCollectorSettings) {
        self.garbageCollectorSettings = garbageCollectorSettings
    }
}

extension MemoryCacheSettings: Hashable {
    private var collector: AnyHashable? { garbageCollectorSettings as? AnyHashable }

    /// Whether both forget documents at the same time.
    public static func == (lhs: MemoryCacheSettings, rhs: MemoryCacheSettings) -> Bool {
        lhs.collector == rhs.collector
    }

    /// Hashes when documents are forgotten.
    public func hash(into hasher: inout Hasher) { hasher.combine(collector) }
}

/// When a temporary database with a remote forgets documents: ``MemoryEagerGCSetting`` or ``MemoryLRUGCSettings``.
public protocol MemoryGarbageCollectorSettings: Sendable {}

/// A document is forgotten as soon as no listener and no queued write needs it.
public struct MemoryEagerGCSetting: MemoryGarbageCollectorSettings, Hashable {
    /// Creates the default settings.
    public init() {}
}

/// Documents that were not used for long are forgotten when the database has grown too large.
public struct MemoryLRUGCSettings: MemoryGarbageCollectorSettings, Hashable {
    let threshold: Int?

    /// Creates the default settings: 100 MiB.
    public init() {
        threshold = SyncCache.usualThreshold
    }

    /// Creates settings with a size.
    ///
    /// - Parameter sizeBytes: as for ``PersistentCacheSettings/init(sizeBytes:)``.
    public init(sizeBytes: NSNumber) {
        threshold = SyncCache.threshold(sizeBytes)
    }
}
