// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let fields: Fields
    private let decoder: ValueDecoder
    /// Fields by the names that properties have; nil where these are the fields' own.
    private let renamed: [String: Value]?

    init(_ fields: Fields, _ decoder: ValueDecoder) {
        self.fields = fields
        self.decoder = decoder
        let rename: (String) -> String
        switch decoder.context.options.keyDecodingStrategy {
        case .useDefaultKeys:
            renamed = nil
            return
        case .convertFromSnakeCase: rename = SnakeCase.camel
        case .custom(let function):
            rename = { function(decoder.codingPath + [PlaceKey(stringValue: $0)]).stringValue }
        }
        renamed = Dictionary(
            fields.map { (rename($0.name.string), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
        (renamed.map { Array($0.keys) } ?? fields.map(\.name.string)).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    private func value(_ key: any CodingKey) -> Value? {
        if let renamed { return renamed[key.stringValue] }
        return fields[Text(key.stringValue)]
    }

    private func child(_ key: Key) throws -> ValueDecoder {
        guard let value = value(key) else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "No value associated with key \(key.stringValue)."))
        }
        return decoder.child(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try child(key).value.isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try child(key).boolean() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try child(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try child(key).double() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try child(key).double()) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try child(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try child(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try child(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try child(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try child(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try child(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try child(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try child(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try child(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try child(key).integer(type) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let property = type as? any DocumentIDProperty.Type else { return try child(key).decodeValue(type) }
        let reference = decoder.context.reference
        guard value(key) == nil else {
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
        decoder.child(value(PlaceKey.superclass) ?? .null, PlaceKey.superclass)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder.child(value(key) ?? .null, key) }
}
