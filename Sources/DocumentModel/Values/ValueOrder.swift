// SPDX-License-Identifier: Apache-2.0

// One `switch` over pairs of types. Each branch cites its rule.

extension Value {
    /// Compares as the backend does (V-2, V-6 to V-20): negative, zero or positive as `lhs` sorts before, with or after
    /// `rhs`.
    package static func compare(_ lhs: Value, _ rhs: Value) -> Int {
        switch (lhs, rhs) {
        case (.null, .null): 0
        case (.boolean(let left), .boolean(let right)): order(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): order(left, right)
        case (.integer(let left), .double(let right)): -NumberOrder.compare(right, left)
        case (.double(let left), .integer(let right)): NumberOrder.compare(left, right)
        case (.double(let left), .double(let right)): NumberOrder.compare(left, right)
        case (.timestamp(let left), .timestamp(let right)): order(left.microseconds, right.microseconds)
        case (.string(let left), .string(let right)): Text.compare(left, right)
        case (.bytes(let left), .bytes(let right)): compareBytes(left, right)
        case (.reference(let left), .reference(let right)): Reference.compare(left, right)
        case (.geoPoint(let left), .geoPoint(let right)): GeoPoint.compare(left, right)
        case (.array(let left), .array(let right)): compareArrays(left, right)
        case (.vector(let left), .vector(let right)): compareVectors(left, right)
        case (.map(let left), .map(let right)): Fields.compare(left, right)
        default: order(lhs.typeClass.rawValue, rhs.typeClass.rawValue)
        }
    }

    fileprivate static func order<T: Comparable>(_ lhs: T, _ rhs: T) -> Int {
        lhs < rhs ? -1 : (rhs < lhs ? 1 : 0)
    }

    /// Element by element; a prefix sorts first (V-18).
    private static func compareArrays(_ lhs: [Value], _ rhs: [Value]) -> Int {
        for (left, right) in zip(lhs, rhs) {
            let order = compare(left, right)
            if order != 0 { return order }
        }
        return lhs.count - rhs.count
    }

    /// By dimension, then element by element (V-20).
    private static func compareVectors(_ lhs: [Double], _ rhs: [Double]) -> Int {
        if lhs.count != rhs.count { return lhs.count - rhs.count }
        for (left, right) in zip(lhs, rhs) {
            let order = NumberOrder.compare(left, right)
            if order != 0 { return order }
        }
        return 0
    }
}

/// Compares numbers, exactly between integers and doubles (V-9, V-10).
package enum NumberOrder {
    /// NaN equals NaN and sorts before all other numbers; `-0.0` equals `0.0`.
    package static func compare(_ lhs: Double, _ rhs: Double) -> Int {
        if lhs < rhs { return -1 }
        if lhs > rhs { return 1 }
        if lhs == rhs { return 0 }
        return (lhs.isNaN ? 0 : 1) - (rhs.isNaN ? 0 : 1)
    }

    package static func compare(_ lhs: Double, _ rhs: Int64) -> Int {
        if lhs.isNaN || lhs < -0x1p63 { return -1 }
        if lhs >= 0x1p63 { return 1 }
        let whole = lhs.rounded(.towardZero)
        let truncated = Int64(whole)
        if truncated != rhs { return truncated < rhs ? -1 : 1 }
        return lhs < whole ? -1 : (lhs > whole ? 1 : 0)
    }
}

extension Reference: Comparable {
    /// By project, then database, then path (V-16).
    package static func compare(_ lhs: Reference, _ rhs: Reference) -> Int {
        if lhs.database !== rhs.database {
            let project = Text.compare(lhs.database.project, rhs.database.project)
            if project != 0 { return project }
            let database = Text.compare(lhs.database.database, rhs.database.database)
            if database != 0 { return database }
        }
        return ResourcePath.compare(lhs.path, rhs.path)
    }

    package static func < (lhs: Reference, rhs: Reference) -> Bool { compare(lhs, rhs) < 0 }
}

extension GeoPoint: Hashable {
    package static func compare(_ lhs: GeoPoint, _ rhs: GeoPoint) -> Int {
        let latitude = NumberOrder.compare(lhs.latitude, rhs.latitude)
        return latitude != 0 ? latitude : NumberOrder.compare(lhs.longitude, rhs.longitude)
    }

    package static func == (lhs: GeoPoint, rhs: GeoPoint) -> Bool { compare(lhs, rhs) == 0 }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(latitude)
        hasher.combine(longitude)
    }
}

extension Fields {
    /// Field by field: name, then value. If all shared fields are equal, fewer fields sort first (V-19).
    package static func compare(_ lhs: Fields, _ rhs: Fields) -> Int {
        for (left, right) in zip(lhs.storage, rhs.storage) {
            let name = Text.compare(left.name, right.name)
            if name != 0 { return name }
            let value = Value.compare(left.value, right.value)
            if value != 0 { return value }
        }
        return lhs.count - rhs.count
    }
}

extension Value: Comparable {
    package static func == (lhs: Value, rhs: Value) -> Bool { compare(lhs, rhs) == 0 }
    package static func < (lhs: Value, rhs: Value) -> Bool { compare(lhs, rhs) < 0 }
}

extension Value: Hashable {
    /// Equal values have equal key bytes, so it hashes the key bytes.
    package func hash(into hasher: inout Hasher) {
        var encoder = KeyEncoder()
        encoder.append(self)
        hasher.combine(encoder.bytes)
    }
}

extension Fields: Hashable {
    package static func == (lhs: Fields, rhs: Fields) -> Bool { compare(lhs, rhs) == 0 }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Value.map(self))
    }
}
