// SPDX-License-Identifier: Apache-2.0

import Hearth

/// Only compiled, because it needs a server.
enum ConnectedSnippets {
    static func landing(_ remote: Remote) async throws {
        let database = try await Database.open(path: "app.db", remote: remote)
        let cities = database.collection("cities")
        cities.document("SF").setData(["name": "San Francisco"]) { error in print(error ?? "the server has it") }
        for try await snapshot in cities.snapshots(includeMetadataChanges: true) {
            print(snapshot.count, snapshot.metadata.isFromCache ? "so far" : "as the server has it")
        }
    }

    static func exactlyOnce(_ remote: Remote) async throws {
        let settings = FirestoreSettings()
        settings.exactlyOnceCollection = "commits"
        let database = try await Database.open(path: "app.db", settings: settings, remote: remote)
        _ = database
    }

    static func defaultDatabase(_ remote: Remote) {
        let settings = FirestoreSettings()
        settings.remote = remote
        settings.cacheSettings = PersistentCacheSettings(sizeBytes: 50_000_000)
        Firestore.firestore().settings = settings
        Firestore.firestore().useEmulator(withHost: "127.0.0.1", port: 8080)
    }

    static func stored(_ cities: CollectionReference) async throws {
        try await cities.document("LA").setData(["name": "Los Angeles"], until: .stored)
    }

    static func aggregation(_ cities: CollectionReference) async throws {
        let known = try await cities.count.getAggregation(source: .cache).count
        _ = known
    }

    static func offline(_ database: Database, _ cities: CollectionReference) async throws {
        try await database.disableNetwork()
        let cached = try await cities.getDocuments()
        try await database.enableNetwork()
        try await database.waitForPendingWrites()
        _ = cached
    }
}
