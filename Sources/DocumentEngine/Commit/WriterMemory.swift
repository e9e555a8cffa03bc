// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What is worth remembering from one commit to the next: numbers and the indexes of fields.
///
/// A transaction takes it out, and it is put back once that has committed, so that nothing stays of one that did not. Only
/// whoever leads the commit queue uses it.
final class WriterMemory: @unchecked Sendable {  // Leading is exclusive.
    struct Content {
        var catalogVersion: UInt64
        var indexers: [Text: GroupIndexer] = [:]
        var collections: [CollectionPath: UInt64] = [:]
    }

    /// Of collections and of collection groups; beyond it everything is forgotten.
    private static let capacity = 10_000

    private var content: Content?

    /// What is known under a version of the index definitions; the memory is empty afterwards.
    func take(catalogVersion: UInt64) -> Content {
        defer { content = nil }
        guard let content, content.catalogVersion == catalogVersion else {
            return Content(catalogVersion: catalogVersion)
        }
        return content
    }

    func put(_ content: Content) {
        guard max(content.indexers.count, content.collections.count) < WriterMemory.capacity else { return }
        self.content = content
    }
}
