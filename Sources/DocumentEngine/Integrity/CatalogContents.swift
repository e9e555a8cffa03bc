// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// All collections and automatic indexes in the catalog store, with their IDs, compared with each other. For
/// verification and repair.
struct CatalogContents {
    /// In path order.
    private(set) var collections: [(path: CollectionPath, id: UInt64)] = []
    private(set) var pathOfID: [UInt64: CollectionPath] = [:]
    private(set) var fieldIndexes: [UInt64: FieldIndexKey] = [:]
    /// Descriptions of problems.
    private(set) var problems: [String] = []
    /// The keys of records that cannot be read or that contradict others.
    private(set) var unusable: [[UInt8]] = []
    /// The greatest IDs in use.
    private(set) var greatest: [Counter.Kind: UInt64] = [:]

    private var collectionIDs: [CollectionPath: UInt64] = [:]
    private var members: [CollectionPath: UInt64] = [:]

    init(_ transaction: inout Transaction) throws(EngineError) {
        var cursor = try LongKeyCursor(.catalog, &transaction)
        var isFound = try cursor.seek([UInt8]().span.bytes, &transaction)
        while isFound {
            let key = [UInt8](copying: cursor.key(transaction))
            do throws(EngineError) {
                try read(key, [UInt8](copying: cursor.value(transaction)))
            } catch {
                problems.append("a record of the catalog cannot be used: \(error.finding)")
                unusable.append(key)
            }
            isFound = try cursor.next(&transaction)
        }
        cursor.close(&transaction)
        compareListings()
        greatest[.chains] = try CatalogContents.lastChain(&transaction)
        // One that cannot be read is among the unusable records.
        for (kind, id) in greatest where try Counter(kind).readable(transaction).map({ $0 < id }) ?? false {
            problems.append("the counter of \(kind) is lower than \(id), a number in use")
        }
    }

    /// The number of the last overflow chain; nil if there is none.
    static func lastChain(_ transaction: inout Transaction) throws(EngineError) -> UInt64? {
        let cursor = try transaction.open(transaction.stores.overflow)
        defer { transaction.close(cursor) }
        guard try transaction.last(cursor) else { return nil }
        var offset = 0
        return try? OrderedInteger.read(transaction.key(cursor), &offset)
    }

    private mutating func read(_ key: [UInt8], _ value: [UInt8]) throws(EngineError) {
        switch key.first {
        case CatalogKey.collections[0]:
            let path = try CollectionPath(encoded: Array(key.dropFirst().dropLast()))
            try require(CatalogKey.collection(path) == key)
            collectionIDs[path] = try collectionID(key, value)
        case CatalogKey.groupMembers[0]:
            let path = try CatalogKey.memberPath(key)
            try require(CatalogKey.groupMember(path) == key)
            members[path] = try collectionID(key, value)
        case CatalogKey.fieldIndexes[0]:
            let index = try FieldIndexKey(decoding: key)
            try require(CatalogKey.fieldIndex(index) == key)
            let id = try id(value, .fieldIndexes)
            guard fieldIndexes[id] == nil else {
                throw .damaged("two automatic indexes have the number \(id)")
            }
            fieldIndexes[id] = index
        case CatalogKey.composites[0]:
            _ = try id(Array(key.dropFirst()), .composites)
        case Counter.keyTag:
            try require(CatalogKey.isCanonical(key))
            let number = try OrderedInteger.read(value.span.bytes)
            guard OrderedInteger.bytes(number) == value else { throw .damaged("a counter is not valid") }
        default: try require(CatalogKey.isCanonical(key))
        }
    }

    private func require(_ isCanonical: Bool) throws(EngineError) {
        guard isCanonical else { throw .damaged("Hearth never writes such a key") }
    }

    private mutating func id(_ bytes: [UInt8], _ kind: Counter.Kind) throws(EngineError) -> UInt64 {
        let id = try OrderedInteger.read(bytes.span.bytes)
        guard id > 0, OrderedInteger.bytes(id) == bytes else { throw .damaged("its number is not valid") }
        greatest[kind] = max(greatest[kind] ?? 0, id)
        return id
    }

    private mutating func collectionID(_ key: [UInt8], _ value: [UInt8]) throws(EngineError) -> UInt64 {
        let id = try CollectionRecord.collectionID(in: value.span.bytes, key: key.span.bytes)
        guard id > 0 else { throw .damaged("its number is not valid") }
        greatest[.collections] = max(greatest[.collections] ?? 0, id)
        return id
    }

    /// The catalog lists every collection twice: by its path, and in its group.
    private mutating func compareListings() {
        for (path, id) in collectionIDs where members[path] != id {
            problems.append("\(path) is missing among its collection group")
        }
        for (path, id) in members where collectionIDs[path] != id {
            problems.append("\(path) is listed in its collection group only, or with another number")
        }
        for (path, id) in collectionIDs.merging(members, uniquingKeysWith: { listed, _ in listed }) {
            if let other = pathOfID[id] {
                problems.append("\(path) and \(other) both have the number \(id)")
            }
            pathOfID[id] = path
            collections.append((path, id))
        }
        collections.sort { CatalogKey.collection($0.path).lexicographicallyPrecedes(CatalogKey.collection($1.path)) }
    }
}

extension CatalogContents {
    /// The document with a key in the documents store, and its collection's ID.
    func document(_ key: [UInt8]) throws(EngineError) -> (path: DocumentPath, collectionID: UInt64) {
        let id = try OrderedInteger.read(key.span.bytes)
        guard let collection = pathOfID[id] else {
            throw .damaged("a document is in collection number \(id), which is unknown")
        }
        let path = try collection.document(key: key.span.bytes)
        guard DocumentKey(path, collectionID: id).bytes == key else {
            throw .damaged("a document has a key that Hearth never writes")
        }
        return (path, id)
    }
}
