// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The name of a document as its keys spell it.
struct DocumentKey {
    private let document: DocumentPath
    /// The number of the collection, as it stands in keys.
    let collectionBytes: [UInt8]
    /// The key in the documents store: the collection's number and the encoded ID.
    let bytes: [UInt8]

    init(_ document: DocumentPath, collection: UInt64) {
        self.document = document
        collectionBytes = OrderedInteger.bytes(collection)
        var encoder = KeyEncoder(capacity: collectionBytes.count + document.id.utf8Count + 2)
        encoder.append(encoded: collectionBytes)
        encoder.append(segment: document.id)
        bytes = encoder.bytes
    }

    /// The key alone, for reads.
    static func bytes(of id: Text, in collection: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(id.utf8Count + 11)
        OrderedInteger.append(collection, to: &bytes)
        var encoder = KeyEncoder(after: bytes)
        encoder.append(segment: id)
        return encoder.bytes
    }

    var group: Text { document.collection.group }

    /// The encoded document ID, with which entries of one collection end.
    var id: ArraySlice<UInt8> { bytes[collectionBytes.count...] }

    /// The encoded path, with which entries of a collection group end.
    func encodedPath() -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(path: document.resource)
        return encoder.bytes
    }
}
