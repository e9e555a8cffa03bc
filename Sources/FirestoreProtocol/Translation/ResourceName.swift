// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel

    /// A name in a request: a database, and a path in it.
    package struct ResourceName: Sendable, Hashable {
        package let database: DatabaseID
        /// Empty for the root.
        package let path: ResourcePath

        package init(database: DatabaseID, path: ResourcePath) {
            self.database = database
            self.path = path
        }

        /// Parses `projects/P/databases/D/documents`, with or without a path behind it.
        package init(parsing text: String) throws(RequestError) {
            let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard segments.count >= 5, segments[4].elementsEqual("documents".utf8) else {
                throw ResourceName.lacksSlash(text, "Document parent name")
            }
            database = try ResourceName.database(of: segments[..<4], in: text)
            do throws(DocumentFormError) {
                path = try ResourcePath(
                    parsing: String(Substring(text.utf8.dropFirst(segments[..<5].reduce(5) { $0 + $1.count }))))
            } catch {
                throw RequestError(error)
            }
        }

        /// The database `projects/P/databases/D`, also with `/documents` behind it.
        package static func database(_ text: String) throws(RequestError) -> DatabaseID {
            let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard segments.count <= 4 || segments.count == 5 && segments[4].elementsEqual("documents".utf8) else {
                throw noDatabase(text)
            }
            return try database(of: segments.prefix(4), in: text)
        }

        private static func database(
            of segments: ArraySlice<Substring.UTF8View>, in text: String
        ) throws(RequestError) -> DatabaseID {
            guard segments.count == 4, segments[0].elementsEqual("projects".utf8), !segments[1].isEmpty,
                segments[2].elementsEqual("databases".utf8), !segments[3].isEmpty
            else { throw noDatabase(text) }
            return DatabaseID(
                project: Text(String(Substring(segments[1]))), database: Text(String(Substring(segments[3]))))
        }

        private static func noDatabase(_ text: String) -> RequestError {
            .invalid("Invalid database name \"\(text)\": it has the form projects/P/databases/D.")
        }

        /// The document of this name.
        package func document(_ text: String) throws(RequestError) -> DocumentPath {
            guard path.count % 2 == 0, !path.isEmpty else { throw ResourceName.lacksSlash(text, "Document name") }
            try check()
            return DocumentPath(path)
        }

        /// The document below which a request looks; nil for the root.
        package func parent(_ text: String) throws(RequestError) -> DocumentPath? {
            guard path.count % 2 == 0 else { throw ResourceName.lacksSlash(text, "Document parent name") }
            guard !path.isEmpty else { return nil }
            try check()
            return DocumentPath(path)
        }

        /// Requests may not name reserved IDs even to read them, as Google's client tests want it, which are made for production.
        private func check() throws(RequestError) {
            do throws(DocumentFormError) {
                try path.validate(writing: true, database: database)
            } catch {
                throw RequestError(error)
            }
        }

        private static func lacksSlash(_ text: String, _ kind: String) -> RequestError {
            .invalid("\(kind) \"\(text)\" lacks \"/\" at index \(text.utf8.count).")
        }
    }

    extension DocumentPath {
        /// The document of a full name, which must lie in `database`.
        package init(named text: String, in database: DatabaseID) throws(RequestError) {
            let name = try ResourceName(parsing: text)
            guard name.database == database else {
                throw .invalid("\(text) belongs to another database than \(database.resourceName).")
            }
            self = try name.document(text)
        }

        /// `projects/P/databases/D/documents/cities/SF`
        package func name(in database: DatabaseID) -> String {
            Reference(database: database, path: resource).resourceName
        }
    }
#endif
