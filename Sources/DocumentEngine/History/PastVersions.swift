// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The documents of a scope that have changed since a time, as they were at that time.
///
/// With them the present becomes the past: it has the current version of every other document.
struct PastVersions {
    struct Version {
        let path: DocumentPath
        /// Nil if the document did not exist.
        let record: DocumentRecord?
    }

    /// By the documents' keys in the documents store.
    private(set) var versions: [[UInt8]: Version] = [:]
    /// The encoded numbers of collections that had one of them.
    private(set) var collections: Set<[UInt8]> = []

    init(
        at time: UInt64, in scope: DocumentScope, _ history: HistoryReader, _ transaction: inout Transaction
    ) throws(EngineError) {
        try history.forEachChange(from: .after(time), &transaction) { (entry, value) throws(EngineError) in
            // The first change since replaced the version that was current.
            guard versions[entry.documentKey] == nil, scope.contains(entry.path.collection) else { return true }
            let record = try entry.version(in: value, database: history.database)
            versions[entry.documentKey] = Version(path: entry.path, record: record)
            let number = entry.documentKey[..<OrderedInteger.length(entry.documentKey[0])]
            if record != nil { collections.insert(Array(number)) }
            return true
        }
    }

    var isEmpty: Bool { versions.isEmpty }

    /// Those that existed, in no order.
    var existing: [(key: [UInt8], record: DocumentRecord)] {
        versions.compactMap { key, version in version.record.map { (key, $0) } }
    }
}
