// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

// View models on the main actor with callbacks, as written for FirebaseFirestore, in Swift 6 language mode.
// PortedCodeTests has the same ones in Swift 5 language mode.

@MainActor final class CitiesViewModel {
    private(set) var names: [String] = []
    private(set) var log: [String] = []
    private let db: Firestore
    private var listener: ListenerRegistration?
    private var inSync: ListenerRegistration?

    init(db: Firestore) {
        self.db = db
    }

    func start(_ query: Query) {
        listener = query.addSnapshotListener { [weak self] snapshot, error in
            guard let documents = snapshot?.documents else { return print(error!) }
            self?.names = documents.compactMap { $0["name"] as? String }
        }
        db.document("cities/SF").addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
            self.log.append(snapshot?.exists == true ? "there" : "not there")
        }
        inSync = db.addSnapshotsInSyncListener { self.log.append("in sync") }
    }

    func stop() {
        listener?.remove()
        inSync?.remove()
    }

    func add(_ name: String) {
        var ref: DocumentReference?
        ref = db.collection("cities").addDocument(data: ["name": name]) { error in
            if let error { return print(error) }
            self.log.append("added \(ref!.documentID.count)")
        }
    }

    func write(then done: @escaping () -> Void) {
        let city = db.document("cities/SF")
        city.setData(["name": "San Francisco"]) { _ in self.log.append("set") }
        city.setData(["state": "CA"], merge: true) { error in self.log.append(error == nil ? "merged" : "failed") }
        city.updateData(["n": 1]) { [weak self] _ in self?.log.append("updated") }
        let batch = db.batch()
        batch.updateData(["n": 2], forDocument: city)
        batch.commit { _ in self.log.append("committed") }
        db.runTransaction(
            { transaction, errorPointer -> Any? in
                transaction.updateData(["n": 3], forDocument: city)
                return 3
            },
            completion: { result, _ in
                self.log.append("transaction \(result as? Int ?? 0)")
                self.read(city, done)
            })
    }

    private func read(_ city: DocumentReference, _ done: @escaping () -> Void) {
        city.getDocument { snapshot, _ in
            self.log.append("n is \(snapshot?["n"] as? Int ?? 0)")
            self.db.collection("cities").getDocuments { snapshot, _ in
                self.log.append("\(snapshot?.count ?? 0) cities")
                self.count(city, done)
            }
        }
    }

    private func count(_ city: DocumentReference, _ done: @escaping () -> Void) {
        db.collection("cities").count.getAggregation(source: .server) { snapshot, _ in
            self.log.append("counted \(snapshot?.count ?? 0)")
            city.delete { _ in
                self.log.append("deleted")
                self.db.waitForPendingWrites { _ in done() }
            }
        }
    }
}

@Suite struct MainActorViewModelTests {
    @MainActor @Test func callbacksBelongToTheMainActor() async throws {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let database = try await Database.open(path: "cities", settings: settings)
        let model = CitiesViewModel(db: database)
        model.start(database.collection("cities"))
        // A listener begins with the state that it finds: the document must not be gone again by then.
        while !model.log.contains("not there") { await Task.yield() }
        await withCheckedContinuation { done in model.write { done.resume() } }
        model.add("Tokyo")
        while model.names != ["Tokyo"] || !model.log.contains("added 20") { await Task.yield() }
        model.stop()
        let own = [
            "set", "merged", "updated", "committed", "transaction 3", "n is 3", "1 cities", "counted 1", "deleted",
        ]
        let order = model.log.filter { own.contains($0) }
        #expect(order == own)
        #expect(model.log.contains("there"))
    }
}
