// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The encodings of a document's name in keys.
struct DocumentKey {
    private let collection: CollectionPath
    let collectionID: UInt64
    /// The key in the documents store: the collection ID and the encoded document ID.
    let bytes: [UInt8]
    private let idStart: Int

    init(_ document: DocumentPath, collectionID: UInt64) {
        self.collection = document.collection
        self.collectionID = collectionID
        bytes = DocumentKey.bytes(of: document.id, in: collectionID)
        idStart = OrderedInteger.length(bytes[0])
    }

    /// The name of a document whose key was read from the documents store.
    ///
    /// - Parameter collectionID: the ID with which the key begins.
    init(stored key: RawSpan, in collection: CollectionPath, collectionID: UInt64) {
        self.collection = collection
        self.collectionID = collectionID
        bytes = [UInt8](copying: key)
        idStart = OrderedInteger.length(bytes[0])
    }

    /// The key in the documents store, for lookups.
    static func bytes(of id: Text, in collectionID: UInt64) -> [UInt8] {
        var encoder = KeyEncoder(capacity: 2 * id.utf8Count + 10)
        OrderedInteger.append(collectionID, to: &encoder)
        encoder.append(segment: id)
        return encoder.bytes
    }

    /// The key in the documents store, for one lookup.
    static func lookupKey(of id: Text, in collectionID: UInt64) -> LookupKey {
        guard let (start, count) = OrderedInteger.word(collectionID),
            let key = LookupKey(start: start, count, segment: id)
        else { return LookupKey(bytes(of: id, in: collectionID)) }
        return key
    }

    var group: Text { collection.group }

    /// The encoded document ID, the end of entries in collection scope.
    var id: RawSpan {
        @_lifetime(borrow self) borrowing get { bytes.span.bytes.extracting(idStart..<bytes.count) }
    }

    /// The encoded collection ID.
    var encodedCollectionID: RawSpan {
        @_lifetime(borrow self) borrowing get { bytes.span.bytes.extracting(0..<idStart) }
    }

    /// The encoded path, the end of entries in group scope.
    func encodedPath() -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(segmentsOf: collection.resource)
        encoder.append(copying: id)
        // The end mark of a path.
        encoder.append(path: .root)
        return encoder.bytes
    }
}

extension CollectionPath {
    /// The document with this key in the documents store.
    func document(key: RawSpan) throws(EngineError) -> DocumentPath {
        try document(encodedID: key.extracting(OrderedInteger.length(key.byte(at: 0))..<key.byteCount))
    }

    /// The document with an encoded ID.
    func document(encodedID: RawSpan) throws(EngineError) -> DocumentPath {
        var reader = KeyReader(encodedID)
        do throws(StoredFormatError) {
            return document(try reader.segment())
        } catch {
            throw EngineError(error)
        }
    }
}
