// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The numbers that the catalog store gives to collections and automatic indexes, read one by one and compared, for verifying
/// and repairing; everything else looks single ones up.
struct CatalogContents {
    /// In path order.
    private(set) var collections: [(path: CollectionPath, number: UInt64)] = []
    private(set) var pathOfNumber: [UInt64: CollectionPath] = [:]
    private(set) var fieldIndexes: [UInt64: FieldIndexKey] = [:]
    /// What is wrong, in words.
    private(set) var problems: [String] = []
    /// The keys of records that cannot be read or contradict others.
    private(set) var unusable: [[UInt8]] = []
    /// The greatest numbers in use.
    private(set) var greatest: [Counter.Kind: UInt64] = [:]

    private var numbers: [CollectionPath: UInt64] = [:]
    private var members: [CollectionPath: UInt64] = [:]

    init(_ transaction: inout Transaction) throws(EngineError) {
        var cursor = try KeyCursor(.catalog, &transaction)
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
        for (kind, number) in greatest where try Counter(kind).value(transaction) < number {
            problems.append("the counter of \(kind) has not reached a number that is in use, \(number)")
        }
    }

    private mutating func read(_ key: [UInt8], _ value: [UInt8]) throws(EngineError) {
        switch key.first {
        case CatalogKey.collections[0]:
            let path = try CollectionPath(encoded: Array(key.dropFirst().dropLast()))
            try require(CatalogKey.collection(path) == key)
            numbers[path] = try collection(key, value)
        case CatalogKey.groupMembersKind:
            let path = try CatalogKey.memberPath(key)
            try require(CatalogKey.groupMember(path) == key)
            members[path] = try collection(key, value)
        case CatalogKey.fieldIndexes[0]:
            let index = try FieldIndexKey(decoding: key)
            try require(CatalogKey.fieldIndex(index) == key)
            let number = try number(value, .fieldIndexes)
            guard fieldIndexes[number] == nil else {
                throw .damaged("number \(number) stands for two automatic indexes")
            }
            fieldIndexes[number] = index
        case CatalogKey.composites[0]:
            _ = try number(Array(key.dropFirst()), .composites)
        default: break
        }
    }

    private func require(_ isCanonical: Bool) throws(EngineError) {
        guard isCanonical else { throw .damaged("its key is none that Hearth writes") }
    }

    private mutating func number(_ bytes: [UInt8], _ kind: Counter.Kind) throws(EngineError) -> UInt64 {
        let number = try OrderedInteger.read(bytes.span.bytes)
        guard number > 0, OrderedInteger.bytes(number) == bytes else { throw .damaged("its number is none") }
        greatest[kind] = max(greatest[kind] ?? 0, number)
        return number
    }

    private mutating func collection(_ key: [UInt8], _ value: [UInt8]) throws(EngineError) -> UInt64 {
        let number = try CollectionRecord.number(value.span.bytes, key: key.span.bytes)
        guard number > 0 else { throw .damaged("its number is none") }
        greatest[.collections] = max(greatest[.collections] ?? 0, number)
        return number
    }

    /// Every collection is listed twice: by its path, and in its group.
    private mutating func compareListings() {
        for (path, number) in numbers where members[path] != number {
            problems.append("\(path) is missing among its collection group")
        }
        for (path, number) in members where numbers[path] != number {
            problems.append("\(path) is listed in its collection group only, or with another number")
        }
        for (path, number) in numbers.merging(members, uniquingKeysWith: { listed, _ in listed }) {
            if let other = pathOfNumber[number] {
                problems.append("the number \(number) stands for \(path) and \(other)")
            }
            pathOfNumber[number] = path
            collections.append((path, number))
        }
        collections.sort { CatalogKey.collection($0.path).lexicographicallyPrecedes(CatalogKey.collection($1.path)) }
    }
}

extension CatalogContents {
    /// The document under a key of the documents store, and its collection's number.
    func document(_ key: [UInt8]) throws(EngineError) -> (path: DocumentPath, collection: UInt64) {
        var offset = 0
        let number = try OrderedInteger.read(key.span.bytes, &offset)
        guard let collection = pathOfNumber[number] else {
            throw .damaged("a document lies in collection number \(number), which is unknown")
        }
        let path = try collection.document(encodedID: key.span.bytes.extracting(offset..<key.count))
        guard DocumentKey(path, collection: number).bytes == key else {
            throw .damaged("a document's key is none that Hearth writes")
        }
        return (path, number)
    }
}
