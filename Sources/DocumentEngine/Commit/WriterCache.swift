// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What commits cache for later ones: collection IDs and entry builders.
///
/// A transaction takes the content, and puts it back after its commit. So nothing of an aborted transaction remains.
/// Only the leader of the commit queue uses the cache.
final class WriterCache: @unchecked Sendable {  // The leader has exclusive access.
    struct Content {
        var catalogVersion: UInt64
        var entryBuilders: [Text: IndexEntryBuilder] = [:]
        var collectionIDs: [CollectionPath: UInt64] = [:]
    }

    /// The maximum number of collections or collection groups. A greater content is dropped.
    private static let capacity = 10_000

    private var content: Content?

    /// Takes the content if it belongs to this version of the index definitions. The cache is empty afterwards.
    func take(catalogVersion: UInt64) -> Content {
        defer { content = nil }
        guard let content, content.catalogVersion == catalogVersion else {
            return Content(catalogVersion: catalogVersion)
        }
        return content
    }

    func put(_ content: Content) {
        guard max(content.entryBuilders.count, content.collectionIDs.count) < WriterCache.capacity else { return }
        self.content = content
    }
}
