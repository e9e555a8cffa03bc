// SPDX-License-Identifier: Apache-2.0

/// FirebaseFirestore's switches for the indexes of its cache.
///
/// They have no effect here. A database always maintains production's automatic indexes, and its composite indexes are
/// those of ``Database/setIndexConfiguration(_:)``, because they determine which queries are answered. In
/// FirebaseFirestore these switches affect speed only.
public final class PersistentCacheIndexManager: Sendable {
    init() {}

    /// Has no effect: single-field indexes are always maintained.
    public func enableIndexAutoCreation() {}

    /// Has no effect: single-field indexes are always maintained. To exempt a field, give
    /// ``Database/setIndexConfiguration(_:)`` a field override.
    public func disableIndexAutoCreation() {}

    /// Has no effect. To drop composite indexes, give ``Database/setIndexConfiguration(_:)`` a configuration without
    /// them.
    public func deleteAllIndexes() {}
}

extension Database {
    /// The index manager, for ported code; nil with ``MemoryCacheSettings``.
    public var persistentCacheIndexManager: PersistentCacheIndexManager? {
        settings.isPersistenceEnabled ? state.indexManager : nil
    }
}
