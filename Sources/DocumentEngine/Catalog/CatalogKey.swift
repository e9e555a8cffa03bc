// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// The keys of the catalog store. The first byte is the kind of record. No key is a prefix of another.
enum CatalogKey {
    /// 0x01 belongs to ``Counter``.
    private enum Kind {
        static let header: UInt8 = 0x00
        static let collection: UInt8 = 0x02
        static let groupMember: UInt8 = 0x03
        static let fieldIndex: UInt8 = 0x04
        static let composite: UInt8 = 0x05
        static let fieldOverrides: UInt8 = 0x06
        static let unfinishedLoad: UInt8 = 0x10
        static let formerOverrides: UInt8 = 0x11
        static let droppedComposite: UInt8 = 0x12
        static let buildPhase: UInt8 = 0x13
        static let buildLog: UInt8 = 0x14
    }

    static let header: [UInt8] = [Kind.header]
    static let fieldOverrides: [UInt8] = [Kind.fieldOverrides]

    /// The key of a collection's ID, by path.
    static func collection(_ path: CollectionPath) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(segmentsOf: path.resource)
        return collection(encoded: encoder.bytes.span.bytes)
    }

    /// As ``collection(_:)``, for an encoded path without its end mark.
    static func collection(encoded path: RawSpan) -> [UInt8] {
        var encoder = KeyEncoder(capacity: path.byteCount + 2)
        encoder.append(byte: Kind.collection)
        encoder.append(copying: path)
        // The end mark of a path.
        encoder.append(path: .root)
        return encoder.bytes
    }

    /// The prefix of all ``collection(_:)`` keys. The encoded path follows.
    static let collections: [UInt8] = [Kind.collection]

    /// The key of a collection's ID, by collection group and then by path.
    static func groupMember(_ path: CollectionPath) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(encoded: groupMembers(path.group))
        encoder.append(path: path.resource)
        return encoder.bytes
    }

    static func groupMembers(_ group: Text) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(encoded: [Kind.groupMember])
        encoder.append(segment: group)
        return encoder.bytes
    }

    /// The prefix of all ``groupMember(_:)`` keys. The group and the encoded path follow.
    static let groupMembers: [UInt8] = [Kind.groupMember]

    /// The path in a ``groupMember(_:)`` key.
    static func memberPath(_ key: [UInt8]) throws(EngineError) -> CollectionPath {
        var reader = KeyReader(key.span.bytes, at: 1)
        do { _ = try reader.segment() } catch { throw EngineError(error) }
        return try CollectionPath(encoded: Array(key[reader.offset...].dropLast()))
    }

    /// The key of an automatic index's ID.
    static func fieldIndex(_ index: FieldIndexKey) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(encoded: [Kind.fieldIndex])
        encoder.append(segment: index.collectionGroup)
        encoder.append(encoded: [index.scope == .collection ? 0 : 1, index.isContains ? 1 : 0])
        for name in index.path.segments { encoder.append(.string(name)) }
        encoder.append(encoded: [0])
        return encoder.bytes
    }

    static let fieldIndexes: [UInt8] = [Kind.fieldIndex]

    static func composite(_ indexID: UInt64) -> [UInt8] { composites + OrderedInteger.bytes(indexID) }

    static let composites: [UInt8] = [Kind.composite]

    /// The key, with the first ID, of a block of collection IDs that a load has reserved and not yet published.
    static func unfinishedLoad(_ first: UInt64) -> [UInt8] { unfinishedLoads + OrderedInteger.bytes(first) }

    static let unfinishedLoads: [UInt8] = [Kind.unfinishedLoad]

    /// The field overrides that are being replaced.
    static let formerOverrides: [UInt8] = [Kind.formerOverrides]

    /// The key of a dropped composite index whose entries have not been removed yet.
    static func droppedComposite(_ indexID: UInt64) -> [UInt8] { droppedComposites + OrderedInteger.bytes(indexID) }

    static let droppedComposites: [UInt8] = [Kind.droppedComposite]

    /// Whether a key of another kind than a collection's or an index's is one that Hearth writes.
    static func isCanonical(_ key: [UInt8]) -> Bool {
        switch key.first {
        case Kind.header, Kind.fieldOverrides, Kind.formerOverrides, Kind.buildPhase: key.count == 1
        case Counter.keyTag: key.count == 2
        case Kind.unfinishedLoad, Kind.droppedComposite: true
        case Kind.buildLog: key.count > 2 && key[1] <= 1
        default: false
        }
    }

    /// All records but the IDs of collections and automatic indexes, and the build log.
    static let keptByClear = [
        KeyRange(lower: header, upper: collections), KeyRange(lower: composites, upper: [Kind.buildLog]),
        KeyRange(lower: [Kind.buildLog + 1], upper: [0xFF]),
    ]

    /// The kinds of records that are ``CheckedRecord``s since format 5.
    static let checkedSinceFormat5 = [composites, fieldOverrides, unfinishedLoads, formerOverrides, droppedComposites]

    /// Present while the build log is being replayed.
    static let buildPhase: [UInt8] = [Kind.buildPhase]

    /// All records of an unfinished index change.
    static let changeUnderWay = KeyRange(lower: formerOverrides, upper: [Kind.buildLog + 1])

    /// The prefix of the build log's keys. The entry's key follows.
    static func buildLog(ofComposites isComposite: Bool) -> [UInt8] { [Kind.buildLog, isComposite ? 1 : 0] }
}

/// An automatic index as it is stored: either one for both directions of a field in a scope, or one for its array
/// elements.
struct FieldIndexKey: Hashable, Sendable {
    let collectionGroup: Text
    let path: FieldPath
    let scope: QueryScope
    let isContains: Bool
}

extension FieldIndexKey {
    /// Decodes a key that ``CatalogKey/fieldIndex(_:)`` made.
    init(decoding key: [UInt8]) throws(EngineError) {
        var reader = KeyReader(key.span.bytes, at: CatalogKey.fieldIndexes.count)
        do throws(StoredFormatError) {
            let group = try reader.segment()
            guard reader.offset + 2 < key.count else { throw StoredFormatError("an index number's key ends too early") }
            let flags = key[reader.offset..<reader.offset + 2]
            var names: [Text] = []
            var values = KeyReader(key.span.bytes, at: reader.offset + 2)
            while values.offset < key.count - 1 {
                guard case .string(let name) = try values.value() else {
                    throw StoredFormatError("a field name in an index number's key is not text")
                }
                names.append(name)
            }
            guard !names.isEmpty else { throw StoredFormatError("an index number's key names no field") }
            self.init(
                collectionGroup: group, path: FieldPath(names),
                scope: flags.first == 0 ? .collection : .collectionGroup,
                isContains: flags.last == 1)
        } catch {
            throw EngineError(error)
        }
    }
}

extension CollectionPath {
    /// The collection at an encoded path without its end mark.
    init(encoded: [UInt8]) throws(EngineError) {
        let bytes = encoded + [0]
        var reader = KeyReader(bytes.span.bytes)
        let path: ResourcePath
        do { path = try reader.path() } catch { throw EngineError(error) }
        guard path.count % 2 == 1 else { throw .damaged("the catalog lists a path that is not a collection's") }
        self.init(path)
    }
}
