// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct WriteSymbols {
    struct City: Codable {
        var name: String
        var state: String
    }

    private static let paris = City(name: "Paris", state: "IDF")

    private func check(_ db: Firestore) async throws {
        let city = try await db.document("cities/SF").getDocument()
        #expect(city.data().map { $0 as NSDictionary } == ["name": "C", "state": "D"])
        #expect(try await db.document("cities/PAR").getDocument()["state"] as? String == "IDF")
        #expect(try await !db.document("cities/GONE").getDocument().exists)
    }

    @Test func batches() async throws {
        let db = try emptyDatabase()
        let (city, other, gone) = (db.document("cities/SF"), db.document("cities/PAR"), db.document("cities/GONE"))
        let paris = WriteSymbols.paris
        try await gone.setData([:])
        // WriteBatch
        let batch: WriteBatch = db.batch()
        // WriteBatch.setData(_:forDocument:)
        batch.setData(["name": "A"], forDocument: city)
        // WriteBatch.setData(_:forDocument:merge:)
        batch.setData(["state": "B"], forDocument: city, merge: true)
        // WriteBatch.setData(_:forDocument:mergeFields:)
        batch.setData(["name": "C", "state": "?"], forDocument: city, mergeFields: ["name"])
        // WriteBatch.updateData(_:forDocument:)
        batch.updateData(["state": "D"], forDocument: city)
        // WriteBatch.setData(from:forDocument:)
        try batch.setData(from: paris, forDocument: other)
        // WriteBatch.setData(from:forDocument:encoder:)
        try batch.setData(from: paris, forDocument: other, encoder: Firestore.Encoder())
        // WriteBatch.setData(from:forDocument:merge:encoder:)
        try batch.setData(from: paris, forDocument: other, merge: true)
        // WriteBatch.setData(from:forDocument:mergeFields:encoder:)
        try batch.setData(from: paris, forDocument: other, mergeFields: ["name"])
        // WriteBatch.deleteDocument(_:)
        batch.deleteDocument(gone)
        // WriteBatch.commit() async
        try await batch.commit()
        try await check(db)
        await finished { done in
            // WriteBatch.commit(completion:)
            db.batch().setData(["n": 1], forDocument: city).commit { error in
                #expect(error == nil)
                done()
            }
        }
        commitWithoutWaiting(db.batch().setData(["n": 2], forDocument: city))
        #expect(try await city.getDocument()["n"] as? Int == 2)
    }

    private func commitWithoutWaiting(_ batch: WriteBatch) {
        // WriteBatch.commit()
        batch.commit()
    }

    @Test func transactions() async throws {
        let db = try emptyDatabase()
        let (city, other, gone) = (db.document("cities/SF"), db.document("cities/PAR"), db.document("cities/GONE"))
        let paris = WriteSymbols.paris
        try await gone.setData([:])
        _ = try await db.runTransaction({ (transaction: Transaction, errorPointer) -> Any? in
            do {
                // Transaction.getDocument(_:)
                let document: DocumentSnapshot = try transaction.getDocument(gone)
                #expect(document.exists)
                // Transaction
                let transaction: Transaction = transaction
                // Transaction.setData(_:forDocument:)
                transaction.setData(["name": "A"], forDocument: city)
                // Transaction.setData(_:forDocument:merge:)
                transaction.setData(["state": "B"], forDocument: city, merge: true)
                // Transaction.setData(_:forDocument:mergeFields:)
                transaction.setData(["name": "C", "state": "?"], forDocument: city, mergeFields: ["name"])
                // Transaction.updateData(_:forDocument:)
                transaction.updateData(["state": "D"], forDocument: city)
                // Transaction.setData(from:forDocument:)
                try transaction.setData(from: paris, forDocument: other)
                // Transaction.setData(from:forDocument:encoder:)
                try transaction.setData(from: paris, forDocument: other, encoder: Firestore.Encoder())
                // Transaction.setData(from:forDocument:merge:encoder:)
                try transaction.setData(from: paris, forDocument: other, merge: true)
                // Transaction.setData(from:forDocument:mergeFields:encoder:)
                try transaction.setData(from: paris, forDocument: other, mergeFields: ["name"])
                // Transaction.deleteDocument(_:)
                transaction.deleteDocument(gone)
            } catch let error as NSError {
                errorPointer?.pointee = error
            }
            return nil
        })
        try await check(db)
    }
}
