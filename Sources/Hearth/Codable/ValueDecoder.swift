// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

/// Reads values as they are stored, without a dictionary between.
struct ValueDecoder: Decoder {
    struct Context {
        let options: Database.Decoder
        let reference: DocumentReference?
        let database: Database?
    }

    let value: Value
    let context: Context
    let codingPath: [any CodingKey]

    init(_ value: Value, _ context: Context, _ codingPath: [any CodingKey]) {
        self.value = value
        self.context = context
        self.codingPath = codingPath
    }

    var userInfo: [CodingUserInfoKey: Any] { context.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .map(let fields) = value else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(fields, self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self) }
        return UnkeyedValueDecoder(elements, self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoder(decoder: self) }

    func child(_ value: Value, _ key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value, context, codingPath + [key])
    }

    /// A value of another type than was asked for, or null.
    func mismatch(_ type: Any.Type) -> DecodingError {
        if value.isNull {
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "Expected \(type) but found null instead."))
        }
        return .typeMismatch(
            type,
            .init(codingPath: codingPath, debugDescription: "Expected \(type) but found \(value.typeClass) instead."))
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
        switch type {
        case is Timestamp.Type: try timestamp()
        case is Date.Type: try date()
        case is Data.Type: try data()
        case is URL.Type: try url()
        case is GeoPoint.Type: try geoPoint()
        case is VectorValue.Type: try vector()
        case is DocumentReference.Type: try reference()
        default: nil
        }
    }
}

// MARK: - Scalars

extension ValueDecoder {
    func boolean() throws -> Bool {
        guard case .boolean(let boolean) = value else { throw mismatch(Bool.self) }
        return boolean
    }

    func string() throws -> String {
        guard case .string(let text) = value else { throw mismatch(String.self) }
        return text.string
    }

    /// A whole double is an integer too.
    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let number: T?
        switch value {
        case .integer(let integer): number = T(exactly: integer)
        case .double(let double): number = T(exactly: double)
        default: throw mismatch(type)
        }
        guard let number else { throw corrupted("The number \(value) does not fit in \(type).") }
        return number
    }

    func double() throws -> Double {
        switch value {
        case .integer(let integer): return Double(integer)
        case .double(let double): return double
        case .string(let text):
            guard
                case .convertFromString(let positive, let negative, let nan) =
                    context.options.nonConformingFloatDecodingStrategy
            else { throw mismatch(Double.self) }
            switch text.string {
            case positive: return .infinity
            case negative: return -.infinity
            case nan: return .nan
            default: throw mismatch(Double.self)
            }
        default: throw mismatch(Double.self)
        }
    }

    private func timestamp() throws -> Timestamp {
        guard case .timestamp(let timestamp) = value else { throw mismatch(Timestamp.self) }
        return Timestamp(timestamp)
    }

    private func geoPoint() throws -> GeoPoint {
        guard case .geoPoint(let point) = value else { throw mismatch(GeoPoint.self) }
        return GeoPoint(point)
    }

    private func vector() throws -> VectorValue {
        guard case .vector(let elements) = value else { throw mismatch(VectorValue.self) }
        return VectorValue(elements)
    }

    private func reference() throws -> DocumentReference {
        guard case .reference(let reference) = value, let database = context.database else {
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
            guard case .bytes(let bytes) = value else { throw mismatch(Data.self) }
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
