// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The name of a document as its keys spell it.
struct DocumentKey {
    private let collection: CollectionPath
    /// The number of the collection, as it stands in keys.
    let collectionBytes: [UInt8]
    /// The key in the documents store: the collection's number and the encoded ID.
    let bytes: [UInt8]

    init(_ document: DocumentPath, collection: UInt64) {
        self.collection = document.collection
        collectionBytes = OrderedInteger.bytes(collection)
        var encoder = KeyEncoder(capacity: collectionBytes.count + document.id.utf8Count + 2)
        encoder.append(encoded: collectionBytes)
        encoder.append(segment: document.id)
        bytes = encoder.bytes
    }

    /// The name of a document whose key is read from the documents store.
    ///
    /// - Parameter collectionBytes: what the key begins with.
    init(stored key: RawSpan, in collection: CollectionPath, numbered collectionBytes: [UInt8]) {
        self.collection = collection
        self.collectionBytes = collectionBytes
        bytes = [UInt8](copying: key)
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

    var group: Text { collection.group }

    /// The encoded document ID, with which entries of one collection end.
    var id: ArraySlice<UInt8> { bytes[collectionBytes.count...] }

    /// The encoded path, with which entries of a collection group end.
    func encodedPath() -> [UInt8] {
        var encoder = KeyEncoder()
        for segment in collection.resource.segments { encoder.append(segment: segment) }
        encoder.append(encoded: id)
        // The end of a path.
        encoder.append(path: .root)
        return encoder.bytes
    }
}
