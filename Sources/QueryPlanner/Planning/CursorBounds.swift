// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// The position of a cursor among the rows of one scan.
struct CursorPlace {
    /// The stored bytes of the first suffix parts.
    let prefix: [UInt8]
    /// Whether the position is just before the rows that begin with `prefix`, in the query's direction, or just after
    /// them.
    let before: Bool
}

/// How a scan gives the values of one order.
enum OrderSource {
    /// The disjunct binds the field, so every row has this value.
    case constant(Value)
    /// The next suffix part, stored in this direction.
    case stored(Direction)
}

/// The cursors of a query.
struct CursorBounds {
    let orders: [Order]
    let names: NameSpace
    /// In the direction of execution: `limitToLast` swaps and flips the cursors.
    let start: Cursor?
    let end: Cursor?

    /// Nil for a query without cursors.
    ///
    /// The parameters are borrowed, for most queries have no cursors, and then nothing is copied.
    ///
    /// - Parameter orders: the complete order in the direction of execution.
    init?(_ query: borrowing Query, orders: borrowing [Order], names: borrowing NameSpace) {
        guard query.start != nil || query.end != nil else { return nil }
        self.orders = copy orders
        self.names = copy names
        start = query.limitToLast ? query.end?.flipped : query.start
        end = query.limitToLast ? query.start?.flipped : query.end
    }

    /// The rows between the cursors, over the stored bytes of the suffix.
    func ranges(_ sources: [OrderSource], backwards: Bool) -> KeyRangeSet {
        var ranges = KeyRangeSet.everything
        if let start {
            let place = place(of: start, sources: sources)
            ranges = ranges.intersection(backwards ? before(place, place.before) : after(place, !place.before))
        }
        if let end {
            let place = place(of: end, sources: sources)
            ranges = ranges.intersection(backwards ? after(place, place.before) : before(place, !place.before))
        }
        return ranges
    }

    /// The keys from the position on. With `excludesEqual`, only those after the rows that begin with the prefix.
    private func after(_ place: CursorPlace, _ excludesEqual: Bool) -> KeyRangeSet {
        guard excludesEqual else { return [KeyRange(lower: place.prefix, upper: [])] }
        let lower = KeyRange.successor(of: place.prefix)
        return lower.isEmpty ? [] : [KeyRange(lower: lower, upper: [])]
    }

    /// The keys up to the position. With `includesEqual`, also the rows that begin with the prefix.
    private func before(_ place: CursorPlace, _ includesEqual: Bool) -> KeyRangeSet {
        if includesEqual { return [KeyRange(lower: [], upper: KeyRange.successor(of: place.prefix))] }
        return place.prefix.isEmpty ? [] : [KeyRange(lower: [], upper: place.prefix)]
    }

    /// A value that no row has at this order ends the comparison: all rows that are equal so far lie on one side.
    private func place(of cursor: Cursor, sources: [OrderSource]) -> CursorPlace {
        var encoder = KeyEncoder()
        for (number, value) in cursor.values.enumerated() {
            let descending = orders[number].direction == .descending
            switch sources[number] {
            case .constant(let constant):
                let order = Value.compare(constant, value)
                if order != 0 { return CursorPlace(prefix: encoder.bytes, before: (order > 0) != descending) }
            case .stored(let direction):
                guard orders[number].path.isDocumentName, case .reference(let reference) = value else {
                    encoder.append(value, descending: direction == .descending)
                    continue
                }
                return place(
                    of: reference, before: cursor.before, descending: descending, after: encoder.bytes, direction)
            }
        }
        return CursorPlace(prefix: encoder.bytes, before: cursor.before)
    }

    private func place(
        of reference: Reference, before: Bool, descending: Bool, after prefix: [UInt8], _ direction: Direction
    ) -> CursorPlace {
        func extended(_ key: [UInt8]) -> [UInt8] { prefix + (direction == .ascending ? key : key.map { ~$0 }) }
        return switch names.position(of: reference.path) {
        case .at(let key): CursorPlace(prefix: extended(key), before: before)
        case .justAfter(let key): CursorPlace(prefix: extended(key), before: descending)
        case .beforeAll: CursorPlace(prefix: prefix, before: !descending)
        case .afterAll: CursorPlace(prefix: prefix, before: descending)
        }
    }
}

extension Cursor {
    fileprivate var flipped: Cursor { Cursor(values, before: !before) }
}
