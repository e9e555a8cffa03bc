// SPDX-License-Identifier: Apache-2.0

extension ResourcePath {
    /// Segments separated by `/`, none of them empty. The empty text is the root. ``validate(writing:database:)``
    /// checks the IDs.
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

    /// Checks the segments as collection and document IDs in turn (D-2, D-3).
    ///
    /// Reserved IDs (`__x__`) are refused only for writing. A query's values may name them and find nothing.
    package func validate(writing: Bool, database: DatabaseID) throws(DocumentFormError) {
        for index in segments.indices {
            try segments[index].validate(asSegment: index, of: self, writing: writing, database: database)
        }
    }
}

extension DocumentPath {
    /// Checks the segments of a path that is to be written.
    func validateForWriting(_ database: DatabaseID) throws(DocumentFormError) {
        let segments = collection.resource.segments.span
        for index in segments.indices {
            try segments[index].validate(asSegment: index, of: resource, writing: true, database: database)
        }
        try id.validate(asSegment: segments.count, of: resource, writing: true, database: database)
    }
}

extension Text {
    /// Checks one segment of a path as a collection or document ID.
    fileprivate func validate(
        asSegment index: Int, of path: @autoclosure () -> ResourcePath, writing: Bool, database: DatabaseID
    ) throws(DocumentFormError) {
        if utf8Count <= 2, self == "." || self == ".." {
            let before = ResourcePath(segments: Array(path().segments[..<index]))
            let offset = Reference(database: database, path: before).resourceName.utf8.count + (index == 0 ? 0 : 1)
            let whole = Reference(database: database, path: path()).resourceName
            throw DocumentFormError(
                "Document name \"\(whole)\" contains a resource id \"\(self)\" at index \(offset).")
        }
        guard utf8Count <= 1_500 else {
            throw DocumentFormError("The key path element name is longer than 1500 bytes.")
        }
        if writing, isReserved, !ResourcePath.isFromDatastore(self, isCollection: index % 2 == 0) {
            let kind = index % 2 == 0 ? "Collection id" : "Resource id"
            throw DocumentFormError("\(kind) \"\(self)\" is invalid because it is reserved.")
        }
    }
}

extension ResourcePath {
    /// Reserved IDs that production stores anyway: numbers as document IDs (D-3), and `__esc…__`, under which Datastore
    /// kinds that are not valid collection IDs are kept (production-queries, QueryTest_runQuery_escapedKind).
    fileprivate static func isFromDatastore(_ segment: Text, isCollection: Bool) -> Bool {
        isCollection ? segment.string.hasPrefix("__esc") && segment.utf8Count > 7 : numericID(segment) != nil
    }
}

extension ResourcePath {
    /// Whether the text is a single segment, which need not be split.
    package static func isOneSegment(_ text: String) -> Bool { !text.isEmpty && !text.holds(UInt8(ascii: "/")) }
}

extension Text {
    /// Whether it has the form `__.*__` (D-2, D-3, D-8).
    package var isReserved: Bool {
        string.utf8.first == UInt8(ascii: "_") && utf8Count >= 4 && string.utf8.starts(with: "__".utf8)
            && string.utf8.suffix(2).elementsEqual("__".utf8)
    }
}

extension DocumentPath {
    /// A relative path such as `cities/SF`, with an even number of segments.
    package init(parsing text: String) throws(DocumentFormError) {
        self.init(try ResourcePath(parsing: text).checkedAsDocument())
    }
}

extension CollectionPath {
    /// A relative path such as `cities/SF/landmarks`, with an odd number of segments.
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

extension ResourcePath {
    fileprivate func checkedAsDocument() throws(DocumentFormError) -> ResourcePath {
        guard count % 2 == 0, !isEmpty else {
            throw DocumentFormError(
                "Invalid document reference. Document references must have an even number of segments, "
                    + "but \(self) has \(count)")
        }
        return self
    }

    /// Whether the path reads like a full name, `projects/P/databases/D/documents/cities/SF`. It may still be a
    /// relative path, because each of these words is a valid collection ID.
    package var readsAsFullName: Bool {
        count > 5 && segments[0] == "projects" && segments[2] == "databases" && segments[4] == "documents"
    }

    /// The database and the relative path of what reads as a full name; nil for other paths.
    package var fullNameParts: (database: DatabaseID, path: ResourcePath)? {
        guard readsAsFullName else { return nil }
        return (
            DatabaseID(project: segments[1], database: segments[3]),
            ResourcePath(segments: Array(segments.dropFirst(5)))
        )
    }
}

extension DocumentPath {
    /// A document's name, full or relative. A full name must belong to `database`.
    package init(parsing text: String, in database: DatabaseID) throws(DocumentFormError) {
        let reference = try Reference(parsing: text, database: database)
        guard reference.database == database else {
            throw DocumentFormError("\(text) belongs to another database than \(database.resourceName).")
        }
        self.init(reference.path)
    }
}

extension Reference {
    /// A full name, `projects/P/databases/D/documents/cities/SF`, or a relative path in `database`. What can be read as
    /// a full name is one; other paths into a collection `projects` are relative.
    ///
    /// Only document names can be stored. A full name in another database stays foreign.
    package init(parsing text: String, database: DatabaseID) throws(DocumentFormError) {
        let whole = try ResourcePath(parsing: text)
        guard let (named, path) = whole.fullNameParts else {
            self.init(database: database, path: try whole.checkedAsDocument())
            return
        }
        guard path.count % 2 == 0 else {
            throw DocumentFormError("Document name \"\(text)\" lacks \"/\" at index \(text.utf8.count).")
        }
        self.init(database: named == database ? database : named, path: path)
    }

    /// `projects/P/databases/D/documents/cities/SF`
    package var resourceName: String { "\(database.resourceName)/documents/\(path)" }

    /// The name that ``init(parsing:database:)`` parses back: relative in `database`, unless the relative path reads
    /// like a full name.
    func name(in database: DatabaseID) -> String {
        self.database == database && !path.readsAsFullName ? path.description : resourceName
    }
}
