// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

@Suite struct IndexConfigurationTests {
    private let sample: Sample
    private let cities: CollectionReference

    init() throws {
        sample = try Sample()
        cities = try Cities.load(into: sample.database)
    }

    /// What users do: they get the error, paste its text into the file, and the query works.
    @Test func theErrorsConfigurationServesTheQuery() throws {
        let queries = [
            cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true),
            cities.whereField("regions", arrayContains: "west_coast").order(by: "population"),
            cities.whereField("population", isGreaterThan: 1).order(by: "name", descending: true),
            sample.database.collectionGroup("cities").whereField("state", isEqualTo: "CA"),
            sample.database.collectionGroup("cities").order(by: "population", descending: true).limit(to: 2),
        ]
        let expected = [["LA", "SF"], ["SF", "LA"], ["DC", "TOK", "SF", "LA", "BJ"], ["LA", "SF"], ["BJ", "TOK"]]
        for (query, ids) in zip(queries, expected) {
            let error = try #require(throws: FirestoreError.self) { try query.ids() }
            let missing = try #require(error.missingIndex)
            try sample.database.sync.setIndexConfiguration(missing.configuration)
            #expect(try query.ids() == ids)
        }
    }

    /// A configuration replaces the previous one.
    @Test func replacing() async throws {
        let query = cities.whereField("state", isEqualTo: "CA").order(by: "population")
        let file = """
            { // Comments are allowed.
              "indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "population", "order": "ASCENDING"}]}]
            }
            """
        try await sample.database.setIndexConfiguration(file)
        #expect(try await query.getDocuments().documents.map(\.documentID) == ["SF", "LA"])
        let descending = cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true)
        let near = await #expect(throws: FirestoreError.self) { try await descending.getDocuments() }
        #expect(near?.missingIndex?.closest?.fields.map(\.fieldPath) == ["state", "population", "__name__"])
        #expect(near?.missingIndex?.closest?.reason.contains("population") == true)
        try await sample.database.setIndexConfiguration(#"{"indexes": []}"#)
        await #expect(throws: FirestoreError.self) { try await query.getDocuments() }
    }

    /// Overrides apply.
    @Test func exemptions() throws {
        let query = cities.whereField("name", isEqualTo: "Tokyo")
        #expect(try query.ids() == ["TOK"])
        try sample.database.sync.setIndexConfiguration(
            #"{"indexes": [], "fieldOverrides": [{"collectionGroup": "cities", "fieldPath": "name", "indexes": []}]}"#)
        let error = try #require(throws: FirestoreError.self) { try query.ids() }
        #expect(error.localizedDescription.hasPrefix("The query requires a COLLECTION_ASC index for collection cities"))
        // The text to add keeps the rest of the exemption: no other index comes back.
        #expect(error.missingIndex?.configuration.contains("DESCENDING") == false)
        try sample.database.sync.setIndexConfiguration(#"{"indexes": []}"#)
        #expect(try query.ids() == ["TOK"])
    }

    @Test func whatIsWrongWithTheText() async throws {
        let syntax = await #expect(throws: FirestoreError.self) {
            try await sample.database.setIndexConfiguration("{\n  \"indexes\": [")
        }
        #expect(syntax?.status == .invalidArgument)
        #expect(syntax?.localizedDescription.hasPrefix("Index configuration, line 2, column ") == true)
        let code = await withCheckedContinuation { continuation in
            sample.database.setIndexConfiguration(#"{"indexes": [{"collectionGroup": "a"}]}"#) {
                continuation.resume(returning: ($0 as NSError?)?.code)
            }
        }
        #expect(code == 3)
    }

    /// A database in memory has a file without a name.
    @Test func inMemory() throws {
        let folder = try TemporaryDirectory()
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let database = try Database.open(path: folder.path("never-made.db"), settings: settings)
        let lines = (0..<2_000).map { #"{"name":"c/\#($0)","fields":{"a":{"integerValue":"\#($0 % 7)"}}}"# }
        let file = URL(filePath: folder.path("lines.ndjson"))
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        #expect(try database.sync.importDocuments(from: file).imported == 2_000)
        try database.sync.setIndexConfiguration(
            """
            {"indexes": [], "fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [
              {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
            """)
        let query = database.collectionGroup("c").whereField("a", isEqualTo: 3)
        #expect(try query.sync.getDocuments().count == 286)
    }
}
