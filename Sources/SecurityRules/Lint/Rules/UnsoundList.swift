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
            a get('f', default) with whose default the condition holds, and the negation of in, is and hasAny(). The official emulator returns these documents. (It also believes any comparison with true or \
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
                let sites = reached.reader.truths.keys.sorted()
                let wanted = wantedAnswers(statement, conditions)
                for site in sites {
                    guard let form = form(site, wanted, conditions) else { continue }
                    report(
                        conditions.place(site, in: statement),
                        "\(form) holds for queries whatever the documents are, so that they return documents that a get "
                            + "is refused: compare a field that every document has", nil)
                }
            }
        })

    private static func form(_ site: Site, _ wanted: [Site: Bool], _ conditions: ConditionReader) -> String? {
        if holdsByDefault(site, wanted, conditions) { return defaultForm }
        if let inner = denied(site, conditions), let form = negated(inner, conditions) {
            // What holds by its default is named where it stands.
            return holdsByDefault(inner, wanted, conditions) ? nil : form
        }
        return unsoundForm(site, wanted[site], conditions)
    }

    /// What a condition says that it is false: `!x`, `x == false`, `x != true`.
    private static func denied(_ site: Site, _ conditions: ConditionReader) -> Site? {
        if case .not(let inner) = conditions.kind(site) {
            return conditions.resolved(conditions.sibling(inner, of: site))
        }
        guard let equality = conditions.equality(site) else { return nil }
        if conditions.isConstant(equality.isNegated, equality.right) { return equality.left }
        return conditions.isConstant(equality.isNegated, equality.left) ? equality.right : nil
    }

    /// - Parameter wanted: the answer that the condition should give, if that is known.
    private static func unsoundForm(_ site: Site, _ wanted: Bool?, _ conditions: ConditionReader) -> String? {
        switch conditions.kind(site) {
        case .method(let receiver, "hasOnly", _) where readsKeys(conditions.sibling(receiver, of: site), conditions):
            return "hasOnly() on the keys"
        case .binary(let binary, let left, let right):
            let (left, right) = (conditions.sibling(left, of: site), conditions.sibling(right, of: site))
            if ![.and, .or, .in].contains(binary) {
                let isUnsound = [(binary, left), (binary.mirrored, right)].contains {
                    boundsSize($0, $1, wanted, conditions)
                }
                if isUnsound { return "the size of resource.data" }
            }
            let isMap = binary == .equal && (readsMap(left, right, conditions) || readsMap(right, left, conditions))
            return isMap ? "the comparison with a whole map" : nil
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
        case .method(let receiver, let name, _):
            let receiver = conditions.sibling(receiver, of: inner)
            if name == "hasAny" || name == "hasAll", readsKeys(receiver, conditions) { return "the absence of a field" }
            // Of a list a query knows some elements at most. All others count as missing.
            let isList = name == "hasAny" && conditions.field(receiver, isNew: false)?.isEmpty == false
            return isList ? "the negation of hasAny()" : nil
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

    /// Whether a comparison asks for more of a size than that it is at least so large. Documents have no fewer fields than
    /// the query has filters for.
    private static func boundsSize(
        _ binary: BinaryOperator, _ side: Site, _ wanted: Bool?, _ conditions: ConditionReader
    ) -> Bool {
        guard readsSize(side, conditions) else { return false }
        let isAtLeast =
            switch (binary, wanted) {
            case (.greater, true?), (.greaterOrEqual, true?), (.less, false?), (.lessOrEqual, false?): true
            default: false
            }
        return !isAtLeast || readsDiff(side, conditions)
    }

    /// A difference may get smaller with more fields.
    private static func readsDiff(_ site: Site, _ conditions: ConditionReader) -> Bool {
        conditions.contains(site) { site in
            if case .method(_, "diff", _) = conditions.kind(site) { true } else { false }
        }
    }

    private static func readsSize(_ site: Site, _ conditions: ConditionReader) -> Bool {
        let site = conditions.resolved(site)
        guard case .method(let receiver, "size", _) = conditions.kind(site) else { return false }
        let inner = conditions.sibling(receiver, of: site)
        return conditions.field(inner, isNew: false)?.isEmpty == true || readsKeys(inner, conditions)
    }

    private static func readsMap(_ side: Site, _ other: Site, _ conditions: ConditionReader) -> Bool {
        guard case .map = conditions.kind(conditions.resolved(other)) else { return false }
        return conditions.field(side, isNew: false) != nil
    }
}
