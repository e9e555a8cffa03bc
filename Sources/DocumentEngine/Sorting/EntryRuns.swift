// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The sorted runs of each store.
struct EntryRuns: Sendable {
    /// The keys of documents. Their values are a big-endian sequence number of eight bytes and the record's content.
    var documents: SortedRuns
    var fields: SortedRuns
    var composites: SortedRuns

    init(_ file: ScratchFile) {
        documents = SortedRuns(file)
        fields = SortedRuns(file)
        composites = SortedRuns(file)
    }

    mutating func append(_ other: EntryRuns) {
        documents.append(other.documents)
        fields.append(other.fields)
        composites.append(other.composites)
    }

    /// Sorts the entries and adds them as runs.
    mutating func append(_ entries: inout IndexEntryCollector, _ rank: RunRank = .entry) throws(EngineError) {
        try entries.resolvePending()
        entries.sort()
        try fields.append(sorted: entries.fields, rank)
        try composites.append(sorted: entries.composites, rank)
        entries.removeAll()
    }
}
