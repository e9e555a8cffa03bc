// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Finds scans that name every row of a disjunct, and perhaps more: candidates for being read document by document where
/// they are shorter than production's way.
struct DriverFinder {
    private let query: NormalizedQuery
    private let disjunct: Disjunct
    private let catalog: IndexCatalog
    private let group: Text
    private let scope: QueryScope
    private let names: NameSpace

    /// More would cost more to compare than they gain.
    static let mostAutomatic = 4
    static let mostComposite = 3

    /// Nil for a kindless query, which has no indexes.
    init?(_ query: NormalizedQuery, _ conjunction: Conjunction, _ catalog: IndexCatalog) {
        guard let group = query.query.from.collectionID else { return nil }
        self.query = query
        self.catalog = catalog
        self.group = group
        scope = query.query.from.allDescendants ? .collectionGroup : .collection
        names = NameSpace(scope: query.scope)
        disjunct = Disjunct(conjunction.filters, names: names)
    }

    /// Without the index that production's own single scan reads.
    func drivers(besides planned: AccessPath) -> [AccessPath] {
        var scans = Array((equalityScans + rangeScans).prefix(DriverFinder.mostAutomatic))
        scans += compositeScans(atLeast: scans.isEmpty ? 1 : 2)
        if case .index(let own) = planned {
            scans.removeAll { $0.index == own.index && $0.prefixCount == own.prefixCount }
        }
        var paths = scans.map { AccessPath.index($0) }
        if let named = disjunct.bound(of: .documentName)?.ranges {
            paths.append(.documents(DocumentScan(scope: query.scope, ranges: named, backwards: false)))
        }
        return paths
    }

    private var equalityScans: [IndexScan] {
        var scans: [IndexScan] = []
        for equality in disjunct.equalities {
            guard let index = automatic(equality.path, [.ascending, .descending]) else { continue }
            scans.append(scan(index, prefix: FilterBounds.key(equality.value), prefixCount: 1, fields: []))
        }
        if let membership = disjunct.membership, let index = automatic(membership.path, [.contains]) {
            scans.append(scan(index, prefix: FilterBounds.key(membership.value), prefixCount: 1, fields: []))
        }
        return scans
    }

    private var rangeScans: [IndexScan] {
        disjunct.bounds.compactMap { bound in
            guard !bound.path.isDocumentName, let index = automatic(bound.path, [.ascending, .descending]) else {
                return nil
            }
            return scan(index, prefix: [], prefixCount: 0, fields: [IndexField(bound.path, .order(.ascending))])
        }
    }

    /// One stored entry stands for both directions.
    private func automatic(_ path: FieldPath, _ modes: [SingleFieldIndex.Mode]) -> IndexReference? {
        let inForce = catalog.readySingleFieldIndexes(of: path, in: group)
        return modes.lazy.map { SingleFieldIndex($0, scope) }.first { inForce.contains($0) }
            .map { .automatic(collectionGroup: group, path: path, index: $0) }
    }

    /// Those that bind at least so many fields, the ones that bind most first.
    private func compositeScans(atLeast minimum: Int) -> [IndexScan] {
        var firstFields: [FieldPath?] = disjunct.equalities.map(\.path) + disjunct.bounds.map(\.path)
        if let membership = disjunct.membership { firstFields.append(membership.path) }
        var found: [(scan: IndexScan, bound: Int)] = []
        for composite in catalog.composites(of: group, startingWith: firstFields) where composite.state == .ready {
            // I-23.
            guard scope == .collection || composite.definition.scope == .collectionGroup else { continue }
            guard case .success(let scan) = scan(of: composite.definition) else { continue }
            let bound = scan.prefixCount + (scan.ranges.isEverything ? 0 : 1)
            if bound >= minimum { found.append((scan, bound)) }
        }
        return found.sorted { $0.bound > $1.bound }.prefix(DriverFinder.mostComposite).map(\.scan)
    }

    /// The scan of an index that has exactly one entry for every row; else the field for which a row may have none, or several.
    ///
    /// - Parameter definition: as the entries are stored.
    func scan(
        of definition: IndexDefinition, as index: IndexReference? = nil
    ) -> Result<IndexScan, UncoveredField> {
        var encoder = KeyEncoder()
        var count = 0
        for field in definition.fields {
            guard let bound = bound(by: field) else { break }
            encoder.append(bound.value, descending: bound.descending)
            count += 1
        }
        let rest = definition.fields[count...]
        if let field = rest.first(where: { !isInEveryRow($0) }) { return .failure(UncoveredField(path: field.path)) }
        return .success(
            scan(
                index ?? .composite(definition), prefix: encoder.bytes, prefixCount: count, fields: Array(rest),
                nameDirection: definition.nameDirection))
    }

    private func bound(by field: IndexField) -> (value: Value, descending: Bool)? {
        switch field.mode {
        case .order(let direction):
            disjunct.equality(of: field.path).map { ($0.value, direction == .descending) }
        case .contains: disjunct.membership.flatMap { $0.path == field.path ? ($0.value, false) : nil }
        case .vector: nil
        }
    }

    /// A filter or an order asks for the field. An array's elements have an entry each, so they must be bound.
    private func isInEveryRow(_ field: IndexField) -> Bool {
        guard case .order = field.mode else { return false }
        return disjunct.equality(of: field.path) != nil || disjunct.bound(of: field.path) != nil
            || query.orders.contains { $0.path == field.path }
    }

    private func scan(
        _ index: IndexReference, prefix: [UInt8], prefixCount: Int, fields: [IndexField],
        nameDirection: Direction = .ascending
    ) -> IndexScan {
        let parts = fields + [IndexField(.documentName, .order(nameDirection))]
        let sets = parts.map { values(of: $0.path).stored($0.mode.stored) }
        let suffix = zip(parts, sets).enumerated().map { place, part in
            SuffixPart(
                path: part.0.path, storedDirection: part.0.mode.stored,
                allowed: place == 0 || part.1.isEverything ? nil : part.1)
        }
        return IndexScan(
            index: index, scope: query.scope, prefix: prefix, prefixCount: prefixCount, suffix: suffix,
            ranges: sets[0], backwards: false, productionScanCount: 1)
    }

    /// In ascending bytes.
    private func values(of path: FieldPath) -> KeyRangeSet {
        if path.isDocumentName { return disjunct.bound(of: path)?.ranges ?? names.all }
        if let equality = disjunct.equality(of: path) { return [KeyRange(prefix: FilterBounds.key(equality.value))] }
        return disjunct.bound(of: path)?.ranges ?? .everything
    }
}

/// A field that an index has and that some rows may lack, or have several times.
struct UncoveredField: Error {
    let path: FieldPath
}

extension IndexFieldMode {
    fileprivate var stored: Direction {
        if case .order(let direction) = self { direction } else { .ascending }
    }
}
