// SPDX-License-Identifier: Apache-2.0

import Hearth

extension QuerySnapshot {
    /// The documents with their field `n`, and marks: `c` from cache, `p` with pending writes.
    var text: String {
        let rows = documents.map { "\($0.documentID)=\($0["n"] ?? "-")\($0.metadata.hasPendingWrites ? "p" : "")" }
        return "[\(rows.joined(separator: " "))]\(metadata.text)"
    }
}

extension DocumentSnapshot {
    var text: String { "\(exists ? "\(self["n"] ?? "-")" : "missing")\(metadata.text)" }
}

extension SnapshotMetadata {
    fileprivate var text: String { (isFromCache ? "c" : "") + (hasPendingWrites ? "p" : "") }
}
