// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation

extension Database {
    /// Decodes documents into `Decodable` values, such as those that ``Encoder`` wrote.
    ///
    /// A `Decimal` is decoded exactly from an integer, and from a double by its shortest decimal digits, so 19.99 comes
    /// back as 19.99. A number of more than 15 digits comes back rounded.
    public final class Decoder {
        /// How dates are decoded.
        public enum DateDecodingStrategy {
            /// From timestamps.
            case timestamp
            /// From seconds since 1970.
            case secondsSince1970
            /// From milliseconds since 1970.
            case millisecondsSince1970
            /// From strings such as `2024-01-01T00:00:00Z`.
            case iso8601
            /// With a formatter.
            case formatted(DateFormatter)
            /// With a closure.
            case custom((any Swift.Decoder) throws -> Date)
        }

        /// How `Data` is decoded.
        public enum DataDecodingStrategy {
            /// From bytes.
            case blob
            /// From base64 text.
            case base64
            /// With a closure.
            case custom((any Swift.Decoder) throws -> Data)
        }

        /// Which strings are decoded as infinities and NaN. Numbers that are infinite or NaN are always accepted.
        public enum NonConformingFloatDecodingStrategy {
            /// No strings.
            case `throw`
            /// These strings.
            case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// How field names become property names.
        public enum KeyDecodingStrategy {
            /// Unchanged.
            case useDefaultKeys
            /// `one_two` becomes `oneTwo`.
            case convertFromSnakeCase
            /// With a closure that gets the path, whose last key is the one to rename.
            case custom((_ codingPath: [any CodingKey]) -> any CodingKey)
        }

        /// How dates are decoded.
        public var dateDecodingStrategy = DateDecodingStrategy.timestamp
        /// How `Data` is decoded.
        public var dataDecodingStrategy = DataDecodingStrategy.blob
        /// Which strings are decoded as infinities and NaN.
        public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
        /// How field names become property names.
        public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
        /// Passed to the values' own `init(from:)`.
        public var userInfo: [CodingUserInfoKey: Any] = [:]

        /// Creates a decoder with the default strategies.
        public init() {}

        /// Decodes a value from the data of a document, or from a part of it. `documentReference`, the document that
        /// the data comes from, fills ``DocumentID`` properties; fields of their names are ignored.
        ///
        /// - Throws: `DecodingError`; ``FirestoreDecodingError`` if there is such a property and no `documentReference`.
        public func decode<T: Decodable>(
            _ type: T.Type, from data: Any, in documentReference: DocumentReference? = nil
        ) throws -> T {
            var reader = DataReader(.decoded)
            let value: Value
            do throws(FirestoreError) { value = try reader.value(data) ?? .null } catch {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: error.localizedDescription, underlyingError: error)
                ).located(in: documentReference)
            }
            let origin = documentReference.map { DecodingOrigin.document($0) } ?? .data(reader.referenced)
            let identity = try origin.database?.identity() ?? DatabaseID(project: "")
            return try ValueDecoder.decode(type, from: StoredValue(value, database: identity), origin, self)
        }
    }
}

extension ValueDecoder {
    /// - Parameter options: nil for the default strategies.
    static func decode<T: Decodable>(
        _ type: T.Type, from value: StoredValue, _ origin: DecodingOrigin, _ options: Database.Decoder?
    ) throws -> T {
        do {
            return try ValueDecoder(value, origin, options).decodeValue(type)
        } catch let error as StoredFormatError {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: error.description))
                .located(in: origin.reference)
        } catch let error as DecodingError {
            throw error.located(in: origin.reference)
        }
    }
}

extension DecodingError {
    /// Adds the document's path to the message: a program that decodes many documents must know which one failed.
    fileprivate func located(in document: DocumentReference?) -> DecodingError {
        guard let document else { return self }
        func located(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath, debugDescription: "\(context.debugDescription) (in \(document.path))",
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, located(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, located(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, located(context))
        case .dataCorrupted(let context): .dataCorrupted(located(context))
        @unknown default: self
        }
    }
}
