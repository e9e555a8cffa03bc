// SPDX-License-Identifier: Apache-2.0

/// The work that an execution did. It does not depend on the machine.
package struct ExecutionCounters: Sendable, Hashable {
    /// Entries of indexes, or of the documents store, at which a cursor stopped.
    package var entriesScanned = 0
    /// Cursor movements other than a step to a neighbour.
    package var seeks = 0
    package var documentsRead = 0
    /// Documents that were looked up by their keys. The others came with their rows.
    package var documentLookups = 0
    /// Documents that were read and then rejected by a filter. Only scans without an index reject documents.
    package var documentsRejected = 0
    /// Bytes of the documents read.
    package var bytesRead = 0
    /// Rows skipped by an offset.
    package var rowsSkipped = 0
    /// Documents or aggregation rows delivered.
    package var rows = 0

    package init() {}
}
