// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// D-1, D-7: names of documents and collections as text.
@Suite struct PathTests {
    private static let home = DatabaseID(project: "p")
    private static let documents = "projects/p/databases/(default)/documents"

    @Test(arguments: [
        ("c/d", ["c", "d"]), ("c/d/e/f", ["c", "d", "e", "f"]), ("é/e\u{301}", ["é", "e\u{301}"]),
        (" /\0", [" ", "\0"]),
    ])
    func readsDocumentPaths(_ text: String, _ segments: [Text]) throws {
        let path = try DocumentPath(parsing: text)
        #expect(path.resource.segments == segments)
        #expect(path.description.utf8.elementsEqual(text.utf8))
        #expect(path.id == segments[segments.count - 1])
        #expect(path.collection.document(path.id) == path)
        #expect(path.collection.group == segments[segments.count - 2])
    }

    /// A slash and a combining character are one Character, but separate two segments.
    @Test func slashesAreBytes() throws {
        let path = try DocumentPath(parsing: "c/\u{301}d")
        #expect(path.resource.segments == ["c", "\u{301}d"])
        #expect(
            try Reference(parsing: "projects/\u{301}", database: Self.home).path.segments == ["projects", "\u{301}"])
    }

    @Test func readsCollectionPaths() throws {
        let root = try CollectionPath(parsing: "c")
        #expect(root.parent == nil && root.group == "c")
        let nested = try CollectionPath(parsing: "c/d/e")
        #expect(nested.parent == "c/d" as DocumentPath && nested.group == "e")
        #expect(try ResourcePath(parsing: "") == .root)
    }

    @Test(arguments: [("", 0), ("c", 1), ("c/d/e", 3)])
    func documentsHaveAnEvenNumberOfSegments(_ text: String, _ count: Int) {
        let message =
            "Invalid document reference. Document references must have an even number of segments, but \(text) has \(count)"
        #expect(throws: DocumentFormError(message)) { try DocumentPath(parsing: text) }
        #expect(throws: DocumentFormError(message)) { try Reference(parsing: text, database: Self.home) }
    }

    @Test(arguments: [("", 0), ("c/d", 2), ("c/d/e/f", 4)])
    func collectionsHaveAnOddNumberOfSegments(_ text: String, _ count: Int) {
        let message =
            "Invalid collection reference. Collection references must have an odd number of segments, but \(text) has \(count)"
        #expect(throws: DocumentFormError(message)) { try CollectionPath(parsing: text) }
    }

    @Test(arguments: ["/", "//", "/c/d", "c/d/", "c//d", "c/d//e/f", "projects//databases/d/documents/c/d"])
    func refusesEmptySegments(_ text: String) {
        let error = DocumentFormError("Invalid path (\(text)). Paths must not contain // in them.")
        #expect(throws: error) { try ResourcePath(parsing: text) }
        #expect(throws: error) { try DocumentPath(parsing: text) }
        #expect(throws: error) { try CollectionPath(parsing: text) }
        #expect(throws: error) { try Reference(parsing: text, database: Self.home) }
    }

    /// D-1: relative names, full names of this database, and foreign names, which stay foreign.
    @Test(arguments: [
        ("cities/SF", "p", "(default)", "cities/SF"), ("\(documents)/cities/SF", "p", "(default)", "cities/SF"),
        ("\(documents)/a/b/c/d", "p", "(default)", "a/b/c/d"),
        ("projects/q/databases/(default)/documents/a/b", "q", "(default)", "a/b"),
        ("projects/p/databases/x/documents/a/b", "p", "x", "a/b"),
        // A collection may have the ID `projects`.
        ("projects/hearth", "p", "(default)", "projects/hearth"),
        ("projects/hearth/tasks/1", "p", "(default)", "projects/hearth/tasks/1"),
        ("projects/hearth/databases/x", "p", "(default)", "projects/hearth/databases/x"),
        ("projects/hearth/databases/x/tables/y", "p", "(default)", "projects/hearth/databases/x/tables/y"),
        ("\(documents)/projects/hearth", "p", "(default)", "projects/hearth"),
        ("\(documents)/\(documents)/c", "p", "(default)", "\(documents)/c"),
    ])
    func readsReferences(_ text: String, _ project: Text, _ database: Text, _ path: String) throws {
        let reference = try Reference(parsing: text, database: Self.home)
        #expect(reference.database == DatabaseID(project: project, database: database))
        #expect(reference.path.description == path)
        #expect(reference.resourceName == "projects/\(project)/databases/\(database)/documents/\(path)")
        // All references into a database share its object, so comparing them is cheap.
        #expect((reference.database === Self.home) == (reference.database == Self.home))
        #expect(try Reference(parsing: reference.resourceName, database: Self.home) == reference)
    }

    /// As recorded: a reference to a collection cannot be stored.
    @Test(arguments: ["\(documents)/c", "\(documents)/c/d/e", "projects/q/databases/x/documents/c"])
    func refusesReferencesToCollections(_ text: String) {
        let message = "Document name \"\(text)\" lacks \"/\" at index \(text.utf8.count)."
        #expect(throws: DocumentFormError(message)) { try Reference(parsing: text, database: Self.home) }
    }

    @Test(arguments: [
        "projects", "projects/p/databases", "projects/p/databases/d/documents", "projects/p/databases/d/docs/a/b",
    ])
    func refusesWhatIsNoName(_ text: String) {
        #expect(throws: DocumentFormError.self) { try Reference(parsing: text, database: Self.home) }
    }

    @Test func prefixesAndAppending() {
        let path = ResourcePath(segments: ["a", "b"])
        #expect(path.appending("c") == ResourcePath(segments: ["a", "b", "c"]))
        #expect(
            path.isPrefix(of: path) && path.isPrefix(of: path.appending("c")) && ResourcePath.root.isPrefix(of: path))
        #expect(!path.isPrefix(of: .root) && !path.isPrefix(of: ResourcePath(segments: ["a", "bb"])))
        #expect(ResourcePath.root.isEmpty && path.count == 2)
    }

    /// segment by segment, a prefix sorts first.
    @Test func fieldPathsAscend() {
        let ascending: [FieldPath] = [
            FieldPath(["a"]), FieldPath(["a", "b"]), FieldPath(["a", "b", "c"]), FieldPath(["a", "c"]),
            FieldPath(["a\0"]),
            FieldPath(["a.b"]), FieldPath(["b"]),
        ]
        for (left, one) in ascending.enumerated() {
            for (right, other) in ascending.enumerated() {
                #expect((one < other) == (left < right), "\(one) \(other)")
            }
        }
    }
}
