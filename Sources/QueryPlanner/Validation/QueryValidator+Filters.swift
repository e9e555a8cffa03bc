// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryValidator {
    /// Checks operands, negations and filters on `__name__`, in the order of Q-47.
    static func checkFilters(
        _ query: Query, leaves: [Filter], database: DatabaseID, _ known: PreparedQuery?
    ) throws(InvalidQueryError) {
        if known == nil, let filter = query.filter { try checkComposites(filter) }
        if known?.hasLists ?? true {
            for leaf in leaves where leaf.takesList { try checkOperand(leaf) }
        }
        if known == nil {
            try checkNegations(leaves)
            try checkNotIn(query.filter, leaves: leaves)
        }
        if known?.hasNameFilters ?? true {
            for leaf in leaves where leaf.path!.isDocumentName { try checkNameFilter(leaf, database: database) }
        }
    }

    /// Q-27.
    private static func checkComposites(_ filter: Filter) throws(InvalidQueryError) {
        switch filter {
        case .field, .unary: return
        case .or(let filters) where filters.isEmpty:
            throw InvalidQueryError("Composite filter must have at least one sub-filter.")
        case .and(let filters), .or(let filters):
            for filter in filters { try checkComposites(filter) }
        }
    }

    /// Q-30, the type only. Q-47 checks the length of the list later.
    private static func checkOperand(_ leaf: Filter) throws(InvalidQueryError) {
        guard case .field(_, let op, let operand) = leaf else { return }
        guard case .array(let elements) = operand else {
            throw InvalidQueryError("'\(op.rawValue)' requires an ArrayValue.")
        }
        guard !elements.isEmpty else {
            throw InvalidQueryError("'\(op.rawValue)' requires an non-empty ArrayValue.")
        }
    }

    /// Q-32.
    private static func checkNegations(_ leaves: [Filter]) throws(InvalidQueryError) {
        guard leaves.count(where: \.isNegation) <= 1 else {
            throw InvalidQueryError(
                "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.")
        }
    }

    /// Q-33.
    private static func checkNotIn(_ filter: Filter?, leaves: [Filter]) throws(InvalidQueryError) {
        guard let filter, leaves.contains(where: { $0.hasOperator(.notIn) }) else { return }
        let conflicts = leaves.contains { $0.hasOperator(.in) || $0.hasOperator(.arrayContainsAny) }
        guard !conflicts, !filter.containsDisjunction else {
            throw InvalidQueryError(
                "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
        }
    }

    /// Q-40.
    private static func checkNameFilter(_ leaf: Filter, database: DatabaseID) throws(InvalidQueryError) {
        guard case .field(_, let op, let operand) = leaf else {
            throw InvalidQueryError("__key__ filter value must be a Key")
        }
        guard op != .arrayContains, op != .arrayContainsAny else {
            throw InvalidQueryError("the name __key__ is reserved")
        }
        var operands = [operand]
        if op.takesList, case .array(let elements) = operand { operands = elements }
        for operand in operands {
            guard case .reference(let reference) = operand else {
                throw InvalidQueryError("__key__ filter value must be a Key")
            }
            guard reference.database == database else {
                throw InvalidQueryError(
                    "The request was for database '\(database.resourceName)' but was attempting to access database "
                        + "'\(reference.database.resourceName)'")
            }
            try checkDocumentName(reference)
        }
    }

    /// Q-42.
    static func checkNameEquality(_ leaves: [Filter]) throws(InvalidQueryError) {
        let names = leaves.filter { $0.path!.isDocumentName }
        guard names.contains(where: { $0.hasOperator(.equal) || $0.hasOperator(.in) }) else { return }
        guard !names.contains(where: \.isInequality) else { return }
        guard !leaves.contains(where: \.isInequality) else {
            throw InvalidQueryError(
                "Equality on key is not allowed if there are other inequality fields and key does not appear in "
                    + "inequalities.")
        }
    }

    /// Q-30, Q-28, Q-31, Q-34, Q-35, in this order.
    static func checkSizes(_ query: Query, leaves: [Filter], _ known: PreparedQuery?) throws(InvalidQueryError) {
        if known?.hasLists ?? true {
            for leaf in leaves where leaf.takesList {
                guard case .field(_, let op, .array(let elements)) = leaf else { continue }
                guard elements.count <= op.maximumListCount else {
                    throw InvalidQueryError("'\(op.rawValue)' supports up to \(op.maximumListCount) comparison values.")
                }
            }
            try checkDisjunctiveForm(query, leaves: leaves)
        }
        for leaf in leaves { try checkOperandSize(leaf) }
    }

    private static func checkDisjunctiveForm(_ query: Query, leaves: [Filter]) throws(InvalidQueryError) {
        let size = DisjunctiveFormSize(of: query.filter ?? .and([]))
        guard size.disjuncts <= 30 else {
            throw InvalidQueryError(
                "Too many disjunctions after normalization. Result had \(size.disjuncts) disjunctions which is more "
                    + "than the maximum of 30")
        }
        guard size.memberships <= 1 else {
            throw InvalidQueryError("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
        }
        try checkInequalityFields(leaves)
        let ancestors = query.parent == nil ? 0 : 1
        guard size.filters + query.orders.count + ancestors <= 100 else {
            throw InvalidQueryError(
                "The query may not have more than 100 filters + sort orders + ancestor total. Currently there are "
                    + "\(size.filters) filters, \(query.orders.count) sort orders, and "
                    + "\(ancestors == 0 ? "no" : "one") ancestor filter.")
        }
    }

    private static func checkInequalityFields(_ leaves: [Filter]) throws(InvalidQueryError) {
        guard leaves.count > 10 else { return }
        // The number of filters has no bound yet.
        var seen: Set<FieldPath> = []
        var fields: [FieldPath] = []
        for leaf in leaves where leaf.isInequality && seen.insert(leaf.path!).inserted { fields.append(leaf.path!) }
        guard fields.count > 10 else { return }
        let names = fields.map { "\($0)" }
        let list = HashOrder.sorted(names).map { names[$0] }.joined(separator: ", ")
        throw InvalidQueryError(
            "The query contains \(fields.count) distinct inequality fields: [\(list)]. A query may not have more than "
                + "10 distinct inequality fields.")
    }

    /// An index stores 1,500 bytes of a value (V-22). Production refuses to search for a value that may be truncated.
    /// This is recorded for EQUAL with a string of 1,500 bytes and for ARRAY_CONTAINS. Cursors and ranges accept long
    /// values.
    private static func checkOperandSize(_ leaf: Filter) throws(InvalidQueryError) {
        guard case .field(let path, let op, let operand) = leaf else { return }
        let fits =
            switch (op, operand) {
            case (.equal, _), (.arrayContains, _): DocumentSize.size(of: operand) <= 1_500
            case (.in, .array(let elements)), (.arrayContainsAny, .array(let elements)):
                elements.allSatisfy { DocumentSize.size(of: $0) <= 1_500 }
            default: true
            }
        guard fits || path.isDocumentName else {
            let element = op == .arrayContains || op == .arrayContainsAny ? "[*]" : ""
            throw InvalidQueryError("value for \(path)\(element) is too large to be used in a query")
        }
    }
}

extension Filter {
    var takesList: Bool { if case .field(_, let op, _) = self { op.takesList } else { false } }

    fileprivate func hasOperator(_ wanted: FieldOperator) -> Bool {
        if case .field(_, wanted, _) = self { true } else { false }
    }
}
