// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// What the client of a replica checks of its records, whose meaning the engine does not know.
package struct RecordsCheck {
    /// Called with every record whose bytes are as they were written, in key order.
    let note: (_ key: [UInt8], _ value: [UInt8]) -> Void
    /// Called after the last one, with the documents of the same state and the number of those without an update time.
    let finish: (_ document: DocumentLookup, _ timeless: Int, inout VerificationReport) throws(EngineError) -> Void

    package init(
        note: @escaping (_ key: [UInt8], _ value: [UInt8]) -> Void,
        finish:
            @escaping (
                _ document: (DocumentPath) throws(EngineError) -> Document?, _ timeless: Int, inout VerificationReport
            ) throws(EngineError) -> Void
    ) {
        self.note = note
        self.finish = finish
    }

    /// Compares the checksums of all records of a replica. A record without content has none: its key says all.
    static func readRecords(
        of database: DatabaseID, _ report: inout VerificationReport, _ transaction: inout Transaction,
        _ note: (_ key: [UInt8], _ value: [UInt8]) -> Void
    ) throws(EngineError) {
        var slices = EntrySlices(.all, of: .replica)
        while let slice = try slices.next(&transaction) {
            let bytes = slice.bytes.span.bytes
            for index in slice.entries.indices {
                let (key, value) = (bytes.extracting(slice.key(index)), bytes.extracting(slice.value(index)))
                do throws(StoredFormatError) {
                    if value.byteCount > 0 { _ = try StoredDocument(value, key: key, database: database) }
                    note(Array(slice.bytes[slice.key(index)]), Array(slice.bytes[slice.value(index)]))
                } catch {
                    report.note("a record of the client's queue or cache is not as it was written")
                }
            }
        }
    }
}
