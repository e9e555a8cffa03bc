// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// Decides whether production would run a query under a catalogue, and how it is run (I-25 to I-45).
///
/// A pure function of the query and the catalogue; the documents have no part in it.
package enum Planner {
    /// - Parameter cache: what is known of this catalogue, if anything is to be remembered.
    package static func plan(
        _ query: Query, catalog: IndexCatalog, database: DatabaseID, cache: AdmissionCache? = nil
    ) throws(PlanningError) -> QueryPlan {
        try plan(query, cache?.shape(of: query), catalog, database, cache)
    }

    private static func plan(
        _ query: Query, _ shape: KnownShape?, _ catalog: IndexCatalog, _ database: DatabaseID, _ cache: AdmissionCache?
    ) throws(PlanningError) -> QueryPlan {
        guard let shape else { return try plan(normalForm(of: query, database: database), catalog: catalog, cache) }
        do throws(InvalidQueryError) { return try shape.plan(query) } catch { throw .invalid(error) }
    }

    /// The plan of a query, or as much of it as finding its rows takes.
    package static func access(
        _ query: Query, catalog: IndexCatalog, database: DatabaseID, cache: AdmissionCache
    ) throws(PlanningError) -> QueryAccess {
        let shape = cache.shape(of: query)
        do throws(InvalidQueryError) {
            if let scan = try shape?.scan(query) { return .scan(scan) }
        } catch {
            throw .invalid(error)
        }
        return .plan(try plan(query, shape, catalog, database, cache))
    }

    package static func plan(
        _ query: AggregationQuery, catalog: IndexCatalog, database: DatabaseID, cache: AdmissionCache? = nil
    ) throws(PlanningError) -> QueryPlan {
        try plan(normalForm(of: query, database: database), catalog: catalog, cache)
    }

    /// The plan of permissive mode: every disjunct reads the documents of the scope, filters and sorts them. Throws no
    /// ``PlanningError/missingIndex(_:)``.
    ///
    /// A row counts only if it has every field of ``NormalizedQuery/orders``; its sort key parts are the document's
    /// own values, `.suffix(i)` that of order `i`.
    package static func planByScanning(
        _ query: Query, catalog: IndexCatalog? = nil, database: DatabaseID
    ) throws(PlanningError) -> QueryPlan {
        try planByScanning(try normalForm(of: query, database: database), catalog)
    }

    package static func planByScanning(
        _ query: AggregationQuery, catalog: IndexCatalog? = nil, database: DatabaseID
    ) throws(PlanningError) -> QueryPlan {
        try planByScanning(try normalForm(of: query, database: database), catalog)
    }

    private static func normalForm(of query: Query, database: DatabaseID) throws(PlanningError) -> NormalForm {
        do throws(InvalidQueryError) {
            try QueryValidator.validate(query, database: database)
        } catch {
            throw .invalid(error)
        }
        return Normalizer.normalForm(of: query, aggregations: [])
    }

    private static func normalForm(
        of query: AggregationQuery, database: DatabaseID
    ) throws(PlanningError) -> NormalForm {
        do throws(InvalidQueryError) {
            return try Normalizer.normalForm(of: query, database: database)
        } catch {
            throw .invalid(error)
        }
    }

    private static func plan(
        _ form: NormalForm, catalog: IndexCatalog, _ cache: AdmissionCache?
    ) throws(PlanningError) -> QueryPlan {
        let query = form.query
        let selector = IndexSelector(
            catalog: catalog, collectionGroup: query.query.from.collectionID,
            scope: query.query.from.allDescendants ? .collectionGroup : .collection)
        let builder = ScanBuilder(query)
        var plans: [DisjunctPlan] = []
        var known: (demand: Demand, selection: IndexSelection)?
        for disjunct in form.disjuncts {
            let demand = Demand(disjunct, query: query)
            if known?.demand != demand {
                guard let selection = selector.selection(for: demand, cache) else {
                    throw .missingIndex(MissingIndexError(demand, query: query, selector: selector))
                }
                known = (demand, selection)
            }
            guard let known, !disjunct.matchesNothing else { continue }
            plans.append(plan(disjunct, known.selection, builder))
        }
        if let cache, let known, let shape = KnownShape(query, known.selection, plans) { cache.note(shape) }
        return try QueryPlan(query: query, disjuncts: query.limit == 0 ? [] : plans).hinted(catalog)
    }

    static func plan(
        _ disjunct: Disjunct, _ selection: IndexSelection, _ builder: ScanBuilder
    ) -> DisjunctPlan {
        guard case .indexes(let candidates) = selection else {
            return DisjunctPlan(access: .documents(builder.documentScan(disjunct)), sortKey: [.suffix(0)])
        }
        let access: AccessPath =
            if candidates.count > 1 {
                .join(candidates.map { builder.scan($0, disjunct) })
            } else if builder.query.query.nearest != nil {
                .nearest(builder.scan(candidates[0], disjunct))
            } else {
                .index(builder.scan(candidates[0], disjunct))
            }
        return DisjunctPlan(
            access: access, sortKey: builder.sortKey(dropped: candidates[0].dropped, disjunct))
    }

    private static func planByScanning(
        _ form: NormalForm, _ catalog: IndexCatalog?
    ) throws(PlanningError) -> QueryPlan {
        let query = form.query
        let names = NameSpace(scope: query.scope)
        let plans = form.disjuncts.filter { !$0.matchesNothing }.map { disjunct in
            let ranges = disjunct.bound(of: .documentName)?.ranges ?? names.all
            return DisjunctPlan(
                access: .fullScan(DocumentScan(scope: query.scope, ranges: ranges, backwards: false)),
                sortKey: query.orders.indices.map { .suffix($0) })
        }
        let plan = QueryPlan(query: query, disjuncts: query.limit == 0 ? [] : plans)
        guard let catalog else { return plan }
        return try plan.hinted(catalog)
    }

    /// Where the rows of a full scan lie between the query's cursors: ranges over the concatenated key bytes of the orders'
    /// values, each in its order's direction, the name as in the scope's own keys.
    package static func cursorRanges(of query: NormalizedQuery) -> [KeyRange] {
        CursorBounds(orders: query.orders, names: NameSpace(scope: query.scope), backwards: false)
            .ranges(start: query.start, end: query.end, sources: query.orders.map { .stored($0.direction) })
    }
}
