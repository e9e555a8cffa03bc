// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Finds the index that a hint names and, for each disjunct, the scan of it that misses no row.
struct HintResolver {
    let hint: IndexHint
    let query: NormalizedQuery
    let catalog: IndexCatalog

    private var scope: QueryScope { query.query.from.allDescendants ? .collectionGroup : .collection }

    /// One path for each disjunct of the query.
    func paths() throws(IndexHintError) -> [AccessPath] {
        guard query.query.nearest == nil else { throw .vectorSearch }
        if hint.fields.isEmpty, hint.nameDirection == .ascending { return query.disjuncts.map { documents($0) } }
        guard let group = query.query.from.collectionID else { throw .unknown(hint, collectionGroup: "") }
        let (index, definition) = try index(of: group)
        var paths: [AccessPath] = []
        for conjunction in query.disjuncts {
            guard let finder = DriverFinder(query, conjunction, catalog) else { continue }
            switch finder.scan(of: definition, as: index) {
            case .success(let scan): paths.append(.index(scan))
            case .failure(let field): throw .doesNotCover(hint, field.path)
            }
        }
        return paths
    }

    private func documents(_ conjunction: Conjunction) -> AccessPath {
        let names = NameSpace(scope: query.scope)
        let ranges = Disjunct(conjunction.filters, names: names).bound(of: .documentName)?.ranges ?? names.all
        return .documents(DocumentScan(scope: query.scope, ranges: ranges, backwards: false))
    }

    /// The index, and the form in which its entries are stored.
    private func index(of group: Text) throws(IndexHintError) -> (IndexReference, IndexDefinition) {
        let alike = catalog.composites(of: group).filter {
            $0.definition.fields == hint.fields && $0.definition.nameDirection == hint.nameDirection
        }
        let inScope = alike.filter { scope == .collection || $0.definition.scope == .collectionGroup }
        if let ready = inScope.first(where: { $0.state == .ready }) {
            return (.composite(ready.definition), ready.definition)
        }
        if !inScope.isEmpty { throw .building(hint) }
        if let automatic = try automatic(of: group) { return automatic }
        throw alike.isEmpty ? .unknown(hint, collectionGroup: group) : .wrongScope(hint)
    }

    /// One entry, stored in ascending order, stands for both directions.
    private func automatic(of group: Text) throws(IndexHintError) -> (IndexReference, IndexDefinition)? {
        let definition = hint.definition(in: group, scope)
        guard let index = IndexSuggestion.singleFieldIndex(definition) else { return nil }
        let path = hint.fields[0].path
        let inForce = catalog.singleFieldIndexes(of: path, in: group)
        guard inForce.contains(index) else {
            guard !inForce.contains(where: { $0.mode == index.mode }) else { throw .wrongScope(hint) }
            return nil
        }
        guard catalog.readySingleFieldIndexes(of: path, in: group).contains(index) else { throw .building(hint) }
        let stored = SingleFieldIndex(index.mode == .contains ? .contains : .ascending, scope)
        return (
            .automatic(collectionGroup: group, path: path, index: index), stored.definition(of: path, in: group)
        )
    }
}

extension QueryPlan {
    /// The same plan, to be run over the index that the query names, if it names one.
    func hinted(_ catalog: IndexCatalog) throws(PlanningError) -> QueryPlan {
        guard let hint = query.query.hint else { return self }
        do throws(IndexHintError) {
            let paths = try HintResolver(hint: hint, query: query, catalog: catalog).paths()
            return QueryPlan(query: query, disjuncts: disjuncts, hinted: paths)
        } catch {
            throw .hint(error)
        }
    }
}
