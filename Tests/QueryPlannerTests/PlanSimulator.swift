// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

/// Runs plans over documents in memory, entry by entry as the doc comments of `QueryPlan` describe stored entries, and
/// checks nothing else: what the bounds let through is the answer.
struct PlanSimulator {
    let documents: [DocumentPath: Fields]

    init(_ documents: [DocumentPath: Fields]) {
        self.documents = documents
    }

    /// The rows in order, before offset and limit.
    func rows(of plan: QueryPlan) -> [DocumentPath] {
        var found: [DocumentPath: [UInt8]] = [:]
        for (disjunct, filtered) in zip(plan.disjuncts, plan.query.disjuncts) {
            for (path, key) in rows(of: disjunct, filtered.filters, plan.query) { found[path] = key }
        }
        return found.sorted { compareBytes($0.value, $1.value) < 0 }.map(\.key)
    }

    /// The rows as the query delivers them.
    func result(of plan: QueryPlan) -> [DocumentPath] {
        let query = plan.query
        let page = Array(rows(of: plan).dropFirst(query.offset).prefix(query.limit ?? .max))
        return query.reversesRows ? page.reversed() : page
    }

    private func rows(
        of disjunct: DisjunctPlan, _ filters: [Filter], _ query: NormalizedQuery
    ) -> [DocumentPath: [UInt8]] {
        switch disjunct.access {
        case .documents(let scan): rows(of: scan, query)
        case .index(let scan), .nearest(let scan): rows(of: scan, disjunct.sortKey)
        case .join(let scans):
            scans.dropFirst().reduce(rows(of: scans[0], disjunct.sortKey)) { result, scan in
                let others = rows(of: scan, disjunct.sortKey)
                return result.filter { others[$0.key] == $0.value }
            }
        case .fullScan(let scan): rows(ofFullScan: scan, filters, query)
        }
    }

    private func rows(
        ofFullScan scan: DocumentScan, _ filters: [Filter], _ query: NormalizedQuery
    ) -> [DocumentPath: [UInt8]] {
        var result: [DocumentPath: [UInt8]] = [:]
        for (path, fields) in documents where contains(scan.scope, path) {
            guard FilterEvaluator.matches(filters, fields: fields, path: path) else { continue }
            let name = nameKey(path, scan.scope)
            guard scan.ranges.contains(where: { isInside(name, $0) }) else { continue }
            var bytes: [UInt8] = []
            let isComplete = query.orders.allSatisfy { order in
                if order.path.isDocumentName {
                    bytes += order.direction == .ascending ? name : name.map { ~$0 }
                    return true
                }
                guard let value = fields[order.path] else { return false }
                bytes += key(value, order.direction)
                return true
            }
            guard isComplete, Planner.cursorRanges(of: query).contains(where: { isInside(bytes, $0) }) else { continue }
            result[path] = bytes
        }
        return result
    }

    private func rows(of scan: DocumentScan, _ query: NormalizedQuery) -> [DocumentPath: [UInt8]] {
        var result: [DocumentPath: [UInt8]] = [:]
        for path in documents.keys where contains(scan.scope, path) {
            let key = nameKey(path, scan.scope)
            guard scan.ranges.contains(where: { isInside(key, $0) }) else { continue }
            result[path] = scan.backwards ? key.map { ~$0 } : key
        }
        return result
    }

    private func rows(of scan: IndexScan, _ sortKey: [SortKeyPart]) -> [DocumentPath: [UInt8]] {
        var result: [DocumentPath: [UInt8]] = [:]
        for (path, fields) in documents where contains(scan.scope, path) {
            for entry in entries(of: fields, path, scan) {
                guard Array(entry[..<scan.prefixCount].joined()) == scan.prefix else { continue }
                let suffix = Array(entry[scan.prefixCount...])
                let bytes = Array(suffix.joined())
                guard scan.ranges.contains(where: { isInside(bytes, $0) }) else { continue }
                let allowed = zip(scan.suffix, suffix).allSatisfy { part, bytes in
                    part.allowed?.contains { isInside(bytes, $0) } ?? true
                }
                guard allowed, suffix.count == scan.suffix.count else { continue }
                result[path] = sortKey.flatMap { part in
                    switch part {
                    case .constant(let bytes): bytes
                    case .suffix(let place): scan.backwards ? suffix[place].map { ~$0 } : suffix[place]
                    }
                }
            }
        }
        return result
    }

    /// The encoded parts of each entry of a document, the name last.
    private func entries(of fields: Fields, _ path: DocumentPath, _ scan: IndexScan) -> [[[UInt8]]] {
        let listed: [(IndexField)]
        var nameDirection = Direction.ascending
        switch scan.index {
        case .automatic(_, let path, let index):
            listed = [IndexField(path, index.mode == .contains ? .contains : .order(.ascending))]
        case .composite(let definition):
            listed = definition.fields
            nameDirection = definition.nameDirection
        }
        var entries: [[[UInt8]]] = [[]]
        for field in listed {
            guard let value = fields[field.path] else { return [] }
            switch field.mode {
            case .order(let direction): entries = entries.map { $0 + [key(value, direction)] }
            case .contains:
                guard case .array(let elements) = value else { return [] }
                entries = entries.flatMap { entry in elements.map { entry + [key($0, .ascending)] } }
            case .vector(let dimension):
                guard case .vector(let vector) = value, vector.count == dimension else { return [] }
            }
        }
        let name = nameKey(path, scan.scope)
        return entries.map { $0 + [nameDirection == .ascending ? name : name.map { ~$0 }] }
    }

    private func key(_ value: Value, _ direction: Direction) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(value, descending: direction == .descending)
        return encoder.bytes
    }

    private func nameKey(_ path: DocumentPath, _ scope: DocumentScope) -> [UInt8] {
        var encoder = KeyEncoder()
        if case .collection = scope { encoder.append(segment: path.id) } else { encoder.append(path: path.resource) }
        return encoder.bytes
    }

    /// Whether the collection counts; that a name lies below the scope's parent is for the ranges to see to.
    private func contains(_ scope: DocumentScope, _ path: DocumentPath) -> Bool {
        switch scope {
        case .collection(let collection): path.collection == collection
        case .collectionGroup(let group, _): path.collection.group == group
        case .children(let parent): path.resource.count == (parent?.resource.count ?? 0) + 2
        case .descendants: true
        }
    }

    private func isInside(_ key: [UInt8], _ range: KeyRange) -> Bool {
        compareBytes(range.lower, key) <= 0 && (range.upper.isEmpty || compareBytes(key, range.upper) < 0)
    }
}
