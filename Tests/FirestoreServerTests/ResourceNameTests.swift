// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Testing

    @Suite struct ResourceNameTests {
        @Test func namesOfDocumentsAndRoots() throws {
            let name = try ResourceName(parsing: "projects/p/databases/(default)/documents/cities/SF")
            #expect(name.database == DatabaseID(project: "p"))
            #expect(name.path == ResourcePath(segments: ["cities", "SF"]))
            #expect(try ResourceName(parsing: "projects/p/databases/d/documents").path.isEmpty)
        }

        @Test(arguments: ["", "projects/p", "projects//databases/d/documents", "projects/p/databases/d/documents//a"])
        func invalidNames(_ text: String) {
            #expect(throws: RequestError.self) { try ResourceName(parsing: text) }
        }

        /// What follows a database may not be passed over: the caller meant another thing.
        @Test func namesOfDatabases() throws {
            for text in ["projects/p/databases/x", "projects/p/databases/x/documents"] {
                #expect(try ResourceName.database(text) == DatabaseID(project: "p", database: "x"))
            }
            for text in [
                "projects/p/databases/x/y", "projects/p/databases/x/", "projects/p/databases/x/documents/c/a",
                "projects/p", "",
            ] {
                #expect(throws: RequestError.self, "\(text)") { try ResourceName.database(text) }
            }
        }
    }
#endif
