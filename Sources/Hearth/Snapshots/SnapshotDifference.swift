// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The changes from one result of a query to another: removed documents, then added, then modified ones, each kind in
/// the query's order (C-27).
struct SnapshotDifference {
    private let old: ArraySlice<QueryDocumentSnapshot>
    private let new: ArraySlice<QueryDocumentSnapshot>
    /// The number of identical rows at the start.
    private let offset: Int

    init(from old: [QueryDocumentSnapshot], to new: [QueryDocumentSnapshot]) {
        offset = zip(old, new).prefix { $0.isSameState(as: $1) }.count
        let rest = zip(old[offset...].reversed(), new[offset...].reversed()).prefix { $0.isSameState(as: $1) }.count
        self.old = old[offset..<old.count - rest]
        self.new = new[offset..<new.count - rest]
    }

    /// - Parameter order: returns a row's position in the query's order as bytes.
    func changes(order: (QueryDocumentSnapshot) -> [UInt8]) -> [DocumentChange] {
        if old.isEmpty {
            return new.enumerated().map { DocumentChange(.added, $1, from: nil, to: offset + $0) }
        }
        let newByReference = Dictionary(new.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        let oldByReference = Dictionary(old.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        let others = new.filter { !$0.isSameState(as: oldByReference[$0.reference]) }
        var places = Places(old: old, new: others, order: order)
        var changes: [DocumentChange] = []
        for row in old where newByReference[row.reference] == nil {
            changes.append(DocumentChange(.removed, row, from: offset + places.takeOut(row), to: nil))
        }
        for row in new where oldByReference[row.reference] == nil {
            changes.append(DocumentChange(.added, row, from: nil, to: offset + places.putIn(row)))
        }
        for row in new {
            guard let before = oldByReference[row.reference], !before.isSameState(as: row) else { continue }
            let oldIndex = places.takeOut(before)
            changes.append(
                DocumentChange(
                    .modified, row, from: offset + oldIndex, to: offset + places.putIn(row),
                    isOfMetadataAlone: row.hasSameSyncedData(as: before)))
        }
        return changes
    }
}

/// Counts the versions in a result that precede a given one, in logarithmic time, with a Fenwick tree over all versions
/// in order.
private struct Places {
    private var slots: [ObjectIdentifier: Int] = [:]
    private var sums: [Int]

    /// - Parameters:
    ///   - old: the versions that are in the result at the start.
    ///   - new: the other versions.
    init(
        old: ArraySlice<QueryDocumentSnapshot>, new: [QueryDocumentSnapshot],
        order: (QueryDocumentSnapshot) -> [UInt8]
    ) {
        let keyed = (Array(old) + new).map { (key: order($0), row: $0) }
        let sorted = keyed.sorted { compareBytes($0.key, $1.key) < 0 }
        for (slot, version) in sorted.enumerated() { slots[ObjectIdentifier(version.row)] = slot }
        sums = Array(repeating: 0, count: sorted.count + 1)
        for row in old { add(1, row) }
    }

    /// Removes a version from the result.
    ///
    /// - Returns: its previous position.
    mutating func takeOut(_ row: QueryDocumentSnapshot) -> Int {
        add(-1, row)
        return countBefore(row)
    }

    /// Inserts a version into the result.
    ///
    /// - Returns: its position.
    mutating func putIn(_ row: QueryDocumentSnapshot) -> Int {
        add(1, row)
        return countBefore(row)
    }

    private mutating func add(_ amount: Int, _ row: QueryDocumentSnapshot) {
        var index = slots[ObjectIdentifier(row)]! + 1
        while index < sums.count {
            sums[index] += amount
            index += index & -index
        }
    }

    private func countBefore(_ row: QueryDocumentSnapshot) -> Int {
        var index = slots[ObjectIdentifier(row)]!
        var count = 0
        while index > 0 {
            count += sums[index]
            index -= index & -index
        }
        return count
    }
}
