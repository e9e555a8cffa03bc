// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The name of a document as its keys spell it.
struct DocumentKey {
    let collection: UInt64
    /// The number of the collection, as it stands in keys.
    let collectionBytes: [UInt8]
    /// The encoded document ID, with which entries of one collection end.
    let id: [UInt8]
    /// The encoded path, with which entries of a collection group end.
    let path: [UInt8]

    init(_ document: DocumentPath, collection: UInt64) {
        self.collection = collection
        collectionBytes = OrderedInteger.bytes(collection)
        var encoder = KeyEncoder()
        encoder.append(segment: document.id)
        id = encoder.bytes
        encoder.removeAll()
        encoder.append(path: document.resource)
        path = encoder.bytes
    }

    /// The key in the documents store.
    var bytes: [UInt8] { collectionBytes + id }
}
