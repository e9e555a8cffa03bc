// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// A query's plan without values, which a ``PlanKey`` and a catalog determine. Binding the values of a query with
/// that key gives its plan.
final class PreparedQuery: Sendable {
    let key: PlanKey
    let catalog: IndexCatalog
    /// Whether any filter takes a list, or is on `__name__`: then its operand is checked.
    let hasLists: Bool
    let hasNameFilters: Bool
    private let outline: QueryOutline
    private let parent: DocumentPath?
    /// For each branch of the disjunctive normal form, how production finds its rows.
    private let planned: [PreparedDisjunct]
    /// For each branch that joins indexes, a composite that covers the same when read backwards, if there is one.
    private let backwards: [PreparedDisjunct?]
    /// For each branch, the index that the query names. Nil without a hint.
    private let hinted: [Result<PreparedHint, IndexHintError>]?
    /// Whether scans may be all that the plan says besides offset and limit.
    private let isPlain: Bool
    /// Whether there is one disjunct.
    private let isConjunction: Bool
    /// See ``DisjunctiveForm/onlyList(of:)``.
    private let list: Int?

    /// The query must be valid.
    ///
    /// - Parameter isScanned: whether to read the documents of the scope without an index, as in permissive mode.
    init(
        _ query: Query, _ aggregations: [Aggregation]?, _ catalog: IndexCatalog, isScanned: Bool
    ) throws(PlanningError) {
        key = PlanKey(query, aggregations)
        self.catalog = catalog
        parent = query.parent
        let leaves = query.filter?.leaves ?? []
        hasLists = leaves.contains(where: \.takesList)
        hasNameFilters = leaves.contains { $0.path!.isDocumentName }
        do throws(InvalidQueryError) {
            outline = try Normalizer.outline(of: query, aggregations)
        } catch {
            throw .invalid(error)
        }
        let planner = BranchPlanner(query, outline, catalog)
        (planned, backwards) = try isScanned ? planner.scanned() : planner.indexed()
        hinted = try planner.hinted()
        isPlain =
            aggregations == nil && query.projection == nil && query.hint == nil && !query.limitToLast
        isConjunction = DisjunctiveForm.isConjunction(query.filter)
        list = isConjunction ? nil : DisjunctiveForm.onlyList(of: query.filter)
    }

    /// The plan of a valid query that has this key.
    func plan(for query: Query) throws(PlanningError) -> QueryPlan {
        let names = names(of: query)
        return try plan(query, names, DisjunctiveForm.disjuncts(of: query.filter, names: names))
    }

    /// The plan of a valid query that has this key, or its scans if they are enough to find its rows.
    ///
    /// - Parameter leaves: the query's filters on single fields.
    func access(to query: Query, leaves: [Filter]) throws(PlanningError) -> QueryAccess {
        guard isPlain, query.offset == 0, query.limit != 0 else { return .plan(try plan(for: query)) }
        guard isConjunction else {
            if let list, let access = scans(of: query, leaves, list) { return access }
            return .plan(try plan(for: query))
        }
        let names = names(of: query)
        let disjunct = Disjunct(leaves, names: names)
        guard !disjunct.matchesNothing else { return .plan(try plan(query, names, [])) }
        let cursors = CursorBounds(query, orders: outline.orders, names: names)
        if let scan = planned[0].scan(for: disjunct, names, cursors), !scan.hasResidualFilter { return .scan(scan) }
        return .plan(try plan(query, names, [disjunct]))
    }

    /// The scans for the values of the only list, if they are enough and more than one value can match; otherwise nil.
    private func scans(of query: Query, _ leaves: [Filter], _ list: Int) -> QueryAccess? {
        guard case .field(let path, let op, .array(let values)) = leaves[list] else { return nil }
        let isMembership = op == .arrayContainsAny
        let matching = values.filter { !(isMembership ? $0.isNeverAnElement : $0.equalsNothing) }
        guard matching.count > 1 else { return nil }
        var filters = leaves
        filters[list] = .field(path, isMembership ? .arrayContains : .equal, matching[0])
        let names = names(of: query)
        let disjunct = Disjunct(filters, names: names)
        guard !disjunct.matchesNothing else { return nil }
        let place = isMembership ? .membership : disjunct.place(of: path)
        let cursors = CursorBounds(query, orders: outline.orders, names: names)
        guard let found = planned[0].scans(for: matching, at: place, disjunct, names, cursors),
            !found.scan.hasResidualFilter
        else { return nil }
        return .scans(found.scan, prefixes: found.prefixes)
    }

    private func names(of query: Query) -> NameSpace {
        NameSpace(scope: query.parent == parent ? outline.scope : Normalizer.scope(of: query))
    }

    private func plan(
        _ query: Query, _ names: NameSpace, _ disjuncts: [Disjunct]
    ) throws(PlanningError) -> QueryPlan {
        let normalized = NormalizedQuery(query, outline, names, disjuncts)
        var plans: [DisjunctPlan] = []
        if query.limit != 0 {
            plans.reserveCapacity(disjuncts.count)
            for disjunct in disjuncts { plans.append(planned[disjunct.branch].bound(to: disjunct, of: normalized)) }
        }
        return QueryPlan(self, normalized, plans, hinted: try hintedPaths(disjuncts, names))
    }

