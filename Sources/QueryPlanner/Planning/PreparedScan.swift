// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// An index scan without values. Binding a disjunct of its branch gives byte ranges, which are exact (I-29,
/// I-30).
///
/// Immutable. A class, so that a copy costs one reference.
final class PreparedScan: Sendable {
    private let index: IndexReference
    private let backwards: Bool
    /// Where the values of the equality prefix are.
    private let prefix: [(place: ValuePlace, descending: Bool)]
    /// The parts after the prefix, and where their values are.
    private let suffix: [SuffixPart]
    private let places: [ValuePlace]

    var prefixCount: Int { prefix.count }

    /// - Parameters:
    ///   - fields: the fields of the index as entries are stored, without a vector.
    ///   - disjunct: any disjunct of the branch. It must bind each of the first `prefixCount` fields.
    init(
        _ index: IndexReference, fields: [IndexField], prefixCount: Int, nameDirection: Direction = .ascending,
        backwards: Bool = false, for disjunct: Disjunct
    ) {
        self.index = index
        self.backwards = backwards
        prefix = fields[..<prefixCount].map { field in
            field.mode == .contains
                ? (.membership, false) : (disjunct.place(of: field.path), field.mode.storedDirection == .descending)
        }
        let name = IndexField(.documentName, .order(nameDirection))
        suffix = (fields[prefixCount...] + [name]).map {
            SuffixPart(path: $0.path, storedDirection: $0.mode.storedDirection, allowed: nil)
        }
        places = suffix.map { disjunct.place(of: $0.path) }
    }

    /// The scan for the values of a disjunct.
    ///
    /// - Parameters:
    ///   - cursors: nil without cursors, and to ignore them.
    ///   - dropped: the orders that the suffix leaves out.
    func bound(
        to disjunct: Disjunct, names: NameSpace, between cursors: CursorBounds? = nil, dropped: FieldSet = FieldSet()
    ) -> IndexScan {
        var ranges = disjunct.ranges(at: places[0], names: names).stored(suffix[0].storedDirection)
        if let cursors { ranges = ranges.intersection(rows(between: cursors, dropped, disjunct)) }
        return IndexScan(
            index: index, scope: names.scope, prefix: prefixKey(disjunct), prefixCount: prefix.count,
            suffix: suffix(disjunct, names), ranges: ranges, backwards: backwards,
            productionScanCount: disjunct.scanCount(at: places[0]))
    }

    private func prefixKey(_ disjunct: Disjunct) -> [UInt8] {
        prefixKey { disjunct.value(at: $0)! }
    }

    private func prefixKey(_ value: (ValuePlace) -> Value) -> [UInt8] {
        var encoder = KeyEncoder(capacity: prefix.count * 32)
        for (place, descending) in prefix { encoder.append(value(place), descending: descending) }
        return encoder.bytes
    }

    /// The prefix for each of several values at one place, and otherwise those of a disjunct. Nil if the prefix does not
    /// have the place.
    func prefixes(of disjunct: Disjunct, with values: [Value], at place: ValuePlace) -> [[UInt8]]? {
        guard prefix.contains(where: { $0.place == place }) else { return nil }
        return values.map { value in prefixKey { $0 == place ? value : disjunct.value(at: $0)! } }
    }

    /// The suffix with residual filters on the parts after the first.
    private func suffix(_ disjunct: Disjunct, _ names: NameSpace) -> [SuffixPart] {
        var result = suffix
        for number in suffix.indices.dropFirst() {
            let ranges = disjunct.ranges(at: places[number], names: names)
            guard !ranges.isEverything else { continue }
            let part = suffix[number]
            result[number] = SuffixPart(
                path: part.path, storedDirection: part.storedDirection, allowed: ranges.stored(part.storedDirection))
        }
        return result
    }

    private func rows(between cursors: CursorBounds, _ dropped: FieldSet, _ disjunct: Disjunct) -> KeyRangeSet {
        var next = 0
        let sources: [OrderSource] = cursors.orders.enumerated().map { number, order in
            if dropped.contains(number) { return .constant(disjunct.equality(of: order.path)!.value) }
            defer { next += 1 }
            return .stored(suffix[next].storedDirection)
        }
        return cursors.ranges(sources, backwards: backwards)
    }
}

extension IndexFieldMode {
    fileprivate var storedDirection: Direction {
        if case .order(let direction) = self { direction } else { .ascending }
    }
}
