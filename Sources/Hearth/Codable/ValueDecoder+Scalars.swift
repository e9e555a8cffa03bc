// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation

extension ValueDecoder {
    func boolean() throws -> Bool {
        guard let boolean = try value.boolean() else { throw mismatch(Bool.self) }
        return boolean
    }

    func string() throws -> String {
        guard let string = try value.string() else { throw mismatch(String.self) }
        return string
    }

    /// Accepts a double with an integral value.
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
                options?.nonConformingFloatDecodingStrategy
        else { throw mismatch(Double.self) }
        switch text {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(Double.self)
        }
    }

    /// Exact for an integer; for a double, its shortest decimal digits.
    func decimal() throws -> Decimal {
        if let integer = try value.integer() { return Decimal(integer) }
        let double = try double()
        guard let decimal = Decimal(shortest: double) else {
            throw corrupted("The number \(double) does not fit in Decimal.")
        }
        return decimal
    }

    func timestamp() throws -> Timestamp {
        if let timestamp = try value.timestamp() { return Timestamp(timestamp) }
        guard let exact = try ExactTime.timestamp(map) else { throw mismatch(Timestamp.self) }
        return exact
    }

    func geoPoint() throws -> GeoPoint {
        guard case .geoPoint(let point) = try value.value() else { throw mismatch(GeoPoint.self) }
        return GeoPoint(point)
    }

    func vector() throws -> VectorValue {
        guard case .vector(let elements) = try value.value() else { throw mismatch(VectorValue.self) }
        return VectorValue(elements)
    }

    func reference() throws -> DocumentReference {
        guard case .reference(let reference) = try value.value(), let database = origin.database else {
            throw mismatch(DocumentReference.self)
        }
        return DocumentReference(reference, in: database)
    }

    func url() throws -> URL {
        guard let url = URL(string: try string()) else { throw corrupted("Invalid URL string.") }
        return url
    }

    func date() throws -> Date {
        switch options?.dateDecodingStrategy ?? .timestamp {
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

    func data() throws -> Data {
        switch options?.dataDecodingStrategy ?? .blob {
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
