// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

@Suite struct QueryErrorTests {
    private let sample: Sample
    private let cities: CollectionReference

    init() throws {
        sample = try Sample()
        cities = try Cities.load(into: sample.database)
    }

    private func refusal(_ query: Query) -> String? { text(.invalidArgument) { _ = try query.ids() } }

    /// The client library's texts.
    @Test func shape() throws {
        #expect(
            refusal(cities.limit(to: 0)) == "Invalid Query. Query limit (0) is invalid. Limit must be positive.")
        #expect(
            refusal(cities.order(by: "a").limit(toLast: -1))
                == "Invalid Query. Query limit (-1) is invalid. Limit must be positive.")
        #expect(
            refusal(cities.limit(toLast: 1))
                == "limit(toLast:) queries require specifying at least one OrderBy() clause.")
        #expect(
            refusal(cities.order(by: "a").start(at: [1]).order(by: "b"))
                == "Invalid query. You must not specify a starting point before specifying the order by.")
        #expect(
            refusal(cities.order(by: "a").end(at: [1]).order(by: "b"))
                == "Invalid query. You must not specify an ending point before specifying the order by.")
        #expect(
            refusal(cities.order(by: "a").start(at: [1, 2]))
                == "Invalid query. You are trying to start or end a query using more values than were specified in the"
                + " order by.")
        #expect(
            refusal(cities.order(by: "a[0]"))
                == "Invalid field path (a[0]). Paths must not contain '~', '*', '/', '[', or ']'")
        #expect(refusal(sample.database.collectionGroup("")) == "Collection ID cannot be empty.")
        #expect(
            refusal(sample.database.collectionGroup("a/b"))
                == "Invalid collection ID (a/b). Collection IDs must not contain / in them.")
        #expect(
            refusal(sample.database.collection("a/b").limit(to: 1))?.hasPrefix("Invalid collection reference.") == true)
    }

    /// W-11.
    @Test func filters() throws {
        #expect(
            refusal(cities.whereField("a", isNotEqualTo: 1).whereField("a", isNotEqualTo: 2))
                == "Invalid Query. You cannot use more than one 'notEqual' filter.")
        #expect(
            refusal(cities.whereField("a", in: [1]).whereField("b", notIn: [2]))
                == "Invalid Query. You cannot use 'notIn' filters with 'in' filters.")
        #expect(
            refusal(cities.whereField("a", in: [Any]()))
                == "Invalid Query. A non-empty array is required for 'in' filters.")
        #expect(refusal(cities.whereField("a", arrayContainsAny: [[1]])) == "Nested arrays are not supported")
        #expect(
            refusal(cities.whereField("a", isEqualTo: FieldValue.delete()))
                == "FieldValue.delete() can only be used with updateData() and setData()")
        #expect(
            refusal(cities.whereField("a", in: Array(0..<31))) == "'IN' supports up to 30 comparison values.")
        #expect(
            refusal(cities.whereField("a", arrayContains: 1).whereField("b", arrayContains: 1))
                == "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
        #expect(
            refusal(cities.whereField("a", isEqualTo: GeoPoint(latitude: 100, longitude: 0)))?
                .hasPrefix("GeoPoint requires a latitude") == true)
    }

    ///
    @Test func documentIDs() throws {
        let id = FieldPath.documentID()
        #expect(
            refusal(cities.whereField(id, arrayContains: "a"))
                == "Invalid query. You can't perform arrayContains queries on document ID since document IDs are not arrays."
        )
        #expect(
            refusal(cities.whereField(id, isEqualTo: ""))
                == "Invalid query. When querying by document ID you must provide a valid document ID, but it was an empty"
                + " string.")
        #expect(
            refusal(cities.whereField(id, isEqualTo: "a/b"))
                == "Invalid query. When querying a collection by document ID you must provide a plain document ID, but"
                + " 'a/b' contains a '/' character.")
        #expect(
            refusal(sample.database.collectionGroup("x").whereField(id, isEqualTo: "a/b/c"))
                == "Invalid query. When querying a collection group by document ID, the value provided must result in a"
                + " valid document path, but 'a/b/c' is not because it has an odd number of segments.")
        #expect(
            refusal(cities.whereField(id, isEqualTo: 1))?.hasPrefix(
                "Invalid query. When querying by document ID you must provide a valid string or DocumentReference")
                == true)
        #expect(
            refusal(cities.order(by: id).start(at: [1])) == "Invalid query. Expected a string for the document ID.")
        #expect(
            refusal(cities.order(by: id).start(at: ["a/b"]))
                == "Invalid query. When querying a collection and ordering by document ID, you must pass a plain document"
                + " ID, but 'a/b' contains a slash.")
    }

    ///
    @Test func snapshotCursors() throws {
        let missing = try cities.document("none").sync.getDocument()
        #expect(
            refusal(cities.start(atDocument: missing))
                == "Invalid query. You are trying to start or end a query using a document that doesn't exist.")
        let washington = try cities.document("DC").sync.getDocument()
        #expect(
            refusal(cities.order(by: "state").end(atDocument: washington))
                == "Invalid query. You are trying to start or end a query using a document for which the field 'state'"
                + " (used as the order by) does not exist.")
    }

    private func missingIndex(_ query: Query) throws -> FirestoreError {
        try #require(throws: FirestoreError.self) { try query.ids() }
    }

    /// E-2, and everything else that the error knows.
    @Test func missingCompositeIndex() throws {
        let query = cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true)
        let error = try missingIndex(query)
        #expect(error.code == 9 && error.status == .failedPrecondition)
        let url = try #require(error.missingIndex?.url)
        #expect(
            error.localizedDescription == "The query requires an index. You can create it here: \(url.absoluteString)")
        #expect(
            url.absoluteString.hasPrefix(
                "https://console.firebase.google.com/v1/r/project/hearth/firestore/indexes?create_composite="))
        let missing = try #require(error.missingIndex)
        #expect(missing.collectionGroup == "cities" && missing.queryScope == .collection && !missing.isBuilding)
        #expect(missing.fields.map(\.fieldPath) == ["state", "population", "__name__"])
        #expect(missing.fields.map(\.mode) == [.ascending, .descending, .descending])
        #expect(missing.closest == nil)
        let tree = try JSONSerialization.jsonObject(with: Data(missing.configuration.utf8)) as? NSDictionary
        #expect(
            tree == [
                "indexes": [
                    [
                        "collectionGroup": "cities", "queryScope": "COLLECTION",
                        "fields": [
                            ["fieldPath": "state", "order": "ASCENDING"],
                            ["fieldPath": "population", "order": "DESCENDING"],
                        ],
                    ]
                ], "fieldOverrides": [Any](),
            ])
    }

    /// A printed error shows the text to paste and the closest index. Its text stays production's.
    @Test func printedMissingIndex() throws {
        let query = cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true)
        let alone = try missingIndex(query)
        let definition = """
              "indexes": [
                {
                  "collectionGroup": "cities",
            """
        #expect("\(alone)".hasPrefix(alone.localizedDescription + "\n\nAdd to firestore.indexes.json:\n{\n"))
        #expect("\(alone)".contains(definition) && !"\(alone)".contains("closest"), "\(alone)")
        #expect(alone.debugDescription == alone.description && !alone.localizedDescription.contains("\n"))
        try sample.database.sync.setIndexConfiguration(
            """
            {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "population", "order": "ASCENDING"},
                {"fieldPath": "name", "order": "ASCENDING"}]}]}
            """)
        let error = try missingIndex(query)
        let closest = try #require(error.missingIndex?.closest)
        let expected =
            "The closest index does not serve the query: cities (state ASC, population ASC, name ASC, __name__ ASC). "
            + closest.reason
        #expect("\(error)".contains(expected), "\(error)")
    }

    /// E-3.
    @Test func missingSingleFieldIndex() throws {
        let error = try missingIndex(sample.database.collectionGroup("cities").whereField("state", isEqualTo: "CA"))
        #expect(
            error.localizedDescription.hasPrefix(
                "The query requires a COLLECTION_GROUP_ASC index for collection cities and field state. You can create it"
                    + " here: https://console.firebase.google.com/"))
        let missing = try #require(error.missingIndex)
        #expect(missing.queryScope == .collectionGroup && missing.fields.count == 1)
        #expect(missing.configuration.contains("\"fieldOverrides\""))
    }

    /// The fix replaces the field's override, so it holds the time to live that stands there.
    @Test func theFixKeepsTheTimeToLive() throws {
        try sample.database.sync.setIndexConfiguration(
            """
            {"indexes": [], "fieldOverrides": [{"collectionGroup": "cities", "fieldPath": "expires", "ttl": true, "indexes": [
                {"queryScope": "COLLECTION", "order": "ASCENDING"}]}]}
            """)
        let missing = try #require(
            missingIndex(sample.database.collectionGroup("cities").order(by: "expires")).missingIndex)
        #expect(missing.configuration.contains("\"ttl\": true"), "\(missing.configuration)")
    }

    /// A link to a project that does not exist is useless.
    @Test func noProjectNoLink() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("no-project.db")
        func error(projectID: String?) throws -> FirestoreError {
            let database = try Database.open(path: path, projectID: projectID)
            let query = database.collection("cities").whereField("state", isEqualTo: "CA").order(by: "name")
            return try missingIndex(query)
        }
        let unlinked = try error(projectID: nil)
        #expect(unlinked.missingIndex?.url == nil)
        #expect(
            unlinked.localizedDescription
                == "The query requires an index. For a link to it, open the database with the projectID of your "
                + "Firebase project, or set GCLOUD_PROJECT.")
        // An existing database keeps its identity, but links name the program's project.
        let url = try #require(try error(projectID: "acme").missingIndex?.url?.absoluteString)
        #expect(url.contains("/project/acme/"))
    }

    /// The project determines the link.
    @Test func projectOfTheLink() throws {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let database = try Database.open(path: "", settings: settings, projectID: "my-project")
        let query = database.collection("a").whereField("b", isEqualTo: 1).order(by: "c")
        let error = try #require(throws: FirestoreError.self) { try query.ids() }
        #expect(error.localizedDescription.contains("/project/my-project/"))
    }
}
