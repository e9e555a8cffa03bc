// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Turns chosen indexes and a disjunct's filters into scans whose bounds are exact (I-29, I-30).
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
        let backwards = reversed || isBackwards(candidate)
        var suffix: [SuffixPart] = []
        suffix.reserveCapacity(query.orders.count)
        var ranges = KeyRangeSet.everything
        var scanCount = 1
        for (number, order) in query.orders.enumerated() where !candidate.dropped.contains(number) {
            let direction = storedDirection(of: order, candidate, reversed: reversed)
            let set = values(of: order.path, disjunct).stored(direction)
            let isFirst = suffix.isEmpty
            if isFirst {
                ranges = set
                scanCount = disjunct.bound(of: order.path)?.scanCount ?? 1
            }
            suffix.append(
                SuffixPart(
                    path: order.path, storedDirection: direction, allowed: isFirst || set.isEverything ? nil : set))
        }
        if query.start != nil || query.end != nil {
            ranges = ranges.intersection(cursorRanges(candidate, disjunct, backwards: backwards, reversed: reversed))
        }
        return IndexScan(
            index: candidate.index, scope: query.scope, prefix: prefix(candidate, disjunct),
            prefixCount: candidate.prefixCount, suffix: suffix, ranges: ranges, backwards: backwards,
            productionScanCount: scanCount)
    }

    /// The scan that other values give where ``scan(_:_:reversed:)`` gave `known` for the same fields and operators, none of them
    /// a condition on a part after the first.
    func scan(like known: IndexScan, _ candidate: Candidate, _ disjunct: Disjunct) -> IndexScan {
        let first = known.suffix[0]
        return IndexScan(
            index: known.index, scope: known.scope, prefix: prefix(candidate, disjunct),
            prefixCount: known.prefixCount, suffix: known.suffix,
            ranges: values(of: first.path, disjunct).stored(first.storedDirection), backwards: known.backwards,
            productionScanCount: known.productionScanCount)
    }

    private func cursorRanges(
        _ candidate: Candidate, _ disjunct: Disjunct, backwards: Bool, reversed: Bool
    ) -> KeyRangeSet {
        let sources: [OrderSource] = query.orders.enumerated().map { number, order in
            candidate.dropped.contains(number)
                ? .constant(disjunct.equality(of: order.path)!.value)
                : .stored(storedDirection(of: order, candidate, reversed: reversed))
        }
        return CursorBounds(orders: query.orders, names: names, backwards: backwards)
            .ranges(start: query.start, end: query.end, sources: sources)
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

    private func storedDirection(of order: Order, _ candidate: Candidate, reversed: Bool) -> Direction {
        switch candidate.index {
        case .automatic: .ascending
        case .composite(let definition):
            order.path.isDocumentName
                ? definition.nameDirection : reversed ? order.direction.reversed : order.direction
        }
    }

    private func prefix(_ candidate: Candidate, _ disjunct: Disjunct) -> [UInt8] {
        var encoder = KeyEncoder(capacity: candidate.prefixCount * 32)
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
