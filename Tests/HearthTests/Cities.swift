// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth

/// The cities of Firestore's guides on queries.
enum Cities {
    static let data: [String: [String: any Sendable]] = [
        "SF": [
            "name": "San Francisco", "state": "CA", "country": "USA", "capital": false, "population": 860_000,
            "regions": ["west_coast", "norcal"],
        ],
        "LA": [
            "name": "Los Angeles", "state": "CA", "country": "USA", "capital": false, "population": 3_900_000,
            "regions": ["west_coast", "socal"],
        ],
        "DC": [
            "name": "Washington D.C.", "country": "USA", "capital": true, "population": 680_000,
            "regions": ["east_coast"],
        ],
        "TOK": [
            "name": "Tokyo", "country": "Japan", "capital": true, "population": 9_000_000,
            "regions": ["kanto", "honshu"],
        ],
        "BJ": [
            "name": "Beijing", "country": "China", "capital": true, "population": 21_500_000,
            "regions": ["jingjinji", "hebei"],
        ],
    ]

    static func load(into database: Database) throws -> CollectionReference {
        let cities = database.collection("cities")
        for (id, fields) in data { try cities.document(id).sync.setData(fields) }
        return cities
    }
}

extension Query {
    /// The IDs found, in order.
    func ids() throws -> [String] { try sync.getDocuments().documents.map(\.documentID) }
}