    /// For each disjunct, a scan of the index that the query names. Nil without a hint.
    private func hintedPaths(_ disjuncts: [Disjunct], _ names: NameSpace) throws(PlanningError) -> [AccessPath]? {
        guard let hinted else { return nil }
        var paths: [AccessPath] = []
        do throws(IndexHintError) {
            for disjunct in disjuncts {
                paths.append(try hinted[disjunct.branch].get().bound(to: disjunct, names: names))
            }
        } catch {
            throw .hint(error)
        }
        return paths
    }

    /// The plan of a composite index read backwards instead of a join; nil if there is none.
    func backwards(_ disjunct: Disjunct, of query: NormalizedQuery) -> DisjunctPlan? {
        backwards[disjunct.branch]?.bound(to: disjunct, of: query)
    }
}

/// Selects the indexes for the branches of a query.
private struct BranchPlanner {
    let query: Query
    let outline: QueryOutline
    let selector: IndexSelector

    init(_ query: Query, _ outline: QueryOutline, _ catalog: IndexCatalog) {
        self.query = query
        self.outline = outline
        selector = IndexSelector(
            catalog: catalog, collectionGroup: query.from.collectionID,
            scope: query.from.allDescendants ? .collectionGroup : .collection)
    }

    func scanned() -> ([PreparedDisjunct], [PreparedDisjunct?]) {
        (
            outline.branches.map { _ in PreparedDisjunct(.fullScan, orders: outline.orders) },
            outline.branches.map { _ in nil }
        )
    }

    /// - Throws: the missing index of the first branch that is not served.
    func indexed() throws(PlanningError) -> ([PreparedDisjunct], [PreparedDisjunct?]) {
        var planned: [PreparedDisjunct] = []
        var reversed: [PreparedDisjunct?] = []
        var last: (requirement: IndexRequirement, selection: IndexSelection)?
        for disjunct in outline.branches {
            let requirement = IndexRequirement(disjunct, orders: outline.orders, nearest: query.nearest)
            if last?.requirement != requirement {
                guard let selection = selector.selection(for: requirement) else {
                    throw .missingIndex(MissingIndexError(requirement, query: query, selector: selector))
                }
                last = (requirement, selection)
            }
            guard let last else { continue }
            planned.append(prepared(disjunct, last.selection))
            reversed.append(backwards(disjunct, requirement, last.selection))
        }
        return (planned, reversed)
    }

    private func prepared(_ disjunct: Disjunct, _ selection: IndexSelection) -> PreparedDisjunct {
        guard case .indexes(let candidates) = selection else {
            return PreparedDisjunct(
                .documents(backwards: outline.orders[0].direction == .descending), orders: outline.orders)
        }
        // A composite has the query's directions. An automatic index is stored ascending.
        let isDescending = outline.orders[outline.orders.count - 1].direction == .descending
        let scans = candidates.map { candidate in
            candidate.scan(for: disjunct, backwards: isDescending && candidate.index.isAutomatic)
        }
        let access: PreparedDisjunct.Access =
            scans.count > 1 ? .join(scans) : query.nearest != nil ? .nearest(scans[0]) : .index(scans[0])
        return PreparedDisjunct(access, orders: outline.orders, dropped: candidates[0].dropped)
    }

    private func backwards(
        _ disjunct: Disjunct, _ requirement: IndexRequirement, _ selection: IndexSelection
    ) -> PreparedDisjunct? {
        guard case .indexes(let members) = selection, members.count > 1,
            let candidate = selector.compositeForReading(backwards: requirement)
        else { return nil }
        return PreparedDisjunct(
            .index(candidate.scan(for: disjunct, backwards: true)), orders: outline.orders, dropped: candidate.dropped)
    }

    /// One for each branch. Nil without a hint.
    func hinted() throws(PlanningError) -> [Result<PreparedHint, IndexHintError>]? {
        guard let hint = query.hint else { return nil }
        do throws(IndexHintError) {
            let resolver = HintResolver(hint: hint, selector: selector, orders: outline.orders)
            return try resolver.prepared(outline.branches, isVectorSearch: query.nearest != nil)
        } catch {
            throw .hint(error)
        }
    }
}

extension Candidate {
    fileprivate func scan(for disjunct: Disjunct, backwards: Bool) -> PreparedScan {
        switch index {
        case .automatic(_, let path, let single):
            return PreparedScan(
                index, fields: [IndexField(path, single.mode == .contains ? .contains : .order(.ascending))],
                prefixCount: prefixCount, backwards: backwards, for: disjunct)
        case .composite(let definition):
            var fields = definition.fields
            if case .vector? = fields.last?.mode { fields.removeLast() }
            return PreparedScan(
                index, fields: fields, prefixCount: prefixCount, nameDirection: definition.nameDirection,
                backwards: backwards, for: disjunct)
        }
    }
}

extension IndexReference {
    fileprivate var isAutomatic: Bool { if case .automatic = self { true } else { false } }
}
