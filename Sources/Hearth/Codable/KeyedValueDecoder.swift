// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Reads the fields of a map by name. Scalars are read straight from the map's bytes; a decoder of its own is made only for
/// what decodes itself, and where a value has to be converted or refused.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let content: KeyedContent

    init(_ decoder: ValueDecoder) throws {
        content = KeyedContent(decoder, renamed: try KeyedValueDecoder.renamedFields(decoder))
    }

    private static func renamedFields(_ decoder: ValueDecoder) throws -> [String: StoredValue]? {
        let rename: (String) -> String
        switch decoder.context.options.keyDecodingStrategy {
        case .useDefaultKeys: return nil
        case .convertFromSnakeCase: rename = SnakeCase.camel
        case .custom(let function):
            rename = { function(decoder.codingPath + [PlaceKey(stringValue: $0)]).stringValue }
        }
        var renamed: [String: StoredValue] = [:]
        for name in try decoder.value.names() ?? [] where renamed[rename(name.string)] == nil {
            renamed[rename(name.string)] = try decoder.value.field(name.string)
        }
        return renamed
    }

    private var decoder: ValueDecoder { content.decoder }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
        let names =
            content.renamed.map { Array($0.keys) } ?? (try? content.map.names() ?? [])?.map(\.string) ?? []
        return names.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { (try? value(key)) != nil }

    private func value(_ key: any CodingKey) throws -> StoredValue? {
        if let renamed = content.renamed { return renamed[key.stringValue] }
        return try content.map.field(key.stringValue)
    }

    private func child(_ key: Key) throws -> ValueDecoder {
        guard let value = try value(key) else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "No value associated with key \(key.stringValue)."))
        }
        return decoder.child(value, key)
    }

    /// Nil where the field is missing or null.
    private func presentChild(_ key: Key) throws -> ValueDecoder? {
        guard let value = try value(key), !value.isNull else { return nil }
        return decoder.child(value, key)
    }

    private func int64(_ key: Key) throws -> Int64? {
        try content.read { try content.map.integer(named: key.stringValue, at: &$0) }
    }

    private func integer<T: FixedWidthInteger>(_ type: T.Type, _ key: Key) throws -> T {
        if let integer = try int64(key), let result = T(exactly: integer) { return result }
        return try child(key).integer(type)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try child(key).value.isNull }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if let boolean = try content.read({ try content.map.boolean(named: key.stringValue, at: &$0) }) {
            return boolean
        }
        return try child(key).boolean()
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if let string = try content.read({ try content.map.string(named: key.stringValue, at: &$0) }) { return string }
        return try child(key).string()
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        if let double = try content.read({ try content.map.double(named: key.stringValue, at: &$0) }) { return double }
        return try child(key).double()
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try decode(Double.self, forKey: key)) }

    /// Without generic code, which would cost as much as the reading.
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        if let integer = try int64(key), let result = Int(exactly: integer) { return result }
        return try child(key).integer(type)
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

    /// The commonest types that are no scalars are read without a decoder for them, and without an optional of the generic type,
    /// whose metadata would have to be looked up.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if type == Timestamp.self {
            let time = try content.read { try content.map.timestamp(named: key.stringValue, at: &$0) }
            if let time { return Timestamp(time) as! T }
        } else if type == [String].self {
            let strings = try content.read { try content.map.strings(named: key.stringValue, at: &$0) }
            if let strings { return strings as! T }
        }
        if let property = type as? any DocumentIDProperty.Type { return try documentID(type, property, key) }
        return try child(key).decodeValue(type)
    }

    // The usual form of these looks the field up three times.

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try presentChild(key)?.boolean() }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try presentChild(key)?.string() }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try presentChild(key)?.double() }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try presentChild(key)?.integer(type) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let child = try presentChild(key) else { return nil }
        return type is any DocumentIDProperty.Type ? try decode(type, forKey: key) : try child.decodeValue(type)
    }

    private func documentID<T>(_ type: T.Type, _ property: any DocumentIDProperty.Type, _ key: Key) throws -> T {
        let reference = decoder.context.reference()
        guard try value(key) == nil else {
            throw FirestoreDecodingError.fieldNameConflict(
                "Field name \"\(key.stringValue)\" was found from document \"\(reference?.path ?? "nil")\", cannot assign "
                    + "the document reference to this field.")
        }
        guard let result = try property.init(reference) as? T else { throw decoder.mismatch(type) }
        return result
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.child(try value(PlaceKey.superclass) ?? null, PlaceKey.superclass)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder.child(try value(key) ?? null, key) }

    private var null: StoredValue { StoredValue(.null, database: content.map.database) }
}

/// What a container holds, in one object, for containers are copied often.
private final class KeyedContent {
    let map: StoredValue
    let decoder: ValueDecoder
    /// Fields by the names that properties have; nil where these are the fields' own.
    let renamed: [String: StoredValue]?
    /// Where the field is thought to stand that is asked for next.
    private var place = 0

    init(_ decoder: ValueDecoder, renamed: [String: StoredValue]?) {
        map = decoder.value
        self.decoder = decoder
        self.renamed = renamed
    }

    /// A field by its own name; nil where it has another, for a property's is not the field's.
    func read<R>(_ field: (_ place: inout Int) throws -> R?) rethrows -> R? {
        guard renamed == nil else { return nil }
        // A copy, for each access to an object's own is checked for others at the same time.
        var place = place
        defer { self.place = place }
        return try field(&place)
    }
}
