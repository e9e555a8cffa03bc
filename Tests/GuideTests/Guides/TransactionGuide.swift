// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct TransactionGuide {
    @Test func updateWithATransaction() async throws {
        let db = try Cities.database()
        let sfReference = db.collection("cities").document("SF")
        do {
            let _ = try await db.runTransaction({ (transaction, errorPointer) -> Any? in
                let sfDocument: DocumentSnapshot
                do {
                    try sfDocument = transaction.getDocument(sfReference)
                } catch let fetchError as NSError {
                    errorPointer?.pointee = fetchError
                    return nil
                }

                guard let oldPopulation = sfDocument.data()?["population"] as? Int else {
                    let error = NSError(
                        domain: "AppErrorDomain", code: -1,
                        userInfo: [NSLocalizedDescriptionKey: "No population in \(sfDocument)"])
                    errorPointer?.pointee = error
                    return nil
                }

                transaction.updateData(["population": oldPopulation + 1], forDocument: sfReference)
                return nil
            })
        } catch {
            Issue.record("the transaction failed: \(error)")
        }
        #expect(try await sfReference.getDocument()["population"] as? Int == 860_001)
    }

    /// The block's result is returned. An error that it reports is thrown, and nothing is written.
    @Test func informationOutOfTransactions() async throws {
        let db = try Cities.database()
        let sfReference = db.collection("cities").document("SF")
        func grow() async throws -> Any? {
            try await db.runTransaction({ (transaction, errorPointer) -> Any? in
                let sfDocument: DocumentSnapshot
                do {
                    try sfDocument = transaction.getDocument(sfReference)
                } catch let fetchError as NSError {
                    errorPointer?.pointee = fetchError
                    return nil
                }
                guard let oldPopulation = sfDocument.data()?["population"] as? Int else { return nil }
                let newPopulation = oldPopulation + 70_000
                guard newPopulation <= 1_000_000 else {
                    errorPointer?.pointee = NSError(
                        domain: "AppErrorDomain", code: -2,
                        userInfo: [NSLocalizedDescriptionKey: "Population \(newPopulation) too big"])
                    return nil
                }
                transaction.updateData(["population": newPopulation], forDocument: sfReference)
                return newPopulation
            })
        }
        #expect(try await grow() as? Int == 930_000)
        #expect(try await grow() as? Int == 1_000_000)
        do {
            _ = try await grow()
            Issue.record("the error was lost")
        } catch let error as NSError {
            #expect(error.code == -2 && error.localizedDescription == "Population 1070000 too big")
        }
        #expect(try await sfReference.getDocument()["population"] as? Int == 1_000_000)
    }

    /// Reads must come first.
    @Test func readAfterWrite() async throws {
        let db = try Cities.database()
        let sfReference = db.collection("cities").document("SF")
        do {
            _ = try await db.runTransaction({ (transaction, errorPointer) -> Any? in
                transaction.updateData(["population": 0], forDocument: sfReference)
                do {
                    _ = try transaction.getDocument(sfReference)
                } catch let error as NSError {
                    errorPointer?.pointee = error
                }
                return nil
            })
            Issue.record("a read after a write was allowed")
        } catch let error as NSError {
            #expect(error.code == FirestoreErrorCode.invalidArgument.rawValue)
        }
        #expect(try await sfReference.getDocument()["population"] as? Int == 860_000)
    }

    @Test func batchedWrites() async throws {
        let db = try Cities.database()
        let batch = db.batch()

        let nycRef = db.collection("cities").document("NYC")
        batch.setData([:], forDocument: nycRef)

        let sfRef = db.collection("cities").document("SF")
        batch.updateData(["population": 1_000_000], forDocument: sfRef)

        let laRef = db.collection("cities").document("LA")
        batch.deleteDocument(laRef)

        do {
            try await batch.commit()
        } catch {
            Issue.record("the batch failed: \(error)")
        }
        #expect(try await nycRef.getDocument().data()?.isEmpty == true)
        #expect(try await sfRef.getDocument()["population"] as? Int == 1_000_000)
        #expect(try await !laRef.getDocument().exists)
    }

    /// A batch is atomic.
    @Test func aBatchThatFails() async throws {
        let db = try Cities.database()
        let batch = db.batch()
        batch.deleteDocument(db.collection("cities").document("LA"))
        batch.updateData(["population": 1], forDocument: db.collection("cities").document("NONE"))
        await finished { done in
            batch.commit { error in
                #expect((error as NSError?)?.code == FirestoreErrorCode.notFound.rawValue)
                done()
            }
        }
        #expect(try await db.collection("cities").document("LA").getDocument().exists)
    }
}
