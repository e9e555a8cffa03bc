// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// What has been sorted so far, of every store.
struct EntryRuns: Sendable {
    /// Keys of documents; their values are eight bytes of sequence number, big-endian, and the record's content.
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

    /// Sorts entries and adds them.
    mutating func append(_ entries: inout IndexEntryCollector, _ rank: RunRank = .entry) throws(EngineError) {
        try entries.resolvePending()
        entries.sort()
        try fields.append(sorted: entries.fields, rank)
        try composites.append(sorted: entries.composites, rank)
        entries.removeAll()
    }
}
