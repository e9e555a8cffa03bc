// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

/// Reads values where they are stored: no dictionary and no tree of values is made.
struct ValueDecoder: Decoder {
    /// What all decoders of one document share.
    final class Context {
        let options: Database.Decoder
        let reference: () -> DocumentReference?
        let database: Database?

        init(options: Database.Decoder, reference: @escaping () -> DocumentReference?, database: Database?) {
            self.options = options
            self.reference = reference
            self.database = database
        }
    }

    /// A place among the values; an array of keys is made only where somebody asks for it.
    final class Place {
        let parent: Place?
        let key: any CodingKey

        init(_ parent: Place?, _ key: any CodingKey) {
            self.parent = parent
            self.key = key
        }
    }

    let value: StoredValue
    let context: Context
    let place: Place?

    init(_ value: StoredValue, _ context: Context, _ place: Place?) {
        self.value = value
        self.context = context
        self.place = place
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var next = place
        while let place = next {
            path.append(place.key)
            next = place.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { context.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.isMap else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(try KeyedValueDecoder<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        UnkeyedValueDecoder(try elements([Any].self), self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoder(decoder: self) }

    func child(_ value: StoredValue, _ key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value, context, Place(place, key))
    }

    /// A value of another type than was asked for, or null.
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

    /// Any value, from this decoder's place.
    func decodeValue<T: Decodable>(_ type: T.Type) throws -> T {
        if let known = try decodeKnown(type) {
            guard let result = known as? T else { throw mismatch(type) }
            return result
        }
        return try T(from: self)
    }

    /// Nil for types that decode themselves.
    private func decodeKnown(_ type: any Decodable.Type) throws -> Any? {
        if type == Timestamp.self { return try timestamp() }
        if type == [String].self { return try strings() }
        if type == Date.self { return try date() }
        if type == Data.self { return try data() }
        if type == URL.self { return try url() }
        if type == GeoPoint.self { return try geoPoint() }
        if type == VectorValue.self { return try vector() }
        if type == DocumentReference.self { return try reference() }
        return nil
    }

    func elements(_ type: Any.Type) throws -> [StoredValue] {
        guard let elements = try value.elements() else { throw mismatch(type) }
        return elements
    }

    /// The commonest array, without a decoder for each element.
    private func strings() throws -> [String] {
        try elements([Any].self).enumerated().map { index, element in
            if let string = try element.string() { return string }
            return try child(element, PlaceKey(index)).string()
        }
    }
}

// MARK: - Scalars

extension ValueDecoder {
    func boolean() throws -> Bool {
        guard let boolean = value.boolean() else { throw mismatch(Bool.self) }
        return boolean
    }

    func string() throws -> String {
        guard let string = try value.string() else { throw mismatch(String.self) }
        return string
    }

    /// A whole double is an integer too.
    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let number: T?
        if let integer = try value.integer() {
            number = T(exactly: integer)
        } else if let double = try value.double() {
            number = T(exactly: double)
        } else {
            throw mismatch(type)
        }
        guard let number else { throw corrupted("The number \(try value.value()) does not fit in \(type).") }
        return number
    }

    func double() throws -> Double {
        if let double = try value.double() { return double }
        if let integer = try value.integer() { return Double(integer) }
        guard let text = try value.string(),
            case .convertFromString(let positive, let negative, let nan) =
                context.options.nonConformingFloatDecodingStrategy
        else { throw mismatch(Double.self) }
        switch text {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(Double.self)
        }
    }

    private func timestamp() throws -> Timestamp {
        guard case .timestamp(let timestamp) = try value.value() else { throw mismatch(Timestamp.self) }
        return Timestamp(timestamp)
    }

    private func geoPoint() throws -> GeoPoint {
        guard case .geoPoint(let point) = try value.value() else { throw mismatch(GeoPoint.self) }
        return GeoPoint(point)
    }

    private func vector() throws -> VectorValue {
        guard case .vector(let elements) = try value.value() else { throw mismatch(VectorValue.self) }
        return VectorValue(elements)
    }

    private func reference() throws -> DocumentReference {
        guard case .reference(let reference) = try value.value(), let database = context.database else {
            throw mismatch(DocumentReference.self)
        }
        return DocumentReference(reference, in: database)
    }

    private func url() throws -> URL {
        guard let url = URL(string: try string()) else { throw corrupted("Invalid URL string.") }
        return url
    }

    private func date() throws -> Date {
        switch context.options.dateDecodingStrategy {
        case .timestamp: return try timestamp().dateValue()
        case .secondsSince1970: return Date(timeIntervalSince1970: try double())
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try double() / 1_000)
        case .iso8601:
            guard let date = try? Date(try string(), strategy: .iso8601) else {
                throw corrupted("Expected date string to be ISO8601-formatted.")
            }
            return date
        case .formatted(let formatter):
            guard let date = formatter.date(from: try string()) else {
                throw corrupted("Date string does not match format expected by formatter.")
            }
            return date
        case .custom(let decode): return try decode(self)
        }
    }

    private func data() throws -> Data {
        switch context.options.dataDecodingStrategy {
        case .blob:
            guard case .bytes(let bytes) = try value.value() else { throw mismatch(Data.self) }
            return Data(bytes)
        case .base64:
            guard let data = Data(base64Encoded: try string()) else {
                throw corrupted("Encountered Data is not valid Base64.")
            }
            return data
        case .custom(let decode): return try decode(self)
        }
    }
}
