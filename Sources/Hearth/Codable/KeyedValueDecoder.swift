// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

/// Decodes the fields of a map by name. Scalars are read directly from the map's bytes. A nested decoder is created
/// only for types that decode themselves, and for values that must be converted or refused.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: ValueDecoder

    init(_ decoder: ValueDecoder) {
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { ((try? decoder.names()) ?? []).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { (try? decoder.position(of: key.stringValue)) != nil }

    // Each method finds the field first, then reads it at its position.

    @inline(__always)
    private func position(_ key: Key) throws -> Int {
        guard let position = try decoder.position(of: key.stringValue) else { throw missing(key) }
        return position
    }

    /// Nil if the field is missing or null.
    private func presentPosition(_ key: Key) throws -> Int? {
        guard let position = try decoder.position(of: key.stringValue), !decoder.map.isNull(at: position) else {
            return nil
        }
        return position
    }

    private func missing(_ key: Key) -> DecodingError {
        .keyNotFound(
            key, .init(codingPath: codingPath, debugDescription: "No value associated with key \(key.stringValue)."))
    }

    private func boolean(_ position: Int, _ key: Key) throws -> Bool {
        try decoder.map.boolean(at: position) ?? decoder.child(at: position, key).boolean()
    }

    private func string(_ position: Int, _ key: Key) throws -> String {
        try decoder.map.string(at: position) ?? decoder.child(at: position, key).string()
    }

    private func double(_ position: Int, _ key: Key) throws -> Double {
        try decoder.map.double(at: position) ?? decoder.child(at: position, key).double()
    }

    /// Not generic: generic code would cost as much as the read itself.
    private func integer(_ position: Int, _ key: Key) throws -> Int {
        if let integer = try decoder.map.integer(at: position), let result = Int(exactly: integer) { return result }
        return try decoder.child(at: position, key).integer(Int.self)
    }

    private func integer<T: FixedWidthInteger>(_ type: T.Type, _ key: Key) throws -> T {
        let position = try position(key)
        if let integer = try decoder.map.integer(at: position), let result = T(exactly: integer) { return result }
        return try decoder.child(at: position, key).integer(type)
    }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.map.isNull(at: try position(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try boolean(position(key), key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try string(position(key), key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try double(position(key), key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try double(position(key), key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(position(key), key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let position = try decoder.position(of: key.stringValue) { return try value(type, position, key) }
        return try documentID(type, key)
    }

    /// Not inlined, because it needs metadata that the other cases do not need.
    @inline(never)
    private func documentID<T>(_ type: T.Type, _ key: Key) throws -> T {
        guard let property = type as? any DocumentIDProperty.Type else { throw missing(key) }
        guard let reference = decoder.origin.reference else {
            throw FirestoreDecodingError.decodingIsNotSupported(
                "Could not find DocumentReference. DocumentID values can only be decoded with Firestore.Decoder from the data of a "
                    + "document: use data(as:), or give decode(_:from:in:) the reference.")
        }
        guard let result = try property.init(reference) as? T else { throw decoder.mismatch(type) }
        return result
    }

    /// Decodes the most common types that are not scalars without a nested decoder and without an optional of the
    /// generic type, whose metadata would have to be looked up.
    private func value<T: Decodable>(_ type: T.Type, _ position: Int, _ key: Key) throws -> T {
        if type == Timestamp.self {
            if let time = try decoder.map.timestamp(at: position) { return Timestamp(time) as! T }
        } else if type == [String].self {
            if let strings = try decoder.map.strings(at: position) { return strings as! T }
        } else if type == Date.self, case .timestamp = decoder.options?.dateDecodingStrategy ?? .timestamp {
            if let time = try decoder.map.timestamp(at: position) { return Timestamp(time).dateValue() as! T }
        } else if type is any DocumentIDProperty.Type {
            // As FirebaseFirestore, it ignores a field of that name (C-42).
            return try documentID(type, key)
        }
        return try decoder.child(at: position, key).decodeValue(type)
    }

    // The default implementations look the field up three times.

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try presentPosition(key).map { try boolean($0, key) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try presentPosition(key).map { try string($0, key) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try presentPosition(key).map { try double($0, key) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try presentPosition(key).map { try integer($0, key) }
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try presentPosition(key).map { try value(type, $0, key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder.child(at: position(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.child(at: position(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(PlaceKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) throws -> any Decoder {
        if let position = try decoder.position(of: key.stringValue) { return try decoder.child(at: position, key) }
        return try decoder.child(StoredValue(.null, database: decoder.value.database), key)
    }
}
