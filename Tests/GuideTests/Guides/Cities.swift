// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth

/// The cities of the guides, and their landmarks.
enum Cities {
    static func store(in db: Firestore) {
        let citiesRef = db.collection("cities")
        citiesRef.document("SF").setData([
            "name": "San Francisco", "state": "CA", "country": "USA", "capital": false, "population": 860_000,
            "regions": ["west_coast", "norcal"],
        ])
        citiesRef.document("LA").setData([
            "name": "Los Angeles", "state": "CA", "country": "USA", "capital": false, "population": 3_900_000,
            "regions": ["west_coast", "socal"],
        ])
        citiesRef.document("DC").setData([
            "name": "Washington D.C.", "country": "USA", "capital": true, "population": 680_000,
            "regions": ["east_coast"],
        ])
        citiesRef.document("TOK").setData([
            "name": "Tokyo", "country": "Japan", "capital": true, "population": 9_000_000,
            "regions": ["kanto", "honshu"],
        ])
        citiesRef.document("BJ").setData([
            "name": "Beijing", "country": "China", "capital": true, "population": 21_500_000,
            "regions": ["jingjinji", "hebei"],
        ])
    }

    static func storeLandmarks(in db: Firestore) {
        let landmarks = [
            ("SF", "Golden Gate Bridge", "bridge"), ("SF", "Legion of Honor", "museum"),
            ("LA", "Griffith Park", "park"), ("LA", "The Getty", "museum"),
            ("DC", "Lincoln Memorial", "memorial"), ("DC", "National Air and Space Museum", "museum"),
            ("TOK", "Ueno Park", "park"), ("TOK", "National Museum of Nature and Science", "museum"),
            ("BJ", "Jingshan Park", "park"), ("BJ", "Beijing Ancient Observatory", "museum"),
        ]
        for (city, name, type) in landmarks {
            db.collection("cities").document(city).collection("landmarks").addDocument(data: [
                "name": name, "type": type,
            ])
        }
    }

    /// A database that holds them.
    static func database() throws -> Firestore {
        let db = try emptyDatabase()
        store(in: db)
        return db
    }
}

extension Query {
    /// The IDs found, in order.
    func ids() async throws -> [String] { try await getDocuments().documents.map { $0.documentID } }

    /// The IDs found, after creating the indexes that the query lacks, as its errors describe them.
    func idsWithIndexes() async throws -> [String] {
        while true {
            do {
                return try await ids()
            } catch let error as FirestoreError {
                guard let missing = error.missingIndex else { throw error }
                try await firestore.setIndexConfiguration(missing.configuration)
            }
        }
    }
}
