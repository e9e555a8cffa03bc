// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension SecurityLintRule {
    static let unsoundList = SecurityLintRule(
        id: "unsound-list", severity: .warning, title: "queries return documents that the rule forbids",
        explanation: """
            A query is decided from its filters alone: a field without a filter looks as if the document did not have it. So \
            conditions on what a document lacks hold for every query, and the query returns documents for which a single \
            read is refused: !('f' in resource.data), keys().hasOnly([…]), diff(…), size(), resource.data == {…}, \
            get('f', default) == default, and the negation of in and is. The official emulator returns these documents. (It also believes any comparison with true or \
            false of a field that the query compares with null or NaN, and 'field != int' of a query that wants an equal float; \
            only queries written by hand do that, and no finding names it.)

            In rules for list, compare fields with values: resource.data.hidden == false, so that a query must have the \
            filter. Store the field in every document.
            """,
        wrong: """
            match /posts/{post} {
              allow list: if !('hidden' in resource.data);
            }
            """,
        right: """
            match /posts/{post} {
              allow list: if resource.data.hidden == false;
            }
            """,
        check: { rules, report in
            for statement in rules.statements(allowing: MethodSet(.list)) {
                let conditions = rules.conditions
                let reached = conditions.reached(statement, .list)
                guard reached.truths.mayBeTrue else { continue }
                for site in reached.reader.truths.keys.sorted() {
                    guard let form = unsoundForm(site, conditions) else { continue }
                    report(
                        conditions.place(site, in: statement),
                        "\(form) holds for queries whatever the documents are, so that they return documents that a get "
                            + "is refused: compare a field that every document has", nil)
                }
            }
        })

    private static func unsoundForm(_ site: Site, _ conditions: ConditionReader) -> String? {
        switch conditions.kind(site) {
        case .not(let inner): return negated(conditions.resolved(conditions.sibling(inner, of: site)), conditions)
        case .method(let receiver, "hasOnly", _) where readsKeys(conditions.sibling(receiver, of: site), conditions):
            return "hasOnly() on the keys"
        case .binary(let binary, let left, let right):
            let (left, right) = (conditions.sibling(left, of: site), conditions.sibling(right, of: site))
            if ![.and, .or, .in].contains(binary), readsSize(left, conditions) || readsSize(right, conditions) {
                return "the size of resource.data"
            }
            guard binary == .equal || binary == .notEqual else { return nil }
            return compared(left, right, binary, conditions) ?? compared(right, left, binary, conditions)
        default: return nil
        }
    }

    private static func negated(_ inner: Site, _ conditions: ConditionReader) -> String? {
        switch conditions.kind(inner) {
        case .binary(.in, let left, let right):
            let (left, right) = (conditions.sibling(left, of: inner), conditions.sibling(right, of: inner))
            if conditions.field(right, isNew: false)?.isEmpty == true || readsKeys(right, conditions) {
                return "the absence of a field"
            }
            return conditions.field(left, isNew: false)?.isEmpty == false ? "the negation of in" : nil
        case .typeTest(let operand, _):
            let field = conditions.field(conditions.sibling(operand, of: inner), isNew: false)
            return field?.isEmpty == false ? "the negation of is" : nil
        case .method(let receiver, let name, let arguments):
            let receiver = conditions.sibling(receiver, of: inner)
            if name == "hasAny" || name == "hasAll", readsKeys(receiver, conditions) { return "the absence of a field" }
            if name == "get", arguments.count == 2, conditions.field(receiver, isNew: false) != nil,
                conditions.isConstant(false, conditions.sibling(arguments[1], of: inner))
            {
                return "the default of get()"
            }
            return nil
        default: return nil
        }
    }

    private static func readsKeys(_ site: Site, _ conditions: ConditionReader) -> Bool {
        let site = conditions.resolved(site)
        guard case .method(let receiver, let name, _) = conditions.kind(site) else { return false }
        let inner = conditions.sibling(receiver, of: site)
        switch name {
        case "keys": return conditions.field(inner, isNew: false) != nil
        case "toSet", "removeAll", "difference", "intersection", "union", "concat": return readsKeys(inner, conditions)
        case "affectedKeys", "addedKeys", "removedKeys", "changedKeys", "unchangedKeys":
            let diff = conditions.resolved(inner)
            guard case .method(let left, "diff", let operands) = conditions.kind(diff) else { return false }
            return ([left] + operands).contains {
                conditions.field(conditions.sibling($0, of: diff), isNew: false) != nil
            }
        default: return false
        }
    }

    private static func readsSize(_ site: Site, _ conditions: ConditionReader) -> Bool {
        let site = conditions.resolved(site)
        guard case .method(let receiver, "size", _) = conditions.kind(site) else { return false }
        let inner = conditions.sibling(receiver, of: site)
        return conditions.field(inner, isNew: false)?.isEmpty == true || readsKeys(inner, conditions)
    }

    private static func compared(
        _ side: Site, _ other: Site, _ binary: BinaryOperator, _ conditions: ConditionReader
    ) -> String? {
        let (side, other) = (conditions.resolved(side), conditions.resolved(other))
        if binary == .equal, case .map = conditions.kind(other), conditions.field(side, isNew: false) != nil {
            return "the comparison with a whole map"
        }
        guard case .method(let receiver, "get", let arguments) = conditions.kind(side), arguments.count == 2,
            conditions.field(conditions.sibling(receiver, of: side), isNew: false) != nil,
            case .constant(let standIn) = conditions.kind(
                conditions.resolved(conditions.sibling(arguments[1], of: side))),
            case .constant(let value) = conditions.kind(other)
        else { return nil }
        return standIn.equals(value) == (binary == .equal) ? "the default of get()" : nil
    }
}
