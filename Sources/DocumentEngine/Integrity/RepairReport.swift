// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// What a repair did.
package struct RepairReport: Sendable {
    /// The format that the file had, if the repair upgraded it.
    package internal(set) var upgradedFormat: Int64?
    package internal(set) var documents = 0
    /// Index entries made anew.
    package internal(set) var entries = 0
    /// What was wrong with the catalog, in words.
    package internal(set) var repaired: [String] = []
    /// What could not be read and is no longer in the database.
    package internal(set) var setAside: [SetAsideRecord] = []
}

/// A record that cannot be read, as it stood.
package struct SetAsideRecord: Sendable {
    /// The key in the documents store, or what is left of it.
    package let key: [UInt8]
    package let record: [UInt8]
    /// Where the document stood; nil where not even that can be told.
    package let path: DocumentPath?
    package let reason: String

    /// Writes the record as one line of JSON: `name` where it is known, `reason`, and the base64 of `key` and `record`.
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
