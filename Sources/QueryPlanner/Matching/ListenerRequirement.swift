// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog

/// Which fields a conjunction binds, whatever the values: queries of one shape are found by what a document holds there.
package struct ListenerShape: Hashable, Sendable {
    /// In order, each once.
    let equalities: [FieldPath]
    /// The array of an `array-contains`.
    let membership: FieldPath?
    /// The fields along which a place is bounded; none where every place will do.
    let orders: [Order]
    /// Whether names are IDs, as within one collection, or paths.
    let namesAreIDs: Bool

    /// The fields that a document must have.
    package var fields: [FieldPath] {
        (equalities + [membership].compactMap(\.self) + orders.map(\.path)).filter { !$0.isDocumentName }
    }

    /// What a conjunction of this shape must have for the document to match it: none, one, or one for each element of an
    /// array.
    package func keys(of document: Document) -> [[UInt8]] {
        var encoder = KeyEncoder()
        for path in equalities {
            guard let value = document.fields[path] else { return [] }
            encoder.append(value)
        }
        guard let membership else { return [encoder.bytes] }
        guard case .array(let elements)? = document.fields[membership] else { return [] }
        let prefix = encoder.bytes
        return elements.map { prefix + FilterBounds.key($0) }
    }

    /// Where the document stands along the orders; nil if it lacks one of their fields.
    package func place(of document: Document) -> [UInt8]? {
        document.sortKey(by: orders, namesAreIDs: namesAreIDs)
    }
}

/// What every document that matches a conjunction has: values, and a place among others.
package struct ListenerRequirement: Sendable {
    package let shape: ListenerShape
    /// Equal to one of the shape's keys of the document.
    package let key: [UInt8]
    /// The document's place lies in one of them.
    package let ranges: [KeyRange]

    fileprivate init(_ disjunct: Disjunct, _ query: NormalizedQuery, rows: KeyRangeSet) {
        let equalities = disjunct.equalities.sorted { $0.path < $1.path }
        var encoder = KeyEncoder()
        for equality in equalities { encoder.append(equality.value) }
        if let membership = disjunct.membership { encoder.append(membership.value) }
        key = encoder.bytes
        let (orders, ranges) = ListenerRequirement.bounds(disjunct, query, rows: rows)
        self.ranges = ranges
        shape = ListenerShape(
            equalities: equalities.map(\.path), membership: disjunct.membership?.path, orders: orders,
            namesAreIDs: query.scope.namesAreIDs)
    }

    /// The query's own order with its cursors and the bounds of its first field, or another field's bounds if they leave less.
    private static func bounds(
        _ disjunct: Disjunct, _ query: NormalizedQuery, rows: KeyRangeSet
    ) -> (orders: [Order], ranges: KeyRangeSet) {
        let first = query.orders[0]
        let bounded = disjunct.bound(of: first.path)?.ranges.stored(first.direction) ?? .everything
        var best = (orders: query.orders, ranges: rows.intersection(bounded))
        for bound in disjunct.bounds where bound.ranges.endCount > best.ranges.endCount {
            best = ([Order(bound.path)], bound.ranges)
        }
        return best.ranges.isEverything && first.path.isDocumentName ? ([], .everything) : best
    }
}

extension KeyRangeSet {
    /// How many of its two ends are bounded.
    fileprivate var endCount: Int {
        guard let first, let last else { return 2 }
        return (first.lower.isEmpty ? 0 : 1) + (last.upper.isEmpty ? 0 : 1)
    }
}

extension NormalizedQuery {
    /// One for each disjunct. A document that matches the query fulfils at least one.
    package var listenerRequirements: [ListenerRequirement] {
        let rows = Planner.cursorRanges(of: self)
        return disjuncts.map { ListenerRequirement($0, self, rows: rows) }
    }
}
