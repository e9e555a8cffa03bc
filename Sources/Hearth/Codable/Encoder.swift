// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Database {
    /// Turns `Encodable` values into the data of documents (C-40).
    ///
    /// A nil property is left out unless it is an ``ExplicitNull``; `Date` becomes a timestamp, `Data` bytes, `URL` a string,
    /// `Decimal` the nearest double; ``Timestamp``, ``GeoPoint``, ``VectorValue``, ``DocumentReference`` and ``FieldValue``
    /// stay what they are (C-41).
    public final class Encoder {
        /// How dates are written.
        public enum DateEncodingStrategy {
            /// As timestamps.
            case timestamp
            /// As seconds since 1970, a double.
            case secondsSince1970
            /// As milliseconds since 1970, a double.
            case millisecondsSince1970
            /// As strings such as `2024-01-01T00:00:00Z`.
            case iso8601
            /// As the formatter says.
            case formatted(DateFormatter)
            /// By a function.
            case custom((Date, any Swift.Encoder) throws -> Void)
        }

        /// How `Data` is written.
        public enum DataEncodingStrategy {
            /// As bytes.
            case blob
            /// As base64 text.
            case base64
            /// By a function.
            case custom((Data, any Swift.Encoder) throws -> Void)
        }

        /// How infinities and NaN are written.
        public enum NonConformingFloatEncodingStrategy {
            /// Refused with `EncodingError`.
            case `throw`
            /// As strings.
            case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// How properties are named.
        public enum KeyEncodingStrategy {
            /// As they are.
            case useDefaultKeys
            /// `oneTwo` as `one_two`; keys of dictionaries too.
            case convertToSnakeCase
            /// By a function of the path, whose last key is the one to name.
            case custom((_ codingPath: [any CodingKey]) -> any CodingKey)
        }

        /// How dates are written.
        public var dateEncodingStrategy = DateEncodingStrategy.timestamp
        /// How `Data` is written.
        public var dataEncodingStrategy = DataEncodingStrategy.blob
        /// How infinities and NaN are written.
        public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
        /// How properties are named.
        public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
        /// For the values' own `encode(to:)`.
        public var userInfo: [CodingUserInfoKey: Any] = [:]

        /// The default strategies.
        public init() {}

        /// The fields of a document.
        ///
        /// - Throws: `EncodingError` for a value that is no set of fields, and what `value` throws.
        public func encode<T: Encodable>(_ value: T) throws -> [String: Any] {
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
