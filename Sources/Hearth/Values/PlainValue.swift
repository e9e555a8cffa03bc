// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

extension StoredValue {
    /// The value as `data()` gives it: numbers as `NSNumber`, null as `NSNull`, maps as dictionaries.
    func plain(in database: Database) throws -> Any {
        var items = items
        return try items.nextPlain(in: database, depth: 0)
    }

    /// The fields of a map as `data()` gives them.
    func plainFields(in database: Database) throws -> [String: Any] {
        var items = items
        guard case .map(let count) = try items.next() else { return [:] }
        return try items.plainFields(count, in: database, depth: 1)
    }
}

extension StoredItems {
    fileprivate mutating func nextPlain(in database: Database, depth: Int) throws(StoredFormatError) -> Any {
        switch try next() {
        case .null: return NSNull()
        case .boolean(let boolean): return boolean
        case .integer(let integer): return NSNumber(value: integer)
        case .double(let number): return NSNumber(value: number)
        case .timestamp(let timestamp): return Timestamp(timestamp)
        case .string(let string): return string
        case .bytes(let bytes): return Data(bytes)
        case .reference(let reference): return DocumentReference(reference, in: database)
        case .geoPoint(let point): return GeoPoint(point)
        case .array(let count): return try plainElements(count, in: database, depth: depth + 1)
        case .vector(let elements): return VectorValue(elements)
        case .map(let count): return try plainFields(count, in: database, depth: depth + 1)
        }
    }

    private mutating func plainElements(
        _ count: Int, in database: Database, depth: Int
    ) throws(StoredFormatError) -> [Any] {
        try StoredItems.check(depth)
        var plain: [Any] = []
        plain.reserveCapacity(count)
        for _ in 0..<count { plain.append(try nextPlain(in: database, depth: depth)) }
        return plain
    }

    /// The fields of the map whose head was read last.
    fileprivate mutating func plainFields(
        _ count: Int, in database: Database, depth: Int
    ) throws(StoredFormatError) -> [String: Any] {
        try StoredItems.check(depth)
        guard let hash = namesHash else { return try plainFieldsByName(count, in: database, depth: depth) }
        switch MapShapes.withOwn({ $0.find(hash) }) {
        case .known(let shape) where hasNames(shape.names):
            return try plainFields(of: shape, in: database, depth: depth)
        case .recurring:
            let names = names
            let plain = try plainFieldsByName(count, in: database, depth: depth)
            if let shape = names.flatMap({ MapShape($0, hash: hash) }) { MapShapes.withOwn { $0.keep(shape) } }
            return plain
        case .known, .new: return try plainFieldsByName(count, in: database, depth: depth)
        }
    }

    private mutating func plainFieldsByName(
        _ count: Int, in database: Database, depth: Int
    ) throws(StoredFormatError) -> [String: Any] {
        var plain = [String: Any](minimumCapacity: count)
        // Names that differ in their bytes may be one key in Swift. The later one wins.
        for _ in 0..<count {
            let name = try name()
            plain[name] = try nextPlain(in: database, depth: depth)
        }
        return plain
    }

    /// Made from the shape's dictionary, in its order, so that no name is hashed.
    private mutating func plainFields(
        of shape: MapShape, in database: Database, depth: Int
    ) throws(StoredFormatError) -> [String: Any] {
        let map = directory
        var end = offset
        var damage: StoredFormatError?
        let plain = shape.indexes.mapValues { index -> Any in
            guard damage == nil else { return NSNull() }
            do throws(StoredFormatError) {
                let next = try move(to: index, of: map, with: shape.names)
                let value = try nextPlain(in: database, depth: depth)
                guard offset == next ?? offset else {
                    throw StoredFormatError("the fields of a stored map do not follow each other")
                }
                end = max(end, offset)
                return value
            } catch {
                damage = error
                return NSNull()
            }
        }
        if let damage { throw damage }
        offset = end
        return plain
    }

    /// Damaged bytes could claim more containers inside one another than the stack holds.
    private static func check(_ depth: Int) throws(StoredFormatError) {
        guard depth <= 64 else { throw StoredFormatError("stored values nest too deeply") }
    }
}
