// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct ReferenceSymbols {
    struct City: Codable, Equatable, Sendable {
        var name: String
    }

    @Test func collections() async throws {
        let db = try emptyDatabase()
        // CollectionReference
        let cities: CollectionReference = db.collection("cities")
        // CollectionReference.collectionID
        #expect(cities.collectionID == "cities")
        // CollectionReference.path
        #expect(cities.path == "cities")
        // CollectionReference.parent
        #expect(cities.parent == nil && cities.document("SF").collection("landmarks").parent == cities.document("SF"))
        // CollectionReference.document()
        let generated: DocumentReference = cities.document()
        #expect(generated.documentID.count == 20)
        // CollectionReference.document(_:)
        let city: DocumentReference = cities.document("SF")
        #expect(city.documentID == "SF")
    }

    @Test func addingDocuments() async throws {
        let cities = try emptyDatabase().collection("cities")
        // CollectionReference.addDocument(data:) async
        let tokyo: DocumentReference = try await cities.addDocument(data: ["name": "Tokyo"])
        #expect(tokyo.parent == cities)
        add(to: cities)
        // CollectionReference.addDocument(data:completion:)
        let beijing: DocumentReference = cities.addDocument(data: ["name": "Beijing"]) { error in
            #expect(error == nil)
        }
        // CollectionReference.addDocument(from:encoder:completion:)
        let paris = try cities.addDocument(from: City(name: "Paris"), encoder: Firestore.Encoder()) { error in
            #expect(error == nil)
        }
        #expect(try await beijing.getDocument().exists)
        #expect(try await paris.getDocument().exists)
        #expect(try await cities.getDocuments().count == 5)
    }

    /// In a synchronous function, the forms without a callback do not wait.
    private func add(to cities: CollectionReference) {
        // CollectionReference.addDocument(data:)
        cities.addDocument(data: ["name": "Lima"])
        // CollectionReference.addDocument(from:)
        _ = try? cities.addDocument(from: City(name: "Rome"))
    }

    @Test func documents() throws {
        let db = try emptyDatabase()
        // DocumentReference
        let city: DocumentReference = db.collection("cities").document("SF")
        // DocumentReference.documentID
        #expect(city.documentID == "SF")
        // DocumentReference.parent
        #expect(city.parent == db.collection("cities"))
        // DocumentReference.firestore
        #expect(city.firestore === db)
        // DocumentReference.path
        #expect(city.path == "cities/SF")
        // DocumentReference.collection(_:)
        #expect(city.collection("landmarks").path == "cities/SF/landmarks")
    }

    @Test func writingAsynchronously() async throws {
        let city = try emptyDatabase().document("cities/SF")
        // DocumentReference.setData(_:) async
        try await city.setData(["name": "San Francisco"])
        // DocumentReference.setData(_:merge:) async
        try await city.setData(["state": "CA"], merge: true)
        // DocumentReference.setData(_:mergeFields:) async
        try await city.setData(["country": "USA", "state": "?"], mergeFields: ["country"])
        // DocumentReference.updateData(_:) async
        try await city.updateData(["population": 860_000])
        // DocumentReference.getDocument() async
        var snapshot: DocumentSnapshot = try await city.getDocument()
        let data: NSDictionary = ["name": "San Francisco", "state": "CA", "country": "USA", "population": 860_000]
        #expect(snapshot.data().map { $0 as NSDictionary } == data)
        // DocumentReference.getDocument(source:) async
        snapshot = try await city.getDocument(source: .cache)
        #expect(snapshot.exists)
        // DocumentReference.getDocument(as:) async
        let value = try await city.getDocument(as: City.self)
        #expect(value == City(name: "San Francisco"))
        // DocumentReference.delete() async
        try await city.delete()
        #expect(try await !city.getDocument().exists)
    }

    @Test func writingWithoutWaiting() async throws {
        let city = try emptyDatabase().document("cities/SF")
        write(city)
        #expect(try await city.getDocument()["state"] as? String == "CA")
        deleteWithoutWaiting(city)
        #expect(try await !city.getDocument().exists)
        // DocumentReference.setData(from:)
        try city.setData(from: City(name: "Paris"))
        #expect(try await city.getDocument(as: City.self).name == "Paris")
    }

    private func write(_ city: DocumentReference) {
        // DocumentReference.setData(_:)
        city.setData(["name": "San Francisco"])
        // DocumentReference.setData(_:merge:)
        city.setData(["state": "CA"], merge: true)
        // DocumentReference.setData(_:mergeFields:)
        city.setData(["state": "?", "country": "USA"], mergeFields: ["country"])
        // DocumentReference.updateData(_:)
        city.updateData(["population": 860_000])
    }

    private func deleteWithoutWaiting(_ city: DocumentReference) {
        // DocumentReference.delete()
        city.delete()
    }

    @Test func writingWithCallbacks() async throws {
        let city = try emptyDatabase().document("cities/SF")
        let check: @Sendable ((any Error)?) -> Void = { error in #expect(error == nil) }
        // DocumentReference.setData(_:completion:)
        city.setData(["name": "San Francisco"], completion: check)
        // DocumentReference.setData(_:merge:completion:)
        city.setData(["state": "CA"], merge: true, completion: check)
        // DocumentReference.setData(_:mergeFields:completion:)
        city.setData(["state": "?", "country": "USA"], mergeFields: ["country"]) { error in check(error) }
        // DocumentReference.updateData(_:completion:)
        city.updateData(["population": 860_000]) { error in check(error) }
        // DocumentReference.setData(from:encoder:completion:)
        try city.setData(from: City(name: "Paris")) { error in check(error) }
        // DocumentReference.setData(from:merge:encoder:completion:)
        try city.setData(from: City(name: "Paris"), merge: true, completion: check)
        // DocumentReference.setData(from:mergeFields:encoder:completion:)
        try city.setData(from: City(name: "Paris"), mergeFields: ["name"], completion: check)
        await finished { done in
            // DocumentReference.getDocument(completion:)
            city.getDocument { document, error in
                #expect(document?.data().map { $0 as NSDictionary } == ["name": "Paris"] && error == nil)
                done()
            }
        }
        await finished { done in
            // DocumentReference.getDocument(source:completion:)
            city.getDocument(source: .server) { document, error in
                #expect(document?.exists == true && error == nil)
                done()
            }
        }
        await finished { done in
            // DocumentReference.getDocument(as:with:decoder:completion:)
            city.getDocument(as: City.self) { result in
                #expect((try? result.get()) == City(name: "Paris"))
                done()
            }
        }
        await finished { done in
            // DocumentReference.getDocument(as:with:decoder:source:completion:)
            city.getDocument(as: City.self, with: .none, decoder: Firestore.Decoder(), source: .default) { result in
                #expect((try? result.get()) == City(name: "Paris"))
                done()
            }
        }
        // DocumentReference.delete(completion:)
        city.delete { error in check(error) }
        #expect(try await !city.getDocument().exists)
    }

    @Test func sources() {
        // FirestoreSource
        var source: FirestoreSource
        // FirestoreSource.default
        source = .default
        #expect(source == .default)
        // FirestoreSource.server
        source = .server
        #expect(source == .server)
        // FirestoreSource.cache
        source = .cache
        #expect(source == .cache)
    }
}
