// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Finds alternative scans for a disjunct: scans that contain every row, and perhaps other documents. If one is
/// short, reading, filtering and sorting its documents is cheaper than production's plan.
struct AlternativeScanFinder {
    private let disjunct: Disjunct
    private let orders: [Order]
    private let catalog: IndexCatalog
    private let group: Text
    private let scope: QueryScope

    /// Comparing more scans costs more than it gains.
    static let mostAutomatic = 4
    static let mostComposite = 3

    init(_ disjunct: Disjunct, _ orders: [Order], _ catalog: IndexCatalog, _ group: Text, _ scope: QueryScope) {
        self.disjunct = disjunct
        self.orders = orders
        self.catalog = catalog
        self.group = group
        self.scope = scope
    }

    /// Leaves out the index that production's own scan reads.
    func scans(besides planned: AccessPath, names: NameSpace) -> [AccessPath] {
        var scans = Array((equalityScans + rangeScans).prefix(AlternativeScanFinder.mostAutomatic))
            .map { $0.bound(to: disjunct, names: names) }
        scans += compositeScans(atLeast: scans.isEmpty ? 1 : 2, names)
        if case .index(let own) = planned {
            scans.removeAll { $0.index == own.index && $0.prefixCount == own.prefixCount }
        }
        var paths = scans.map { AccessPath.index($0) }
        if disjunct.bound(of: .documentName) != nil { paths.append(.documents(DocumentScan(disjunct, in: names))) }
        return paths
    }

    private var equalityScans: [PreparedScan] {
        var scans: [PreparedScan] = []
        for equality in disjunct.equalities {
            guard let index = automatic(equality.path, [.ascending, .descending]) else { continue }
            scans.append(scan(index, IndexField(equality.path, .order(.ascending)), prefixCount: 1))
        }
        if let membership = disjunct.membership, let index = automatic(membership.path, [.contains]) {
            scans.append(scan(index, IndexField(membership.path, .contains), prefixCount: 1))
        }
        return scans
    }

    private var rangeScans: [PreparedScan] {
        disjunct.bounds.compactMap { bound in
            guard !bound.path.isDocumentName, let index = automatic(bound.path, [.ascending, .descending]) else {
                return nil
            }
            return scan(index, IndexField(bound.path, .order(.ascending)), prefixCount: 0)
        }
    }

    private func scan(_ index: IndexReference, _ field: IndexField, prefixCount: Int) -> PreparedScan {
        PreparedScan(index, fields: [field], prefixCount: prefixCount, for: disjunct)
    }

    /// One stored entry serves both directions.
    private func automatic(_ path: FieldPath, _ modes: [SingleFieldIndex.Mode]) -> IndexReference? {
        let inForce = catalog.readySingleFieldIndexes(of: path, in: group)
        return modes.lazy.map { SingleFieldIndex($0, scope) }.first { inForce.contains($0) }
            .map { .automatic(collectionGroup: group, path: path, index: $0) }
    }

    /// Composite indexes that bind at least `minimum` fields, those that bind most first.
    private func compositeScans(atLeast minimum: Int, _ names: NameSpace) -> [IndexScan] {
        var firstFields: [FieldPath?] = disjunct.equalities.map(\.path) + disjunct.bounds.map(\.path)
        if let membership = disjunct.membership { firstFields.append(membership.path) }
        var found: [(scan: IndexScan, bound: Int)] = []
        for composite in catalog.composites(of: group, startingWith: firstFields) where composite.state == .ready {
            // I-23.
            guard scope == .collection || composite.definition.scope == .collectionGroup else { continue }
            guard case .success(let prepared) = scan(of: composite.definition) else { continue }
            let scan = prepared.bound(to: disjunct, names: names)
            let bound = scan.prefixCount + (scan.ranges.isEverything ? 0 : 1)
            if bound >= minimum { found.append((scan, bound)) }
        }
        return found.sorted { $0.bound > $1.bound }.prefix(AlternativeScanFinder.mostComposite).map(\.scan)
    }

    /// The scan of an index that has exactly one entry for every row. Otherwise the field for which a row may have no
    /// entry or several.
    ///
    /// - Parameter definition: the index as its entries are stored.
    func scan(
        of definition: IndexDefinition, as index: IndexReference? = nil
    ) -> Result<PreparedScan, UncoveredField> {
        let fields = definition.fields
        let rest = fields.firstIndex { !isBound($0) } ?? fields.count
        if let field = fields[rest...].first(where: { !isInEveryRow($0) }) {
            return .failure(UncoveredField(path: field.path))
        }
        return .success(
            PreparedScan(
                index ?? .composite(definition), fields: fields, prefixCount: rest,
                nameDirection: definition.nameDirection, for: disjunct))
    }

    /// Whether the disjunct binds the field to one value.
    private func isBound(_ field: IndexField) -> Bool {
        switch field.mode {
        case .order: disjunct.equality(of: field.path) != nil
        case .contains: disjunct.membership?.path == field.path
        case .vector: false
        }
    }

    /// Whether a filter or an order requires the field. An array has an entry for each element, so it must be
    /// bound.
    private func isInEveryRow(_ field: IndexField) -> Bool {
        guard case .order = field.mode else { return false }
        return disjunct.equality(of: field.path) != nil || disjunct.bound(of: field.path) != nil
            || orders.contains { $0.path == field.path }
    }
}

/// An index field that some rows may lack or have several times.
struct UncoveredField: Error {
    let path: FieldPath
}
