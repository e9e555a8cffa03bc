// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import SyncCore

/// What a database with a remote keeps of what it does not need at once.
struct SyncCache: Sendable {
    let policy: CollectionPolicy
    /// From how many bytes on the least recently used is forgotten; nil for never.
    let threshold: Int?

    /// Which part is forgotten in one pass.
    static let percentile = 10
    /// In milliseconds after the start, and from one to the next.
    static let firstCollection = 60_000
    static let collectionInterval = 300_000
}

extension SyncCache {
    init(_ settings: FirestoreSettings.Values) {
        switch settings.cacheSettings {
        case let persistent as PersistentCacheSettings:
            self.init(policy: .leastRecentlyUsed, threshold: persistent.threshold)
        case let memory as MemoryCacheSettings:
            let collector = memory.garbageCollectorSettings as? MemoryLRUGCSettings
            self.init(policy: collector == nil ? .eager : .leastRecentlyUsed, threshold: collector?.threshold)
        default: self.init(policy: .leastRecentlyUsed, threshold: SyncCache.usualThreshold)
        }
    }

    /// In bytes (C-3).
    static let usualThreshold = 100 << 20
    private static let leastThreshold = 1 << 20

    /// The threshold that a size of the settings means. -1 is no limit.
    static func threshold(_ sizeBytes: NSNumber) -> Int? {
        let size = sizeBytes.intValue
        return size == Int(FirestoreCacheSizeUnlimited) ? nil : max(size, leastThreshold)
    }
}

extension FirestoreSettings.Values {
    /// Where commits leave markers; see ``FirestoreSettings/exactlyOnceCollection``.
    func markers(of database: DatabaseID) throws(FirestoreError) -> CollectionPath? {
        guard let exactlyOnceCollection else { return nil }
        do throws(DocumentFormError) {
            let collection = try CollectionPath(parsing: exactlyOnceCollection)
            try collection.resource.validate(writing: true, database: database)
            return collection
        } catch {
            throw FirestoreError(.invalidArgument, "exactlyOnceCollection: \(error)")
        }
    }
}
