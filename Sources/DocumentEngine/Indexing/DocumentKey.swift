// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The name of a document as its keys spell it.
struct DocumentKey {
    private let collection: CollectionPath
    /// The ID of the collection.
    let collectionID: UInt64
    /// The key in the documents store: the collection's ID and the encoded document ID.
    let bytes: [UInt8]
    private let idStart: Int

    init(_ document: DocumentPath, collectionID: UInt64) {
        self.collection = document.collection
        self.collectionID = collectionID
        bytes = DocumentKey.bytes(of: document.id, in: collectionID)
        idStart = OrderedInteger.length(bytes[0])
    }

    /// The name of a document whose key is read from the documents store.
    ///
    /// - Parameter collectionID: what the key begins with.
    init(stored key: RawSpan, in collection: CollectionPath, collectionID: UInt64) {
        self.collection = collection
        self.collectionID = collectionID
        bytes = [UInt8](copying: key)
        idStart = OrderedInteger.length(bytes[0])
    }

    /// The key alone, for reads.
    static func bytes(of id: Text, in collectionID: UInt64) -> [UInt8] {
        var encoder = KeyEncoder(capacity: id.utf8Count + 11)
        OrderedInteger.append(collectionID, to: &encoder)
        encoder.append(segment: id)
        return encoder.bytes
    }

    var group: Text { collection.group }

    /// The encoded document ID, with which entries of one collection end.
    var id: RawSpan {
        @_lifetime(borrow self) borrowing get { bytes.span.bytes.extracting(idStart..<bytes.count) }
    }

    /// The encoded path, with which entries of a collection group end.
    func encodedPath() -> [UInt8] {
        var encoder = KeyEncoder()
        for segment in collection.resource.segments { encoder.append(segment: segment) }
        encoder.append(copying: id)
        // The end of a path.
        encoder.append(path: .root)
        return encoder.bytes
    }
}
