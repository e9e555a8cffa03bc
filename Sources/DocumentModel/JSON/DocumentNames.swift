// SPDX-License-Identifier: Apache-2.0

/// How requests and files name documents.
package struct DocumentNames: Sendable {
    /// That of the documents that are written, and of relative names.
    package let database: DatabaseID
    private let takesRelative: Bool

    /// Full names only, as Cloud Firestore wants them.
    package static func full(in database: DatabaseID) -> DocumentNames {
        DocumentNames(database: database, takesRelative: false)
    }

    /// Also relative ones, as people write them on the command line and in files.
    package static func fullOrRelative(in database: DatabaseID) -> DocumentNames {
        DocumentNames(database: database, takesRelative: true)
    }

    /// The document of any database that a value names.
    package func reference(_ text: String) throws(DocumentFormError) -> Reference {
        if !takesRelative { try checkFull(text, "Resource name") }
        return try Reference(parsing: text, database: database)
    }

    /// The document of the database that a write names.
    func document(_ text: String) throws(DocumentFormError) -> DocumentPath {
        if !takesRelative { try checkFull(text, "Document name") }
        let whole = try ResourcePath(parsing: text)
        guard whole.count % 2 == (whole.readsAsFullName ? 1 : 0), !whole.isEmpty else {
            let name = whole.readsAsFullName ? text : "\(database.resourceName)/documents/\(text)"
            throw DocumentFormError("Document name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
        }
        return try DocumentPath(parsing: text, in: database)
    }

    private func checkFull(_ text: String, _ kind: String) throws(DocumentFormError) {
        guard text.utf8.starts(with: "projects/".utf8) else {
            throw DocumentFormError("\(kind) \"\(text)\" lacks \"projects\" at index 0.")
        }
        guard try ResourcePath(parsing: text).readsAsFullName else {
            throw DocumentFormError(
                "\(kind) \"\(text)\" is no name of a document: it has the form projects/P/databases/D/documents/C/ID.")
        }
    }
}
