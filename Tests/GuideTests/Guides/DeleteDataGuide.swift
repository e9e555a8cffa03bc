// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct DeleteDataGuide {
    @Test func deleteADocument() async throws {
        let db = try Cities.database()
        do {
            try await db.collection("cities").document("DC").delete()
        } catch {
            Issue.record("deleting failed: \(error)")
        }
        #expect(try await !db.collection("cities").document("DC").getDocument().exists)
        // Deleting a missing document is not an error.
        try await db.collection("cities").document("DC").delete()
    }

    /// Deleting a document keeps its collections.
    @Test func subcollectionsStay() async throws {
        let db = try Cities.database()
        Cities.storeLandmarks(in: db)
        let sanFrancisco = db.collection("cities").document("SF")
        try await sanFrancisco.delete()
        #expect(try await sanFrancisco.collection("landmarks").getDocuments().count == 2)
    }

    @Test func deleteAField() async throws {
        let db = try Cities.database()
        do {
            try await db.collection("cities").document("BJ").updateData([
                "capital": FieldValue.delete()
            ])
        } catch {
            Issue.record("updating failed: \(error)")
        }
        let document = try await db.collection("cities").document("BJ").getDocument()
        #expect(document.get("capital") == nil && document.data()?.count == 4)
    }

    /// In batches, so that memory does not grow with the collection.
    private func delete(collection: CollectionReference, batchSize: Int) async throws {
        var documents = try await collection.limit(to: batchSize).getDocuments().documents
        while !documents.isEmpty {
            let batch = collection.firestore.batch()
            documents.forEach { batch.deleteDocument($0.reference) }
            try await batch.commit()
            documents = try await collection.limit(to: batchSize).getDocuments().documents
        }
    }

    @Test func deleteACollection() async throws {
        let db = try Cities.database()
        try await delete(collection: db.collection("cities"), batchSize: 2)
        #expect(try await db.collection("cities").getDocuments().isEmpty)
    }
}
