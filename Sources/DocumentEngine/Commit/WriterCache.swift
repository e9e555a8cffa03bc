// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What is cached from one commit to the next: collection IDs and entry builders.
///
/// A transaction takes it out, and it is put back once that has committed, so that nothing stays of one that did not. Only
/// whoever leads the commit queue uses it.
final class WriterCache: @unchecked Sendable {  // Leading is exclusive.
    struct Content {
        var catalogVersion: UInt64
        var entryBuilders: [Text: IndexEntryBuilder] = [:]
        var collectionIDs: [CollectionPath: UInt64] = [:]
    }

    /// Of collections and of collection groups; beyond it everything is forgotten.
    private static let capacity = 10_000

    private var content: Content?

    /// What is known under a version of the index definitions; the cache is empty afterwards.
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
