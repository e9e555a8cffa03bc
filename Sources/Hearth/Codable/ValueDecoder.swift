// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

/// Decodes values directly from their stored bytes, without a dictionary or a tree of values.
///
/// A class, because the standard library copies a keyed container, which holds the decoder, for each property.
final class ValueDecoder: Decoder {
    /// The value to decode, with its fields if it is a map.
    let map: StoredMap
    let origin: DecodingOrigin
    /// Nil for the default strategies.
    let options: Database.Decoder?
    /// The coding path, as a linked list from the inside out: an array of keys is created only on demand.
    private let parent: ValueDecoder?
    private let key: (any CodingKey)?
    /// Where the next requested field is expected.
    private var place = 0
    /// The positions of fields by property names; nil if those are the field names.
    private var renamed: [String: Int]?

    private init(
        _ value: StoredValue, _ origin: DecodingOrigin, _ options: Database.Decoder?, _ parent: ValueDecoder?,
        _ key: (any CodingKey)?
    ) throws(StoredFormatError) {
        map = try StoredMap(value)
        self.origin = origin
        self.options = options
        self.parent = parent
        self.key = key
    }

    convenience init(
        _ value: StoredValue, _ origin: DecodingOrigin, _ options: Database.Decoder?
    ) throws(StoredFormatError) {
        try self.init(value, origin, options, nil, nil)
    }

    func child(_ value: StoredValue, _ key: any CodingKey) throws(StoredFormatError) -> ValueDecoder {
        try ValueDecoder(value, origin, options, self, key)
    }

    func child(at position: Int, _ key: any CodingKey) throws(StoredFormatError) -> ValueDecoder {
        try child(map.value(at: position), key)
    }

    var value: StoredValue { map.value }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var next: ValueDecoder? = self
        while let decoder = next {
            if let key = decoder.key { path.append(key) }
            next = decoder.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { options?.userInfo ?? [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.isMap else { throw mismatch([String: Any].self) }
        if let options { renamed = try renamedFields(options.keyDecodingStrategy) }
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        UnkeyedValueDecoder(try elements([Any].self), self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoder(decoder: self) }

    /// The error for null, or for a value of another type than requested.
    func mismatch(_ type: Any.Type) -> DecodingError {
        guard let found = try? value.value() else { return corrupted("The stored value cannot be read.") }
        if found.isNull {
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "Expected \(type) but found null instead."))
        }
        return .typeMismatch(
            type,
            .init(codingPath: codingPath, debugDescription: "Expected \(type) but found \(found.typeClass) instead."))
    }

    func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: description))
    }

    /// Decodes any value at this decoder's place.
    func decodeValue<T: Decodable>(_ type: T.Type) throws -> T {
        guard let reading = ValueDecoder.reading(type) else { return try T(from: self) }
        return try reading(self) as! T
    }

    /// How to decode a type that does not decode itself; nil for other types.
    private static func reading(_ type: any Decodable.Type) -> ((ValueDecoder) throws -> Any)? {
        if type == Timestamp.self { return { try $0.timestamp() } }
        if type == [String].self { return { try $0.strings() } }
        if type == Date.self { return { try $0.date() } }
        if type == Data.self { return { try $0.data() } }
        if type == URL.self { return { try $0.url() } }
        if type == Decimal.self { return { try $0.decimal() } }
        if type == GeoPoint.self { return { try $0.geoPoint() } }
        if type == VectorValue.self { return { try $0.vector() } }
        if type == DocumentReference.self { return { try $0.reference() } }
        return nil
    }

    func elements(_ type: Any.Type) throws -> [StoredValue] {
        guard let elements = try value.elements() else { throw mismatch(type) }
        return elements
    }

    /// Decodes the most common array type without a decoder for each element.
    func strings() throws -> [String] {
        if let strings = try value.strings() { return strings }
        return try elements([Any].self).enumerated().map { index, element in
            if let string = try element.string() { return string }
            return try child(element, PlaceKey(index)).string()
        }
    }
}

// MARK: - Fields

extension ValueDecoder {
    /// The position of the field for a property name; nil if there is none.
    func position(of name: String) throws(StoredFormatError) -> Int? {
        if let renamed { return renamed[name] }
        // A local copy, because each access to a class's property is checked for exclusivity.
        var place = place
        let position = try map.position(of: name, near: &place)
        self.place = place
        return position
    }

    /// The property names of the fields.
    func names() throws(StoredFormatError) -> [String] {
        if let renamed { return Array(renamed.keys) }
        return try value.names()?.map(\.string) ?? []
    }

    private func renamedFields(
        _ strategy: Database.Decoder.KeyDecodingStrategy
    ) throws(StoredFormatError) -> [String: Int]? {
        let rename: (String) -> String
        switch strategy {
        case .useDefaultKeys: return nil
        case .convertFromSnakeCase: rename = SnakeCase.camel
        case .custom(let function):
            let codingPath = codingPath
            rename = { function(codingPath + [PlaceKey(stringValue: $0)]).stringValue }
        }
        var renamed: [String: Int] = [:]
        var place = 0
        for name in try value.names() ?? [] {
            let property = rename(name.string)
            if renamed[property] == nil { renamed[property] = try map.position(of: name.string, near: &place) }
        }
        return renamed
    }
}
