// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The order of entries in the canonical form, which is the order of the official tool (J-26, J-27).
enum CanonicalOrder {
    static func precedes(_ left: IndexDefinition, _ right: IndexDefinition) -> Bool {
        first(
            compareNames(left.collectionGroup.string, right.collectionGroup.string),
            compareScopes(left.scope, right.scope), compareFields(left.fieldsWithName, right.fieldsWithName)) < 0
    }

    static func precedes(_ left: FieldOverride, _ right: FieldOverride) -> Bool {
        first(
            compareNames(left.collectionGroup.string, right.collectionGroup.string),
            number(left.timeToLive == true) - number(right.timeToLive == true),
            compareNames(left.path?.wire ?? "*", right.path?.wire ?? "*")) < 0
    }

    static func precedes(_ left: SingleFieldIndex, _ right: SingleFieldIndex) -> Bool {
        first(
            compareScopes(left.scope, right.scope), compareModes(left.mode.fieldMode, right.mode.fieldMode)) < 0
    }

    private static func first(_ orders: Int...) -> Int { orders.first { $0 != 0 } ?? 0 }

    private static func number(_ flag: Bool) -> Int { flag ? 1 : 0 }

    private static func compareScopes(_ left: QueryScope, _ right: QueryScope) -> Int {
        number(left == .collection) - number(right == .collection)
    }

    private static func compareFields(_ left: [IndexField], _ right: [IndexField]) -> Int {
        for (a, b) in zip(left, right) {
            let order = first(compareNames(a.path.wire, b.path.wire), compareModes(a.mode, b.mode))
            if order != 0 { return order }
        }
        return left.count - right.count
    }

    /// Ascending, descending, contains, vectors by dimension.
    private static func compareModes(_ left: IndexFieldMode, _ right: IndexFieldMode) -> Int {
        func rank(_ mode: IndexFieldMode) -> (Int, Int) {
            switch mode {
            case .order(.ascending): (0, 0)
            case .order(.descending): (1, 0)
            case .contains: (2, 0)
            case .vector(let dimension): (3, dimension)
            }
        }
        let (a, b) = (rank(left), rank(right))
        return first(a.0 - b.0, a.1 - b.1)
    }
}

// MARK: - Names

extension CanonicalOrder {
    /// Compares ASCII text as JavaScript's `localeCompare` does in the root locale: punctuation, digits, then letters
    /// regardless of case, with lower case first on a tie. Other characters sort after ASCII, by code point.
    static func compareNames(_ left: String, _ right: String) -> Int {
        let a = Array(left.unicodeScalars)
        let b = Array(right.unicodeScalars)
        let primary = compare(a.map(weight), b.map(weight))
        if primary != 0 { return primary }
        for (x, y) in zip(a, b) where x != y { return x.value > y.value ? -1 : 1 }
        return 0
    }

    private static func compare(_ left: [UInt32], _ right: [UInt32]) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    private static func weight(_ scalar: Unicode.Scalar) -> UInt32 {
        guard scalar.isASCII else { return scalar.value }
        return UInt32(asciiWeights[Int(scalar.value)])
    }

    private static let asciiWeights: [UInt8] = {
        var weights = [UInt8](repeating: 0, count: 128)
        let order = Array("\t\n\u{0B}\u{0C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789".utf8)
        for (index, byte) in order.enumerated() { weights[Int(byte)] = UInt8(index + 1) }
        for (index, letter) in "abcdefghijklmnopqrstuvwxyz".utf8.enumerated() {
            weights[Int(letter)] = UInt8(order.count + index + 1)
            weights[Int(letter) - 32] = UInt8(order.count + index + 1)
        }
        return weights
    }()
}
