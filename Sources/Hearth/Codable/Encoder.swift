// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Database {
    /// Encodes `Encodable` values as the data of documents.
    ///
    /// A nil property is left out, unless it is an ``ExplicitNull``. `Date` becomes a timestamp, `Data` bytes, `URL` a
    /// string, and `Decimal` the nearest double. ``Timestamp``, ``GeoPoint``, ``VectorValue``, ``DocumentReference``
    /// and ``FieldValue`` stay as they are.
    public final class Encoder {
        /// How dates are encoded.
        public enum DateEncodingStrategy {
            /// As timestamps.
            case timestamp
            /// As seconds since 1970, a double.
            case secondsSince1970
            /// As milliseconds since 1970, a double.
            case millisecondsSince1970
            /// As strings such as `2024-01-01T00:00:00Z`.
            case iso8601
            /// With a formatter.
            case formatted(DateFormatter)
            /// With a closure.
            case custom((Date, any Swift.Encoder) throws -> Void)
        }

        /// How `Data` is encoded.
        public enum DataEncodingStrategy {
            /// As bytes.
            case blob
            /// As base64 text.
            case base64
            /// With a closure.
            case custom((Data, any Swift.Encoder) throws -> Void)
        }

        /// How infinities and NaN are encoded.
        public enum NonConformingFloatEncodingStrategy {
            /// Not at all: `EncodingError` is thrown.
            case `throw`
            /// As strings.
            case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// How property names become field names.
        public enum KeyEncodingStrategy {
            /// Unchanged.
            case useDefaultKeys
            /// `oneTwo` becomes `one_two`, also in keys of dictionaries.
            case convertToSnakeCase
            /// With a closure that gets the path, whose last key is the one to rename.
            case custom((_ codingPath: [any CodingKey]) -> any CodingKey)
        }

        /// How dates are encoded.
        public var dateEncodingStrategy = DateEncodingStrategy.timestamp
        /// How `Data` is encoded.
        public var dataEncodingStrategy = DataEncodingStrategy.blob
        /// How infinities and NaN are encoded.
        public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
        /// How property names become field names.
        public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
        /// Passed to the values' own `encode(to:)`.
        public var userInfo: [CodingUserInfoKey: Any] = [:]

        /// Creates an encoder with the default strategies.
        public init() {}

        /// Encodes a value as the fields of a document, with numbers as ``DocumentSnapshot/data()`` gives them: `as? Int` works,
        /// whatever the type of a property.
        ///
        /// - Throws: `EncodingError` if the value is not encoded as a set of fields, and errors that the value itself
        ///   throws.
        public func encode<T: Encodable>(_ value: T) throws -> [String: Any] {
            try fields(of: value).mapValues(Encoder.plain)
        }

        private static func plain(_ value: Any) -> Any {
            switch value {
            case let map as [String: Any]: map.mapValues(plain)
            case let list as [Any]: list.map(plain)
            case let number as any FixedWidthInteger & SignedInteger: NSNumber(value: Int64(number))
            case let number as any FixedWidthInteger & UnsignedInteger: NSNumber(value: UInt64(number))
            case let number as Double: NSNumber(value: number)
            default: value
            }
        }

        /// The fields for a write, which reads Swift's own numbers faster.
        func fields<T: Encodable>(of value: T) throws -> [String: Any] {
            let node = EncodedNode()
            try ValueEncoder(node, self, []).encodeValue(value)
            guard let fields = node.fields else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: [], debugDescription: "Top-level \(T.self) is not allowed."))
            }
            return fields
        }
    }
}
