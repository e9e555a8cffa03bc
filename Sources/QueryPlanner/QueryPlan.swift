// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// How production answers a query: one access path for each disjunct. Rows are merged in the query's order, each
/// document once (I-42).
///
/// Immutable. A class, so that a copy costs one reference.
package final class QueryPlan: Sendable {
    package let query: NormalizedQuery
    /// Empty if the query can return nothing: its limit is 0, or its filters contradict each other.
    package let disjuncts: [DisjunctPlan]
    let prepared: PreparedQuery
    /// For each of `disjuncts`, a scan of the index that the query names. Nil if it names none.
    let hinted: [AccessPath]?

    init(
        _ prepared: PreparedQuery, _ query: NormalizedQuery, _ disjuncts: [DisjunctPlan], hinted: [AccessPath]?
    ) {
        self.prepared = prepared
        self.query = query
        self.disjuncts = disjuncts
        self.hinted = hinted
    }
}

/// How the rows of a query are found.
package enum QueryAccess: Sendable {
    /// One scan. Its entries are the rows, one for one and in order, up to the limit.
    case scan(IndexScan)
    /// One scan for each value of a list, with these prefixes in place of the scan's own. Their entries are the rows, merged by
    /// the bytes after the prefixes, up to the limit. Entries that agree in those bytes are one row.
    case scans(IndexScan, prefixes: [[UInt8]])
    case plan(QueryPlan)
}

package struct DisjunctPlan: Sendable {
    package let access: AccessPath
    /// How to build a row's sort key: one part for each of ``NormalizedQuery/orders``. The sort keys of all disjuncts
    /// compare as bytes.
    package let sortKey: [SortKeyPart]

    package init(access: AccessPath, sortKey: [SortKeyPart]) {
        self.access = access
        self.sortKey = sortKey
    }
}

package enum SortKeyPart: Sendable, Hashable {
    /// A field bound by equality: its key bytes in the order's direction.
    case constant([UInt8])
    /// The entry's part at this position in ``IndexScan/suffix``. A backward scan complements its bytes.
    case suffix(Int)
}

package enum AccessPath: Sendable {
    /// The documents themselves, in name order (I-6), or backwards.
    case documents(DocumentScan)
    /// One index.
    case index(IndexScan)
    /// A zig-zag join of several indexes (I-33, P-6), in production's member order. Their suffixes have equal fields
    /// and directions.
    case join([IndexScan])
    /// Every vector of an index under its equality prefix, ranked by distance.
    case nearest(IndexScan)
    /// No index: every document of the scope, filtered and sorted. Permissive mode only.
    case fullScan(DocumentScan)
}

/// The documents that a query reads from.
package enum DocumentScope: Sendable, Hashable {
    /// One collection.
    case collection(CollectionPath)
    /// All collections with one ID at any depth under a parent (nil: the root).
    case collectionGroup(Text, under: DocumentPath?)
    /// Every collection directly under a parent.
    case children(of: DocumentPath?)
    /// Every collection at any depth under a parent.
    case descendants(of: DocumentPath?)
}

/// A scan of documents in name order.
package struct DocumentScan: Sendable {
    package let scope: DocumentScope
    /// Ranges over the encoded document ID (one collection) or the encoded path (other scopes): ascending, not
    /// overlapping.
    package let ranges: [KeyRange]
    package let backwards: Bool

    package init(scope: DocumentScope, ranges: [KeyRange], backwards: Bool) {
        self.scope = scope
        self.ranges = ranges
        self.backwards = backwards
    }
}

/// The index that a scan reads.
package enum IndexReference: Sendable, Hashable {
    /// An automatic index as the planner names it. One stored entry serves the ascending and the descending index.
    case automatic(collectionGroup: Text, path: FieldPath, index: SingleFieldIndex)
    case composite(IndexDefinition)
}

/// A scan of one index: an equality prefix, then the fields that order the rows.
///
/// An entry's key consists of the index, the collection (only if `scope` is ``DocumentScope/collection(_:)``), the
/// encoded values of the fields, and the document's ID (collection) or path (group). All ranges are over stored
/// bytes, ascending. A backward scan reads ranges and entries from the end.
///
/// Immutable. A class, so that a copy costs one reference.
package final class IndexScan: Sendable {
    package let index: IndexReference
    /// `.collection` or `.collectionGroup`.
    package let scope: DocumentScope
    /// The encoded values of the fields bound by equality, in the index's order and directions.
    package let prefix: [UInt8]
    /// The number of index fields in `prefix`.
    package let prefixCount: Int
    /// The parts after the prefix, in stored order: the remaining index fields, then the document's name.
    package let suffix: [SuffixPart]
    /// Ranges over the bytes after `prefix`: ascending, not overlapping. One range, or several for `!=` and `not-in`
    /// (I-30).
    package let ranges: [KeyRange]
    package let backwards: Bool
    /// The number of scans that production lists for this one (P-12): 2 for `!=`, n + 1 for `not-in`, otherwise 1.
    package let productionScanCount: Int

    package init(
        index: IndexReference, scope: DocumentScope, prefix: [UInt8], prefixCount: Int, suffix: [SuffixPart],
        ranges: [KeyRange], backwards: Bool, productionScanCount: Int
    ) {
        self.index = index
        self.scope = scope
        self.prefix = prefix
        self.prefixCount = prefixCount
        self.suffix = suffix
        self.ranges = ranges
        self.backwards = backwards
        self.productionScanCount = productionScanCount
    }
}

/// One field of an entry after the equality prefix.
package struct SuffixPart: Sendable, Hashable {
    /// ``FieldPath/documentName`` for the last part.
    package let path: FieldPath
    /// The direction in which the bytes are stored.
    package let storedDirection: Direction
    /// If not nil, a residual filter: the part's bytes must lie in one of these ranges (I-29). Inequalities beyond
    /// the first order field need it.
    package let allowed: [KeyRange]?

    package init(path: FieldPath, storedDirection: Direction, allowed: [KeyRange]?) {
        self.path = path
        self.storedDirection = storedDirection
        self.allowed = allowed
    }
}
