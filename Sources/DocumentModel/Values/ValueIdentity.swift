// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// Whether both have the same stored form: `3` is not identical to `3.0`, nor `0.0` to `-0.0`. All NaNs are
    /// identical.
    package func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): Value.sameBits(left, right)
        case (.integer, .double), (.double, .integer): false
        case (.geoPoint(let left), .geoPoint(let right)):
            Value.sameBits(left.latitude, right.latitude) && Value.sameBits(left.longitude, right.longitude)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.vector(let left), .vector(let right)):
            left.count == right.count && zip(left, right).allSatisfy { Value.sameBits($0, $1) }
        case (.map(let left), .map(let right)): left.isIdentical(to: right)
        default: self == other
        }
    }

    private static func sameBits(_ lhs: Double, _ rhs: Double) -> Bool {
        lhs.bitPattern == rhs.bitPattern || (lhs.isNaN && rhs.isNaN)
    }
}

extension Fields {
    package func isIdentical(to other: Fields) -> Bool {
        count == other.count
            && zip(storage, other.storage).allSatisfy { $0.name == $1.name && $0.value.isIdentical(to: $1.value) }
    }
}
