// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// The order of values, strings and names, written independently from the rules: the oracle for the engine's order.
///
/// It shares only the data types with the code under test, and prefers simplicity to speed. Every function returns a
/// negative number, zero, or a positive number.
package enum NaiveOrder {
    /// V-2, and within a type V-6 to V-20.
    package static func compare(_ lhs: Value, _ rhs: Value) -> Int {
        let ranks = (rank(lhs), rank(rhs))
        guard ranks.0 == ranks.1 else { return ranks.0 - ranks.1 }
        switch (lhs, rhs) {
        case (.null, .null): return 0
        case (.boolean(let left), .boolean(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.integer, _), (.double, _): return compareNumbers(lhs, rhs)
        case (.timestamp(let left), .timestamp(let right)):
            return sign(left.microseconds, right.microseconds)
        case (.string(let left), .string(let right)): return compare(left, right)
        case (.bytes(let left), .bytes(let right)): return compareSequences(left, right, sign)
        case (.reference(let left), .reference(let right)): return compareReferences(left, right)
        case (.geoPoint(let left), .geoPoint(let right)): return compareGeoPoints(left, right)
        case (.array(let left), .array(let right)): return compareSequences(left, right, compare)
        case (.vector(let left), .vector(let right)): return compareVectors(left, right)
        case (.map(let left), .map(let right)): return compareMaps(left, right)
        default: preconditionFailure("values of one rank have one type")
        }
    }

    /// V-14: by UTF-8 bytes.
    package static func compare(_ lhs: Text, _ rhs: Text) -> Int {
        compareSequences(lhs.string.utf8, rhs.string.utf8, sign)
    }

    /// V-23, V-24: segment by segment, a prefix first.
    package static func compare(_ lhs: ResourcePath, _ rhs: ResourcePath) -> Int {
        compareSequences(lhs.segments, rhs.segments, compareSegments)
    }

    /// segment by segment as strings, a prefix first.
    static func compare(_ lhs: FieldPath, _ rhs: FieldPath) -> Int {
        compareSequences(lhs.segments, rhs.segments, compare)
    }

    static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 1
        case .boolean: 2
        case .integer, .double: 3
        case .timestamp: 4
        case .string: 5
        case .bytes: 6
        case .reference: 7
        case .geoPoint: 8
        case .array: 9
        case .vector: 10
        case .map: 11
        }
    }

    /// V-24: `__id<n>__` as numbers, before all others, which compare as strings.
    static func compareSegments(_ lhs: Text, _ rhs: Text) -> Int {
        switch (numericID(lhs), numericID(rhs)) {
        case (let left?, let right?): left == right ? compare(lhs, rhs) : sign(left, right)
        case (.some, nil): -1
        case (nil, .some): 1
        case (nil, nil): compare(lhs, rhs)
        }
    }

    static func numericID(_ segment: Text) -> Int64? {
        let text = segment.string
        guard text.hasPrefix("__id"), text.hasSuffix("__"), text.utf8.count > 6 else { return nil }
        let digits = text.dropFirst(4).dropLast(2)
        // Int64(_:) would accept a plus sign.
        return digits.first == "+" ? nil : Int64(digits)
    }

    /// V-9, V-10.
    private static func compareNumbers(_ lhs: Value, _ rhs: Value) -> Int {
        switch (lhs, rhs) {
        case (.integer(let left), .integer(let right)): sign(left, right)
        case (.double(let left), .double(let right)): compareDoubles(left, right)
        case (.integer(let left), .double(let right)): -compareDouble(right, toInteger: left)
        case (.double(let left), .integer(let right)): compareDouble(left, toInteger: right)
        default: preconditionFailure("both are numbers")
        }
    }

    static func compareDoubles(_ lhs: Double, _ rhs: Double) -> Int {
        if lhs.isNaN || rhs.isNaN { return (lhs.isNaN ? 0 : 1) - (rhs.isNaN ? 0 : 1) }
        return sign(lhs, rhs)
    }

    private static func compareDouble(_ double: Double, toInteger integer: Int64) -> Int {
        if double.isNaN { return -1 }
        // 128 bits hold every integral double below 2^100, and every int64.
        if abs(double) >= 0x1p100 { return double < 0 ? -1 : 1 }
        let floor = Int128(double.rounded(.down))
        if floor != Int128(integer) { return sign(floor, Int128(integer)) }
        return double == double.rounded(.down) ? 0 : 1
    }

    /// V-16.
    private static func compareReferences(_ lhs: Reference, _ rhs: Reference) -> Int {
        let projects = compare(lhs.database.project, rhs.database.project)
        if projects != 0 { return projects }
        let databases = compare(lhs.database.database, rhs.database.database)
        return databases != 0 ? databases : compare(lhs.path, rhs.path)
    }

    /// V-17.
    private static func compareGeoPoints(_ lhs: GeoPoint, _ rhs: GeoPoint) -> Int {
        let latitudes = sign(lhs.latitude, rhs.latitude)
        return latitudes != 0 ? latitudes : sign(lhs.longitude, rhs.longitude)
    }

    /// V-20: the shorter first, then by elements.
    private static func compareVectors(_ lhs: [Double], _ rhs: [Double]) -> Int {
        lhs.count != rhs.count ? lhs.count - rhs.count : compareSequences(lhs, rhs, compareDoubles)
    }

    /// V-19: first names, then first values, then second names …; the map with fewer fields first.
    private static func compareMaps(_ lhs: Fields, _ rhs: Fields) -> Int {
        let sorted = [lhs, rhs].map { $0.storage.sorted { compare($0.name, $1.name) < 0 } }
        return compareSequences(sorted[0], sorted[1]) { left, right in
            let names = compare(left.name, right.name)
            return names != 0 ? names : compare(left.value, right.value)
        }
    }

    /// By the first pair that differs; otherwise, the shorter first.
    private static func compareSequences<Elements: Sequence>(
        _ lhs: Elements, _ rhs: Elements, _ order: (Elements.Element, Elements.Element) -> Int
    ) -> Int {
        var left = lhs.makeIterator()
        var right = rhs.makeIterator()
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return 0
            case (nil, .some): return -1
            case (.some, nil): return 1
            case (let one?, let other?):
                let result = order(one, other)
                if result != 0 { return result }
            }
        }
    }

    private static func sign<Number: Comparable>(_ lhs: Number, _ rhs: Number) -> Int {
        lhs < rhs ? -1 : (lhs > rhs ? 1 : 0)
    }
}
