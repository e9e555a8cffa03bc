// SPDX-License-Identifier: Apache-2.0

/// Switches of FirebaseFirestore for indexes of its cache (C-39).
///
/// They change nothing here. A database always keeps the automatic indexes that production keeps, and composite indexes are
/// those of ``Database/setIndexConfiguration(_:)``, because which queries are answered depends on them; in FirebaseFirestore
/// these switches decide about speed only.
public final class PersistentCacheIndexManager: Sendable {
    init() {}

    /// Without effect: indexes of single fields are always kept.
    public func enableIndexAutoCreation() {}

    /// Without effect: indexes of single fields are always kept. To leave some out, give an override in
    /// ``Database/setIndexConfiguration(_:)``.
    public func disableIndexAutoCreation() {}

    /// Without effect. To drop composite indexes, give ``Database/setIndexConfiguration(_:)`` a configuration without them.
    public func deleteAllIndexes() {}
}

extension Database {
    /// Switches for indexes, for ported code; nil with ``MemoryCacheSettings``.
    public var persistentCacheIndexManager: PersistentCacheIndexManager? {
        settings.isPersistenceEnabled ? PersistentCacheIndexManager() : nil
    }
}
