// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// The fields that a disjunct binds, without values. Listeners are looked up by shape, then by a document's values
/// for these fields.
package struct ListenerShape: Hashable, Sendable {
    /// Sorted and distinct.
    let equalities: [FieldPath]
    /// The array field of `array-contains`.
    let membership: FieldPath?
    /// The orders of the range that a document must lie in. Empty if every document will do.
    let orders: [Order]
    /// Whether names are encoded as IDs, as within one collection, or as paths.
    let namesAreIDs: Bool

    /// The fields that a document must have.
    package var fields: [FieldPath] {
        (equalities + [membership].compactMap(\.self) + orders.map(\.path)).filter { !$0.isDocumentName }
    }

    /// The keys that a listener of this shape may have for the document to match: none, one, or one for each element
    /// of an array.
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

    /// The document's sort key along the orders; nil if it lacks one of their fields.
    package func place(of document: Document) -> [UInt8]? {
        document.sortKey(by: orders, namesAreIDs: namesAreIDs)
    }
}

/// What a document must have to match one disjunct of a listener's query: values, and a position.
package struct ListenerRequirement: Sendable {
    package let shape: ListenerShape
    /// One of the shape's keys of the document must equal it.
    package let key: [UInt8]
    /// The document's sort key must lie in one of them.
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

    /// The query's order with its cursors and the bounds of its first field, or the bounds of another field if they
    /// are tighter.
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
    /// The number of bounded ends.
    fileprivate var endCount: Int {
        guard let first, let last else { return 2 }
        return (first.lower.isEmpty ? 0 : 1) + (last.upper.isEmpty ? 0 : 1)
    }
}

extension NormalizedQuery {
    /// One for each disjunct. A document that matches the query meets at least one.
    package var listenerRequirements: [ListenerRequirement] {
        let rows = Planner.cursorRanges(of: self)
        return disjuncts.map { ListenerRequirement($0, self, rows: rows) }
    }
}
