// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Where a target that may cover others is listed: by the collections that it reads, and there by its filters. So who looks
/// for targets that cover another one reads few that do not, however many are known.
///
/// Hashes stand for them. What has the same one need not be the same: ``SyncTarget/covers(_:)`` decides.
package struct TargetCoverage: Sendable {
    package let collections: UInt64
    /// Ascending, each once.
    package let filters: [UInt64]
}

extension SyncTarget {
    /// Nil for a target that covers no other.
    package var coverage: TargetCoverage? {
        guard case .query(let query) = kind, query.isUncut else { return nil }
        let collections = SyncTarget.hash(
            query.from.collectionID, of: query.parent?.resource ?? .root, query.from.allDescendants)
        return TargetCoverage(collections: collections, filters: query.filterHashes)
    }

    /// Every target that covers this one is listed in the collections of one of these, with no filters but those here.
    package var widerCoverages: [TargetCoverage] {
        switch kind {
        case .bundle: return []
        case .document(let path):
            let collection = path.collection
            return SyncTarget.collections(collection.group, of: collection.parent, allDescendants: false).map {
                TargetCoverage(collections: $0, filters: [])
            }
        case .query(let query):
            let filters = query.filterHashes
            let from = query.from
            return SyncTarget.collections(from.collectionID, of: query.parent, allDescendants: from.allDescendants)
                .map { TargetCoverage(collections: $0, filters: filters) }
        }
    }

    /// Those whose targets read these collections, and maybe others: the groups of all roots above, and the collection.
    private static func collections(_ id: Text?, of root: DocumentPath?, allDescendants: Bool) -> [UInt64] {
        let path = root?.resource ?? .root
        var hashes = stride(from: 0, through: path.count, by: 2).map { count in
            hash(id, of: ResourcePath(segments: Array(path.segments[..<count])), true)
        }
        if !allDescendants { hashes.append(hash(id, of: path, false)) }
        return hashes
    }

    private static func hash(_ id: Text?, of root: ResourcePath, _ allDescendants: Bool) -> UInt64 {
        let name: Value = id.map { .string($0) } ?? .null
        var encoder = KeyEncoder()
        encoder.append(name)
        encoder.append(.boolean(allDescendants))
        encoder.append(path: root)
        return WyHash.hash(encoder.bytes.span.bytes, seed: 0)
    }
}

extension Query {
    fileprivate var filterHashes: [UInt64] {
        let hashes = conjuncts.map { filter in
            var encoder = KeyEncoder()
            filter.append(to: &encoder)
            return WyHash.hash(encoder.bytes.span.bytes, seed: 0)
        }
        return Set(hashes).sorted()
    }
}

extension Filter {
    /// Identical filters have the same bytes.
    fileprivate func append(to encoder: inout KeyEncoder) {
        switch self {
        case .field(let path, let compare, let value):
            encoder.append(.string(Text(compare.rawValue)))
            encoder.append(.string(Text(path.wire)))
            encoder.append(value)
        case .unary(let path, let test):
            encoder.append(.string(Text(test.rawValue)))
            encoder.append(.string(Text(path.wire)))
        case .and(let filters): Filter.append(filters, "AND", to: &encoder)
        case .or(let filters): Filter.append(filters, "OR", to: &encoder)
        }
    }

    private static func append(_ filters: [Filter], _ name: Text, to encoder: inout KeyEncoder) {
        encoder.append(.string(name))
        encoder.append(.integer(Int64(filters.count)))
        for filter in filters { filter.append(to: &encoder) }
    }
}
