// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// One change in the history: which document a commit changed, and the version that it replaced.
///
/// An entry has two keys. One begins with the time of the commit and has the replaced version as its value. The other begins with
/// a hash of the document's key, so that the versions of one document are found.
struct HistoryEntry {
    /// The place of a change in the order of all: the time of its commit, and a number within the commit.
    struct Position: Hashable, Comparable {
        let time: UInt64
        let number: UInt32

        init(_ time: UInt64, _ number: UInt32 = 0) {
            self.time = time
            self.number = number
        }

        /// The first after all changes of a commit time.
        static func after(_ time: UInt64) -> Position { Position(time + 1) }

        static func < (lhs: Position, rhs: Position) -> Bool { (lhs.time, lhs.number) < (rhs.time, rhs.number) }

        fileprivate var bytes: [UInt8] {
            time.bigEndianBytes + (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
        }

        fileprivate init(_ bytes: RawSpan, at offset: Int) {
            time = UInt64(bigEndianAt: offset, in: bytes)
            number = (8..<12).reduce(0) { $0 << 8 | UInt32(bytes.byte(at: offset + $1)) }
        }
    }

    let position: Position
    let path: DocumentPath
    /// The collection's, with which the document's key begins.
    let collectionID: UInt64
    /// The document's key in the documents store.
    let documentKey: [UInt8]
    /// Where the replaced record is in the value; empty if the document did not exist.
    private let record: Range<Int>

    private static let versionKind: UInt8 = 0x01
    private static let changeKind: UInt8 = 0x02

    /// All keys by which the versions of documents are found.
    static let versionKeys = KeyRange(prefix: [versionKind])

    /// Bytes of both keys and the value.
    static func size(ofValue count: Int) -> Int { 13 + 21 + count }

    static func key(_ position: Position) -> [UInt8] { [changeKind] + position.bytes }

    /// The key under which a document's versions are found; its value is empty.
    static func versionKey(_ documentKey: [UInt8], _ position: Position) -> [UInt8] {
        [versionKind] + WyHash.hash(documentKey.span.bytes, seed: 0).bigEndianBytes + position.bytes
    }

    /// The position in a version key that belongs to the same hash as `wanted`; nil for another key.
    static func position(inVersionKey key: RawSpan, like wanted: [UInt8]) -> Position? {
        guard key.byteCount == wanted.count, startsWith(key, Array(wanted[..<9]).span.bytes) else { return nil }
        return Position(key, at: 9)
    }

    /// The value of a change: a checksum, the collection's number and the document's path, a mark whether it existed, and the
    /// replaced record.
    static func value(_ path: DocumentPath, _ key: DocumentKey, replaced: [UInt8]?, at position: Position) -> [UInt8] {
        var head = KeyEncoder()
        OrderedInteger.append(key.collectionID, to: &head)
        head.append(path: path.resource)
        head.append(byte: replaced == nil ? 0 : 1)
        let checksum = Checksum.of(head.bytes.span.bytes, key: HistoryEntry.key(position).span.bytes)
        return CheckedRecord.bytes(checksum) + head.bytes + (replaced ?? [])
    }

    /// Nil for a key of another kind.
    init?(key: RawSpan, value: RawSpan) throws(EngineError) {
        guard key.byteCount == 13, key.byte(at: 0) == HistoryEntry.changeKind else { return nil }
        position = Position(key, at: 1)
        guard value.byteCount > 8 else { throw .damaged("an entry of the history is too short") }
        var offset = 8
        collectionID = try OrderedInteger.read(value, &offset)
        var reader = KeyReader(value, at: offset)
        let resource: ResourcePath
        do { resource = try reader.path() } catch { throw EngineError(error) }
        let end = reader.offset + 1
        guard end <= value.byteCount, resource.count > 0, resource.count % 2 == 0,
            Checksum.of(value.extracting(8..<end), key: key) == UInt64(littleEndianAt: 0, in: value)
        else { throw .damaged("an entry of the history is not as it was written") }
        path = DocumentPath(resource)
        documentKey = DocumentKey.bytes(of: path.id, in: collectionID)
        record = value.byte(at: end - 1) == 0 ? end..<end : end..<value.byteCount
    }

    /// The replaced version; nil if the document did not exist.
    func version(in value: RawSpan, database: DatabaseID) throws(EngineError) -> DocumentRecord? {
        guard !record.isEmpty else { return nil }
        return try DocumentRecord(
            value.extracting(record), documentKey.span.bytes, idOffset: OrderedInteger.length(documentKey[0]),
            path.collection, database: database)
    }
}
