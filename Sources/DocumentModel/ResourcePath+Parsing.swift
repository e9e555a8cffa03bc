// SPDX-License-Identifier: Apache-2.0

extension ResourcePath {
    /// Segments separated by `/`, each a valid ID (D-2, D-3); the empty text is the root.
    package init(parsing text: String) throws(DocumentFormError) {
        guard !text.isEmpty else {
            self = .root
            return
        }
        var segments: [Text] = []
        for piece in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard !piece.isEmpty else {
                throw DocumentFormError("Invalid path (\(text)). Paths must not contain // in them.")
            }
            segments.append(Text(String(Substring(piece))))
        }
        self.init(segments: segments)
    }

    /// Checks every segment as an ID, collections and documents in turn (D-2, D-3).
    ///
    /// Reserved IDs (`__x__`) are refused only where `writing`: a query may name them, and finds nothing.
    package func validate(writing: Bool) throws(DocumentFormError) {
        for (index, segment) in segments.enumerated() {
            let name = index % 2 == 0 ? "Collection id" : "Resource id"
            if segment == "." || segment == ".." {
                throw DocumentFormError("\(name) \"\(segment)\" is invalid because it is reserved.")
            }
            guard segment.utf8Count <= 1_500 else {
                throw DocumentFormError("The key path element name is longer than 1500 bytes.")
            }
            if writing, segment.isReserved, !ResourcePath.isFromDatastore(segment, isCollection: index % 2 == 0) {
                throw DocumentFormError("\(name) \"\(segment)\" is invalid because it is reserved.")
            }
        }
    }
}

extension ResourcePath {
    /// The reserved IDs that production stores all the same: numbers as document IDs (D-3), and `__esc…__`, under which kinds of
    /// Datastore that are no collection IDs are kept (production-queries, QueryTest_runQuery_escapedKind).
    fileprivate static func isFromDatastore(_ segment: Text, isCollection: Bool) -> Bool {
        isCollection ? segment.string.hasPrefix("__esc") && segment.utf8Count > 7 : numericID(segment) != nil
    }
}

extension Text {
    /// Of the form `__.*__` (D-2, D-3, D-8).
    package var isReserved: Bool {
        utf8Count >= 4 && string.utf8.starts(with: "__".utf8) && string.utf8.suffix(2).elementsEqual("__".utf8)
    }
}

extension DocumentPath {
    /// A relative path, `cities/SF`, with an even number of segments.
    package init(parsing text: String) throws(DocumentFormError) {
        let resource = try ResourcePath(parsing: text)
        guard resource.count % 2 == 0, !resource.isEmpty else {
            throw DocumentFormError(
                "Invalid document reference. Document references must have an even number of segments, "
                    + "but \(text) has \(resource.count)")
        }
        self.init(resource)
    }
}

extension CollectionPath {
    /// A relative path, `cities/SF/landmarks`, with an odd number of segments.
    package init(parsing text: String) throws(DocumentFormError) {
        let resource = try ResourcePath(parsing: text)
        guard resource.count % 2 == 1 else {
            throw DocumentFormError(
                "Invalid collection reference. Collection references must have an odd number of segments, "
                    + "but \(text) has \(resource.count)")
        }
        self.init(resource)
    }
}

extension Reference {
    /// A full name, `projects/P/databases/D/documents/cities/SF`, or a relative one in `database`.
    ///
    /// Only the names of documents are storable, and a full name of another database stays foreign.
    package init(parsing text: String, database: DatabaseID) throws(DocumentFormError) {
        guard text.hasPrefix("projects/") else {
            self.init(database: database, path: try DocumentPath(parsing: text).resource)
            return
        }
        let pieces = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 5, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard pieces.count == 6, pieces[2] == "databases", pieces[4] == "documents", !pieces[1].isEmpty,
            !pieces[3].isEmpty
        else {
            throw DocumentFormError(
                "Invalid document name \(text). It must be projects/P/databases/D/documents/ and a path.")
        }
        let named = DatabaseID(project: Text(pieces[1]), database: Text(pieces[3]))
        let path = try ResourcePath(parsing: pieces[5])
        guard path.count % 2 == 0, !path.isEmpty else {
            throw DocumentFormError("Document name \"\(text)\" lacks \"/\" at index \(text.utf8.count).")
        }
        self.init(database: named == database ? database : named, path: path)
    }

    /// `projects/P/databases/D/documents/cities/SF`
    package var resourceName: String { "\(database.resourceName)/documents/\(path)" }
}
