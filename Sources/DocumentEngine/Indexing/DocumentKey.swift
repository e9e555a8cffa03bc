// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The name of a document as its keys spell it.
struct DocumentKey {
    private let collection: CollectionPath
    /// The number of the collection.
    let number: UInt64
    /// The key in the documents store: the collection's number and the encoded ID.
    let bytes: [UInt8]
    private let idStart: Int

    init(_ document: DocumentPath, collection: UInt64) {
        self.collection = document.collection
        number = collection
        bytes = DocumentKey.bytes(of: document.id, in: collection)
        idStart = OrderedInteger.length(bytes[0])
    }

    /// The name of a document whose key is read from the documents store.
    ///
    /// - Parameter number: what the key begins with.
    init(stored key: RawSpan, in collection: CollectionPath, numbered number: UInt64) {
        self.collection = collection
        self.number = number
        bytes = [UInt8](copying: key)
        idStart = OrderedInteger.length(bytes[0])
    }

    /// The key alone, for reads.
    static func bytes(of id: Text, in collection: UInt64) -> [UInt8] {
        var encoder = KeyEncoder(capacity: id.utf8Count + 11)
        OrderedInteger.append(collection, to: &encoder)
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
