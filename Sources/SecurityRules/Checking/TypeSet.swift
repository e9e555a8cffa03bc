// SPDX-License-Identifier: Apache-2.0

/// The types that an expression may have, in the order of the messages. Nil in place of a set means any type.
struct TypeSet: ExpressibleByArrayLiteral {
    let types: [RuleType]

    init(arrayLiteral elements: RuleType...) {
        types = elements
    }

    init(_ types: [RuleType]) {
        self.types = types
    }

    var names: String { "[" + types.map(\.rawValue).joined(separator: ", ") + "]" }

    func meets(_ other: TypeSet) -> Bool { types.contains { other.types.contains($0) } }

    func intersection(_ other: TypeSet) -> TypeSet { TypeSet(types.filter { other.types.contains($0) }) }

    /// Whether a value of one may equal a value of the other: int and float may.
    func isComparable(with other: TypeSet) -> Bool {
        let numbers: TypeSet = [.int, .float]
        return meets(other) || (meets(numbers) && other.meets(numbers))
    }
}
