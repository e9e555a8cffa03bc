// SPDX-License-Identifier: Apache-2.0

/// What an execution did: facts about work, the same on every machine.
package struct ExecutionCounters: Sendable, Hashable {
    /// Entries of indexes, and of the documents store where that is scanned, that a cursor stopped at.
    package var entriesScanned = 0
    /// Cursor placements that were no step to a neighbour.
    package var seeks = 0
    package var documentsRead = 0
    /// Of those, the ones that were looked up by their keys; the others came with their rows.
    package var documentLookups = 0
    /// Documents read that a filter then rejected. Only scans without an index do that.
    package var documentsRejected = 0
    /// Bytes of the documents read.
    package var bytesRead = 0
    /// Rows passed over by an offset.
    package var rowsSkipped = 0
    /// Documents or aggregation rows delivered.
    package var rows = 0

    package init() {}
}
