// SPDX-License-Identifier: Apache-2.0

import Hearth

func run() async throws {
    let database = try await Database.open(path: "cities.db")
    let cities = database.collection("cities")

    try await cities.document("SF").setData(["name": "San Francisco", "state": "CA", "population": 860_000])
    try await cities.document("LA").setData(["name": "Los Angeles", "state": "CA", "population": 3_900_000])

    for city in try await cities.whereField("state", isEqualTo: "CA").getDocuments().documents {
        print(city.documentID, city["name"] ?? "")
    }

    let population = try await database.runTransaction { transaction in
        let city = try transaction.getDocument(cities.document("SF"))
        let population = (city["population"] as? Int ?? 0) + 1
        transaction.updateData(["population": population], forDocument: cities.document("SF"))
        return population
    }
    print("San Francisco now has \(population)")
}

try await run()
