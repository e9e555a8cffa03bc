// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// A scan of the index that a hint names. It contains every row of a branch.
enum PreparedHint: Sendable {
    case documents
    case index(PreparedScan)

    func bound(to disjunct: Disjunct, names: NameSpace) -> AccessPath {
        switch self {
        case .documents: .documents(DocumentScan(disjunct, in: names))
        case .index(let scan): .index(scan.bound(to: disjunct, names: names))
        }
    }
}

/// Finds the index that a hint names.
struct HintResolver {
    let hint: IndexHint
    let selector: IndexSelector
    let orders: [Order]

    private var catalog: IndexCatalog { selector.catalog }
    private var scope: QueryScope { selector.scope }

    /// One result for each branch. A failure applies only to queries in which a disjunct of that branch can match.
    func prepared(
        _ branches: [Disjunct], isVectorSearch: Bool
    ) throws(IndexHintError) -> [Result<PreparedHint, IndexHintError>] {
        guard !isVectorSearch else { throw .vectorSearch }
        if hint.fields.isEmpty, hint.nameDirection == .ascending { return branches.map { _ in .success(.documents) } }
        guard let group = selector.collectionGroup else { throw .unknown(hint, collectionGroup: "") }
        let (index, definition) = try index(of: group)
        return branches.map { disjunct in
            AlternativeScanFinder(disjunct, orders, catalog, group, scope).scan(of: definition, as: index)
                .map { .index($0) }.mapError { .doesNotCover(hint, $0.path) }
        }
    }

    /// The index, and its definition as entries are stored.
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

    /// An ascending entry serves both directions.
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
