// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// The field overrides of one collection group. Finds the override that applies to a field (I-10).
struct FieldOverrideTree: Sendable {
    /// Overrides with a path, sorted by path, without repeated paths.
    private var overrides: [FieldOverride] = []
    /// For each of them, the index of the override with the longest proper prefix of its path.
    private var parents: [Int?] = []
    /// The override of `*`.
    private let everyField: FieldOverride?

    /// The last override of a path wins.
    init(_ unsorted: [FieldOverride]) {
        everyField = unsorted.last { $0.path == nil }
        let byPath = Dictionary(
            unsorted.compactMap { override in override.path.map { ($0, override) } },
            uniquingKeysWith: { _, last in last })
        var open: [Int] = []
        for (path, override) in byPath.sorted(by: { $0.key < $1.key }) {
            while let last = open.last, overrides[last].path?.isPrefix(of: path) == false { open.removeLast() }
            parents.append(open.last)
            open.append(overrides.count)
            overrides.append(override)
        }
    }

    /// The override of the path itself, else of its nearest ancestor, else of `*`.
    ///
    /// In sorted order, the longest prefix of `path` is also a prefix of the last path that does not sort after it.
    func nearest(to path: FieldPath) -> FieldOverride? {
        let after = overrides.indices.partitioningIndex { path.segments.lexicographicallyPrecedes(segments($0)) }
        var candidate: Int? = after - 1
        guard let last = candidate, last >= 0 else { return everyField }
        let shared = zip(segments(last), path.segments).prefix { $0 == $1 }.count
        while let index = candidate, segments(index).count > shared { candidate = parents[index] }
        return candidate.map { overrides[$0] } ?? everyField
    }

    private func segments(_ index: Int) -> [Text] { overrides[index].path?.segments ?? [] }
}
