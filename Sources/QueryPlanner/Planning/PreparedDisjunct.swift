// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// How to find the rows of the disjuncts of one branch, without values.
///
/// Immutable. A class, so that a copy costs one reference.
final class PreparedDisjunct: Sendable {
    enum Access: Sendable {
        case documents(backwards: Bool)
        case index(PreparedScan)
        case join([PreparedScan])
        case nearest(PreparedScan)
        case fullScan
    }

    private let access: Access
    /// The orders whose fields the equality prefix binds (I-43).
    private let dropped: FieldSet
    /// The sort key, with empty bytes for dropped orders.
    private let sortKey: [SortKeyPart]

    init(_ access: Access, orders: [Order], dropped: FieldSet = FieldSet()) {
        self.access = access
        self.dropped = dropped
        var next = 0
        sortKey = orders.indices.map { number in
            guard !dropped.contains(number) else { return .constant([]) }
            defer { next += 1 }
            return .suffix(next)
        }
    }

    func bound(to disjunct: Disjunct, of query: NormalizedQuery) -> DisjunctPlan {
        DisjunctPlan(
            access: access(disjunct, query.names, query.cursors), sortKey: sortKey(disjunct, query.orders))
    }

    /// The scan, if one index is read; otherwise nil.
    func scan(for disjunct: Disjunct, _ names: NameSpace, _ cursors: CursorBounds?) -> IndexScan? {
        guard case .index(let scan) = access else { return nil }
        return scan.bound(to: disjunct, names: names, between: cursors, dropped: dropped)
    }

    /// The scan and its prefix for each of several values, if one index is read in an order that does not depend on the value;
    /// otherwise nil.
    func scans(
        for values: [Value], at place: ValuePlace, _ disjunct: Disjunct, _ names: NameSpace, _ cursors: CursorBounds?
    ) -> (scan: IndexScan, prefixes: [[UInt8]])? {
        guard dropped.isEmpty, case .index(let scan) = access,
            let prefixes = scan.prefixes(of: disjunct, with: values, at: place)
        else { return nil }
        return (scan.bound(to: disjunct, names: names, between: cursors), prefixes)
    }

    private func access(_ disjunct: Disjunct, _ names: NameSpace, _ cursors: CursorBounds?) -> AccessPath {
        func bound(_ scan: PreparedScan) -> IndexScan {
            scan.bound(to: disjunct, names: names, between: cursors, dropped: dropped)
        }
        switch access {
        case .documents(let backwards):
            let rows = cursors?.ranges([.stored(.ascending)], backwards: backwards) ?? .everything
            return .documents(DocumentScan(disjunct, in: names, rows, backwards: backwards))
        case .index(let scan): return .index(bound(scan))
        case .join(let scans): return .join(scans.map(bound))
        case .nearest(let scan): return .nearest(bound(scan))
        case .fullScan: return .fullScan(DocumentScan(disjunct, in: names))
        }
    }

    private func sortKey(_ disjunct: Disjunct, _ orders: [Order]) -> [SortKeyPart] {
        guard !dropped.isEmpty else { return sortKey }
        return zip(sortKey, orders).map { part, order in
            guard case .constant = part else { return part }
            var encoder = KeyEncoder()
            encoder.append(disjunct.equality(of: order.path)!.value, descending: order.direction == .descending)
            return .constant(encoder.bytes)
        }
    }
}

extension DocumentScan {
    /// The documents whose names the disjunct matches.
    init(_ disjunct: Disjunct, in names: NameSpace, _ rows: KeyRangeSet = .everything, backwards: Bool = false) {
        let ranges = disjunct.bound(of: .documentName)?.ranges ?? names.all
        self.init(scope: names.scope, ranges: ranges.intersection(rows), backwards: backwards)
    }
}
