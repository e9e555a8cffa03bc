// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Lists compare their elements strictly: int and float differ.
enum ListMethods {
    static func call(
        _ method: Method, _ elements: RuleList, _ arguments: [RuleValue], _ room: Int
    ) throws(EvaluationError) -> RuleValue? {
        switch (method, arguments.count) {
        case (.size, 0): return .int(Int64(elements.count))
        case (.toSet, 0): return .set(try SetMethods.make(elements.values))
        case (.join, 1):
            guard case .string(let separator) = arguments[0] else { return nil }
            return .string(try join(elements, separator, room))
        default: break
        }
        guard arguments.count == 1, case .list(let others) = arguments[0] else { return nil }
        switch method {
        case .hasAll: return .bool(contained(others, in: elements))
        case .hasOnly: return .bool(contained(elements, in: others))
        case .hasAny:
            let index = ValueIndex(isStrict: true, others.values)
            return .bool(elements.contains(where: index.contains))
        case .concat: return .list(RuleList(elements.values + others.values))
        case .removeAll:
            let index = ValueIndex(isStrict: true, others.values)
            return .list(RuleList(elements.filter { !index.contains($0) }))
        default: return nil
        }
    }

    private static func contained(_ elements: RuleList, in others: RuleList) -> Bool {
        let index = ValueIndex(isStrict: true, others.values)
        return elements.allSatisfy(index.contains)
    }

    /// Elements are written as `string()` writes them.
    private static func join(
        _ elements: RuleList, _ separator: Text, _ room: Int
    ) throws(EvaluationError) -> Text {
        let between = separator.utf16Units
        var units: [UInt16] = []
        for (place, element) in elements.enumerated() {
            guard units.count <= room else { break }
            if place > 0 { units += between }
            guard case .string(let text)? = Conversions.string(element) else {
                throw BuiltIns.mismatch("string", [element], Signatures.of(.string))
            }
            units += text.utf16Units
        }
        return Text(utf16: units)
    }
}

/// Of a list of which a query knows some elements. What is not known counts as missing: the official proof is unsound.
enum ConstraintMethods {
    static func call(
        _ method: Method, _ constraint: Constraint, _ arguments: [RuleValue]
    ) -> RuleValue? {
        guard method == .hasAny, arguments.count == 1, case .list(let elements) = arguments[0] else { return nil }
        return .bool(elements.contains(where: constraint.contains))
    }
}
