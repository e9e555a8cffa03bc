// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// The result of a repair.
package struct RepairReport: Sendable {
    /// The format that the file had, if the repair upgraded it.
    package internal(set) var upgradedFormat: Int64?
    package internal(set) var documents = 0
    /// The number of rebuilt index entries.
    package internal(set) var entries = 0
    /// Descriptions of the problems in the catalog.
    package internal(set) var repaired: [String] = []
    /// Whether index definitions or field overrides could not be read, so that they have to be applied again.
    package internal(set) var hasLostDefinitions = false
    /// Records that could not be read and were removed from the database.
    package internal(set) var setAside: [SetAsideRecord] = []
}

/// An unreadable record, as it was stored.
package struct SetAsideRecord: Sendable {
    /// The key in the documents store, or the rest of it.
    package let key: [UInt8]
    package let record: [UInt8]
    /// The document's path, or nil if it is unknown.
    package let path: DocumentPath?
    package let reason: String

    /// Writes the record as one line of JSON: `name` if it is known, `reason`, and `key` and `record` in base64.
    package func writeLine(to writer: inout JSONWriter) {
        writer.beginObject()
        if let path {
            writer.key("name")
            writer.string(path.description)
        }
        writer.key("reason")
        writer.string(reason)
        writer.key("key")
        writer.string(Base64.encode(key))
        writer.key("record")
        writer.string(Base64.encode(record))
        writer.endObject()
        writer.newline()
    }
}
