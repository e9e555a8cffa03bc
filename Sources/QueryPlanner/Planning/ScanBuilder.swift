// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Turns chosen indexes and a disjunct's filters into scans whose bounds are exact (K-8, I-29, I-30).
struct ScanBuilder {
    let query: NormalizedQuery
    let names: NameSpace

    init(_ query: NormalizedQuery) {
        self.query = query
        names = NameSpace(scope: query.scope)
    }

    func documentScan(_ disjunct: Disjunct) -> DocumentScan {
        let backwards = query.orders[0].direction == .descending
        let cursors = CursorBounds(orders: query.orders, names: names, backwards: backwards)
            .ranges(start: query.start, end: query.end, sources: [.stored(.ascending)])
        let ranges = (disjunct.bound(of: .documentName)?.ranges ?? names.all).intersection(cursors)
        return DocumentScan(scope: query.scope, ranges: ranges, backwards: backwards)
    }

    /// - Parameter reversed: the candidate is a composite for the opposite orders, to be read from its end.
    func scan(_ candidate: Candidate, _ disjunct: Disjunct, reversed: Bool = false) -> IndexScan {
        let remaining = query.orders.indices.filter { !candidate.dropped.contains($0) }
        let backwards = reversed || isBackwards(candidate)
        let directions = query.orders.map { order in
            storedDirection(of: reversed ? Order(order.path, order.direction.reversed) : order, candidate)
        }
        let sets = remaining.map { number in
            values(of: query.orders[number].path, disjunct).stored(directions[number])
        }
        let suffix = zip(remaining, sets).enumerated().map { place, part in
            SuffixPart(
                path: query.orders[part.0].path, storedDirection: directions[part.0],
                allowed: place == 0 || part.1.isEverything ? nil : part.1)
        }
        let sources: [OrderSource] = query.orders.enumerated().map { number, order in
            candidate.dropped.contains(number)
                ? .constant(disjunct.equality(of: order.path)!.value) : .stored(directions[number])
        }
        let cursors = CursorBounds(orders: query.orders, names: names, backwards: backwards)
            .ranges(start: query.start, end: query.end, sources: sources)
        return IndexScan(
            index: candidate.index, scope: query.scope, prefix: prefix(candidate, disjunct),
            prefixCount: candidate.prefixCount, suffix: suffix, ranges: sets[0].intersection(cursors),
            backwards: backwards,
            productionScanCount: disjunct.bound(of: query.orders[remaining[0]].path)?.scanCount ?? 1)
    }

    /// One part for each order.
    func sortKey(dropped: FieldSet, _ disjunct: Disjunct) -> [SortKeyPart] {
        var next = 0
        return query.orders.enumerated().map { number, order in
            guard !dropped.contains(number) else {
                var encoder = KeyEncoder()
                encoder.append(disjunct.equality(of: order.path)!.value, descending: order.direction == .descending)
                return .constant(encoder.bytes)
            }
            defer { next += 1 }
            return .suffix(next)
        }
    }

    /// In ascending bytes.
    private func values(of path: FieldPath, _ disjunct: Disjunct) -> KeyRangeSet {
        if path.isDocumentName { return disjunct.bound(of: path)?.ranges ?? names.all }
        if let equality = disjunct.equality(of: path) { return [KeyRange(prefix: FilterBounds.key(equality.value))] }
        return disjunct.bound(of: path)?.ranges ?? .everything
    }

    /// A composite is stored as it is defined, and its directions are the query's; an automatic index is stored ascending.
    private func isBackwards(_ candidate: Candidate) -> Bool {
        if case .composite = candidate.index { return false }
        return query.orders[query.orders.count - 1].direction == .descending
    }

    private func storedDirection(of order: Order, _ candidate: Candidate) -> Direction {
        switch candidate.index {
        case .automatic: .ascending
        case .composite(let definition): order.path.isDocumentName ? definition.nameDirection : order.direction
        }
    }

    private func prefix(_ candidate: Candidate, _ disjunct: Disjunct) -> [UInt8] {
        var encoder = KeyEncoder()
        switch candidate.index {
        case .automatic(_, let path, let index):
            guard candidate.prefixCount > 0 else { break }
            let bound = index.mode == .contains ? disjunct.membership : disjunct.equality(of: path)
            encoder.append(bound!.value)
        case .composite(let definition):
            for field in definition.fields[..<candidate.prefixCount] {
                switch field.mode {
                case .contains: encoder.append(disjunct.membership!.value)
                case .order(let direction):
                    encoder.append(disjunct.equality(of: field.path)!.value, descending: direction == .descending)
                case .vector: preconditionFailure("a vector is no part of a key")
                }
            }
        }
        return encoder.bytes
    }
}
