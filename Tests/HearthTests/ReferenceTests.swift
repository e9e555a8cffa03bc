// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct ReferenceTests {
    @Test func pathsAndParents() throws {
        let database = try Sample().database
        let landmark = database.collection("cities").document("SF").collection("landmarks").document("bridge")
        #expect(landmark.path == "cities/SF/landmarks/bridge")
        #expect(landmark.documentID == "bridge")
        #expect(landmark.parent.path == "cities/SF/landmarks")
        #expect(landmark.parent.collectionID == "landmarks")
        #expect(landmark.parent.parent?.path == "cities/SF")
        #expect(database.collection("cities").parent == nil)
        #expect(database.document("cities/SF/landmarks/bridge") == landmark)
        #expect(database.collection("cities").document("SF/landmarks/bridge") == landmark)
        #expect(database.document("/cities/SF/") == database.document("cities/SF"))
        #expect(Set([landmark, database.document("cities/SF/landmarks/bridge")]).count == 1)
    }

    @Test func generatedIDsHaveTwentyLettersAndDigits() throws {
        let cities = try Sample().database.collection("cities")
        let ids = (0..<1_000).map { _ in cities.document().documentID }
        #expect(Set(ids).count == 1_000)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9]{20}/) != nil })
    }

    /// D-7: the client library's texts.
    @Test(arguments: [
        ("", "Document path cannot be empty."),
        ("a", "Invalid document reference. Document references must have an even number of segments, but a has 1"),
        ("a//b", "Invalid path (a//b). Paths must not contain // in them."),
        ("//", "Invalid path (//). Paths must not contain // in them."),
        (
            "a/b/c",
            "Invalid document reference. Document references must have an even number of segments, but a/b/c has 3"
        ),
    ])
    func impossibleDocumentPaths(path: String, message: String) throws {
        let database = try Sample().database
        let document = database.document(path)
        #expect(text(.invalidArgument) { _ = try document.sync.getDocument() } == message)
        #expect(text(.invalidArgument) { try document.sync.setData([:]) } == message)
        #expect(text(.invalidArgument) { try document.collection("x").document("y").sync.delete() } == message)
        #expect(text(.invalidArgument) { try document.parent.document("y").sync.delete() } == message)
    }

    @Test(arguments: [
        ("", "Collection path cannot be empty."),
        (
            "a/b",
            "Invalid collection reference. Collection references must have an odd number of segments, but a/b has 2"
        ),
    ])
    func impossibleCollectionPaths(path: String, message: String) throws {
        let collection = try Sample().database.collection(path)
        #expect(text(.invalidArgument) { try collection.sync.addDocument(data: [:]) } == message)
    }

    /// D-3: the backend's text.
    @Test func reservedIDsAreRefused() throws {
        let document = try Sample().database.document("cities/__x__")
        #expect(
            text(.invalidArgument) { try document.sync.setData([:]) }
                == "Resource id \"__x__\" is invalid because it is reserved.")
    }

    @Test func collectionsAreListed() throws {
        let database = try Sample().database
        #expect(try database.sync.listCollections().isEmpty)
        try database.document("b/1/deep/2").sync.setData([:])
        try database.document("a/1").sync.setData([:])
        #expect(try database.sync.listCollections().map(\.path) == ["a", "b"])
        #expect(try database.document("b/1").sync.listCollections().map(\.path) == ["b/1/deep"])
        #expect(try database.document("a/1").sync.listCollections().isEmpty)
    }
}
