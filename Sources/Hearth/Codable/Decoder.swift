// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation

extension Database {
    /// Turns documents into `Decodable` values (C-40), reading ``Encoder``'s output back.
    ///
    /// A `Decimal` is read from integers exactly and from doubles by their shortest decimal digits, so that 19.99 comes back
    /// as 19.99; one of more than 15 digits comes back rounded.
    public final class Decoder {
        /// How dates are read.
        public enum DateDecodingStrategy {
            /// From timestamps.
            case timestamp
            /// From seconds since 1970.
            case secondsSince1970
            /// From milliseconds since 1970.
            case millisecondsSince1970
            /// From strings such as `2024-01-01T00:00:00Z`.
            case iso8601
            /// As the formatter says.
            case formatted(DateFormatter)
            /// By a function.
            case custom((any Swift.Decoder) throws -> Date)
        }

        /// How `Data` is read.
        public enum DataDecodingStrategy {
            /// From bytes.
            case blob
            /// From base64 text.
            case base64
            /// By a function.
            case custom((any Swift.Decoder) throws -> Data)
        }

        /// What strings are read as infinities and NaN, which are read from numbers in any case.
        public enum NonConformingFloatDecodingStrategy {
            /// None.
            case `throw`
            /// These.
            case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
        }

        /// How properties are named.
        public enum KeyDecodingStrategy {
            /// As the fields are.
            case useDefaultKeys
            /// `one_two` as `oneTwo`.
            case convertFromSnakeCase
            /// By a function of the path, whose last key is the one to name.
            case custom((_ codingPath: [any CodingKey]) -> any CodingKey)
        }

        /// How dates are read.
        public var dateDecodingStrategy = DateDecodingStrategy.timestamp
        /// How `Data` is read.
        public var dataDecodingStrategy = DataDecodingStrategy.blob
        /// What strings are read as infinities and NaN.
        public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
        /// How properties are named.
        public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
        /// For the values' own `init(from:)`.
        public var userInfo: [CodingUserInfoKey: Any] = [:]

        /// The default strategies.
        public init() {}

        /// A value from the data of a document, or from a part of it. Where the data is from, `documentReference`, is for ``DocumentID`` properties.
        ///
        /// - Throws: `DecodingError`; ``FirestoreDecodingError/fieldNameConflict(_:)`` where a ``DocumentID`` property has the
        ///   name of a field.
        public func decode<T: Decodable>(
            _ type: T.Type, from data: Any, in documentReference: DocumentReference? = nil
        ) throws -> T {
            var reader = DataReader(.argument)
            let value = try reader.value(data) ?? .null
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
    /// The same, naming the document: who decodes many wants to know which one it was.
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
