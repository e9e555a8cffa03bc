// SPDX-License-Identifier: Apache-2.0

/// One Firestore value (V-1).
///
/// Equality and order are those of the backend (V-2, V-9 to V-20): `3 == 3.0`, `-0.0 == 0`, NaN equals NaN, strings
/// compare by UTF-8 bytes. A value keeps its own type, though; ``isIdentical(to:)`` distinguishes `3` from `3.0`.
/// Payloads have at most 16 bytes, so a value has 17 (a test checks this).
package enum Value: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case timestamp(Timestamp)
    case string(Text)
    case bytes([UInt8])
    case reference(Reference)
    case geoPoint(GeoPoint)
    case array([Value])
    case vector([Double])
    case map(Fields)
}

/// The type classes in the order of values of different types (V-2).
///
/// Range and equality filters match within one class only (V-27, V-28).
package enum TypeClass: Int, Sendable, Comparable, CaseIterable {
    case null, boolean, number, timestamp, string, bytes, reference, geoPoint, array, vector, map

    package static func < (lhs: TypeClass, rhs: TypeClass) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Value {
    package var typeClass: TypeClass {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer, .double: .number
        case .timestamp: .timestamp
        case .string: .string
        case .bytes: .bytes
        case .reference: .reference
        case .geoPoint: .geoPoint
        case .array: .array
        case .vector: .vector
        case .map: .map
        }
    }

    package var isNaN: Bool {
        if case .double(let number) = self { number.isNaN } else { false }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// A point in time with microsecond precision, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z (V-13).
package struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    package let microseconds: Int64

    package static let minimum = Timestamp(uncheckedMicroseconds: -62_135_596_800_000_000)
    package static let maximum = Timestamp(uncheckedMicroseconds: 253_402_300_799_999_999)

    private init(uncheckedMicroseconds: Int64) {
        self.microseconds = uncheckedMicroseconds
    }

    /// Nil outside the range of V-13.
    package init?(microseconds: Int64) {
        guard (Timestamp.minimum.microseconds...Timestamp.maximum.microseconds).contains(microseconds) else {
            return nil
        }
        self.microseconds = microseconds
    }

    /// Digits beyond microseconds are rounded down (V-13). Nil outside the range, or if `nanoseconds` is not in
    /// 0..<10⁹.
    package init?(seconds: Int64, nanoseconds: Int32) {
        guard (0..<1_000_000_000).contains(nanoseconds), seconds.magnitude < 1 << 40 else { return nil }
        self.init(microseconds: seconds * 1_000_000 + Int64(nanoseconds / 1_000))
    }

    package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }
}

/// A point on Earth: latitude in -90...90 degrees and longitude in -180...180, sorted by latitude, then longitude
/// (V-17).
package struct GeoPoint: Sendable {
    package let latitude: Double
    package let longitude: Double

    /// Nil outside of these ranges and for NaN.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A reference to a document: database and path. References sort by project, database, then path (V-16).
package struct Reference: Sendable, Hashable {
    package let database: DatabaseID
    package let path: ResourcePath

    package init(database: DatabaseID, path: ResourcePath) {
        self.database = database
        self.path = path
    }
}

/// The project and database at the start of a full resource name (D-1).
package final class DatabaseID: Sendable, Hashable {
    package let project: Text
    package let database: Text

    package init(project: Text, database: Text = "(default)") {
        self.project = project
        self.database = database
    }

    package static func == (lhs: DatabaseID, rhs: DatabaseID) -> Bool {
        lhs === rhs || (lhs.project == rhs.project && lhs.database == rhs.database)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(project)
        hasher.combine(database)
    }

    /// `projects/P/databases/D`
    package var resourceName: String { "projects/\(project)/databases/\(database)" }

    /// The length of ``resourceName`` in UTF-8 bytes.
    var resourceNameSize: Int { "projects//databases/".utf8.count + project.utf8Count + database.utf8Count }
}

extension Timestamp {
    /// The time as server timestamps and `request.time` of rules have it: in milliseconds, rounded down (W-17).
    package var inWholeMilliseconds: Timestamp {
        let remainder = ((microseconds % 1_000) + 1_000) % 1_000
        return Timestamp(microseconds: microseconds - remainder) ?? self
    }
}
