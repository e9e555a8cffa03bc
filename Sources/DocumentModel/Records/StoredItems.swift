// SPDX-License-Identifier: Apache-2.0

/// A scalar, or the head of a container, whose content follows.
package enum StoredItem: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case timestamp(Timestamp)
    case string(String)
    case bytes([UInt8])
    case reference(Reference)
    case geoPoint(GeoPoint)
    /// That many values follow.
    case array(count: Int)
    case vector([Double])
    /// That many fields follow, each a name and a value.
    case map(count: Int)
}

/// Reads a stored value from front to back, so that the caller builds what it needs without a tree of ``Value``s.
package struct StoredItems {
    let bytes: StoredBytes
    /// Of what is read next.
    package var offset: Int
    private let end: Int
    /// The fields of a document have no tag.
    private var isAtRoot: Bool
    /// Of the map whose head was read last.
    package private(set) var directory = StoredDirectory.empty

    init(_ bytes: StoredBytes, at offset: Int, end: Int, isRoot: Bool) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
        isAtRoot = isRoot
    }

    /// Reads a scalar or the head of a container. The caller knows from earlier heads how many values are left.
    package mutating func next() throws(StoredFormatError) -> StoredItem {
        defer { withExtendedLifetime(bytes) {} }
        var reader = unsafe bytes.reader(from: offset, to: end)
        let item = isAtRoot ? unsafe try reader.map(&directory) : unsafe try reader.item(&directory)
        isAtRoot = false
        offset = unsafe reader.offset
        return item
    }

    /// Reads the name of a map's next field, whose value follows.
    package mutating func name() throws(StoredFormatError) -> String {
        defer { withExtendedLifetime(bytes) {} }
        var reader = unsafe bytes.reader(from: offset, to: end)
        let name = unsafe try reader.text().string
        offset = unsafe reader.offset
        return name
    }
}

extension StoredReader {
    fileprivate mutating func map(_ directory: inout StoredDirectory) throws(StoredFormatError) -> StoredItem {
        directory = unsafe try StoredDirectory(&self)
        return .map(count: directory.count)
    }

    fileprivate mutating func item(_ directory: inout StoredDirectory) throws(StoredFormatError) -> StoredItem {
        let tag = unsafe try byte()
        switch tag {
        case StoredTag.integer: return .integer(unsafe try integer())
        case StoredTag.double: return .double(Double(bitPattern: unsafe try fixed()))
        case StoredTag.timestamp: return .timestamp(unsafe try timestamp())
        case StoredTag.string: return .string(unsafe try text().string)
        case StoredTag.array:
            _ = unsafe try length()
            return .array(count: unsafe try length())
        case StoredTag.map:
            _ = unsafe try length()
            return unsafe try map(&directory)
        default:
            unsafe offset -= 1
            return unsafe try rareItem()
        }
    }

    private mutating func rareItem() throws(StoredFormatError) -> StoredItem {
        switch unsafe try value() {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .bytes(let bytes): .bytes(bytes)
        case .reference(let reference): .reference(reference)
        case .geoPoint(let point): .geoPoint(point)
        case .vector(let elements): .vector(elements)
        case .integer, .double, .timestamp, .string, .array, .map:
            throw StoredFormatError("a stored value has an unknown type")
        }
    }
}
