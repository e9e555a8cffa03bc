// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

extension QueryResult {
    /// `{"entriesScanned":…,"documentsRead":…,"milliseconds":…,"production":{…}}`, as docs/explain.md describes it.
    package func writeStatistics(
        _ time: Duration, _ production: ProductionCounters?, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        for (name, count) in [
            ("entriesScanned", counters.entriesScanned), ("seeks", counters.seeks),
            ("documentsRead", counters.documentsRead), ("documentsRejected", counters.documentsRejected),
            ("bytesRead", counters.bytesRead), ("rows", counters.rows),
        ] {
            writer.key(name)
            writer.integer(Int64(count))
        }
        writer.key("milliseconds")
        writer.double(time / .milliseconds(1))
        if let production { production.write(to: &writer) }
        writer.endObject()
    }
}

extension ProductionCounters {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.key("production")
        writer.beginObject()
        for (name, count) in [
            ("index_entries_scanned", indexEntriesScanned), ("documents_scanned", documentsScanned),
            ("read_operations", readOperations), ("results_returned", resultsReturned),
        ] {
            writer.key(name)
            writer.integer(Int64(count))
        }
        writer.endObject()
    }
}
