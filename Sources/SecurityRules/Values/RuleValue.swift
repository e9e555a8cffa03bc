// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A value of the rules language.
package enum RuleValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Double)
    case string(Text)
    case bytes([UInt8])
    case timestamp(RuleTimestamp)
    case duration(RuleDuration)
    case latlng(GeoPoint)
    case path(RulePath)
    case list(RuleList)
    case map(RuleMap)
    case set(RuleSetValue)
    case mapDiff(MapDiff)
    case vector([Double])
    /// A field of which a query's filter says something, but not the value.
    case constraint(Constraint)
}

extension RuleValue {
    var type: RuleType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .string: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .latlng: .latlng
        case .path: .path
        case .list: .list
        case .map: .map
        case .set: .set
        case .mapDiff: .mapDiff
        case .vector: .vector
        case .constraint: .constraint
        }
    }

    /// The size of a list or of a map.
    var quickSize: Int? {
        switch self {
        case .list(let elements): elements.count
        case .map(let map): map.count
        default: nil
        }
    }

    /// Whether `is` says so. `x is set` is false for all values, sets too.
    func isOf(_ type: RuleType) -> Bool {
        switch type {
        case .set, .null: false
        case .number: self.type == .int || self.type == .float
        default: self.type == type
        }
    }

    /// A stored value as rules see it.
    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .int(value)
        case .double(let value): self = .float(value)
        case .timestamp(let value): self = .timestamp(RuleTimestamp(value))
        case .string(let value): self = .string(value)
        case .bytes(let value): self = .bytes(value)
        case .reference(let value): self = .path(RulePath(document: value.path, database: value.database.database))
        case .geoPoint(let value): self = .latlng(value)
        case .array(let elements): self = .list(RuleList(stored: elements))
        case .vector(let components): self = .vector(components)
        case .map(let fields): self = .map(RuleMap(fields))
        }
    }
}

/// A point in time with nanoseconds.
package struct RuleTimestamp: Sendable, Hashable, Comparable {
    package let seconds: Int64
    /// In 0..<10⁹.
    package let nanoseconds: Int32

    /// Nil before the year 1 and after the year 9999.
    package init?(seconds: Int64, nanoseconds: Int32) {
        guard (-62_135_596_800...253_402_300_799).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
            return nil
        }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package init(_ timestamp: Timestamp) {
        let (quotient, remainder) = timestamp.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        seconds = remainder < 0 ? quotient - 1 : quotient
        nanoseconds = Int32(remainder < 0 ? remainder + 1_000_000 : remainder) * 1_000
    }

    package static func < (lhs: RuleTimestamp, rhs: RuleTimestamp) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}

/// A length of time. Seconds and nanoseconds have the same sign.
package struct RuleDuration: Sendable, Hashable, Comparable {
    package let seconds: Int64
    package let nanoseconds: Int32

    package static let limit: Int64 = 315_576_000_000

    /// Any seconds and nanoseconds, brought to one sign. Nil beyond 10,000 years.
    init?(seconds: Int64, nanoseconds: Int64) {
        let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let (sum, overflow) = seconds.addingReportingOverflow(carry)
        guard !overflow, sum.magnitude <= UInt64(RuleDuration.limit) + 1 else { return nil }
        var (whole, part) = (sum, rest)
        if whole > 0, part < 0 { (whole, part) = (whole - 1, part + 1_000_000_000) }
        if whole < 0, part > 0 { (whole, part) = (whole + 1, part - 1_000_000_000) }
        guard whole.magnitude <= UInt64(RuleDuration.limit) else { return nil }
        self.seconds = whole
        self.nanoseconds = Int32(part)
    }

    package static func < (lhs: RuleDuration, rhs: RuleDuration) -> Bool {
        (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
    }
}

/// What separates two maps.
package struct MapDiff: Sendable {
    let left: RuleMap
    let right: RuleMap
}
