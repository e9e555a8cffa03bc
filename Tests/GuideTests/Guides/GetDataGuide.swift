// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct GetDataGuide {
    struct City: Codable {
        let name: String
        let state: String?
        let country: String?
        let capital: Bool?
        let population: Int64?
    }

    @Test func getADocument() async throws {
        let db = try Cities.database()
        let docRef = db.collection("cities").document("SF")
        do {
            let document = try await docRef.getDocument()
            if document.exists {
                let data = document.data()
                #expect(data?["name"] as? String == "San Francisco")
            } else {
                Issue.record("the document does not exist")
            }
        } catch {
            Issue.record("reading failed: \(error)")
        }
        // A missing document is not an error.
        let missing = try await db.collection("cities").document("NONE").getDocument()
        #expect(!missing.exists && missing.data() == nil)
    }

    @Test func sources() async throws {
        let db = try Cities.database()
        let docRef = db.collection("cities").document("SF")
        await finished { done in
            docRef.getDocument(source: .cache) { (document, error) in
                if let document = document {
                    #expect(document.data()?["state"] as? String == "CA")
                } else {
                    Issue.record("reading failed: \(String(describing: error))")
                }
                done()
            }
        }
    }

    @Test func customObjects() async throws {
        let db = try Cities.database()
        let docRef = db.collection("cities").document("BJ")
        do {
            let city = try await docRef.getDocument(as: City.self)
            #expect(city.name == "Beijing" && city.state == nil && city.population == 21_500_000)
        } catch {
            Issue.record("decoding failed: \(error)")
        }
        await finished { done in
            docRef.getDocument(as: City.self) { result in
                switch result {
                case .success(let city):
                    #expect(city.capital == true)
                case .failure(let error):
                    Issue.record("decoding failed: \(error)")
                }
                done()
            }
        }
    }

    @Test func multipleDocuments() async throws {
        let db = try Cities.database()
        do {
            let querySnapshot = try await db.collection("cities").whereField("capital", isEqualTo: true)
                .getDocuments()
            var found: [String: String] = [:]
            for document in querySnapshot.documents {
                found[document.documentID] = document.data()["name"] as? String
            }
            #expect(found == ["DC": "Washington D.C.", "TOK": "Tokyo", "BJ": "Beijing"])
        } catch {
            Issue.record("reading failed: \(error)")
        }
    }

    /// All documents of a collection, in order of their IDs.
    @Test func allDocuments() async throws {
        let db = try Cities.database()
        await finished { done in
            db.collection("cities").getDocuments { (querySnapshot, err) in
                if let err = err {
                    Issue.record("reading failed: \(err)")
                } else {
                    #expect(querySnapshot!.documents.map { $0.documentID } == ["BJ", "DC", "LA", "SF", "TOK"])
                }
                done()
            }
        }
    }

    @Test func subcollections() async throws {
        let db = try Cities.database()
        Cities.storeLandmarks(in: db)
        let querySnapshot = try await db.collection("cities").document("SF").collection("landmarks").getDocuments()
        let names = querySnapshot.documents.compactMap { $0.data()["name"] as? String }
        #expect(Set(names) == ["Golden Gate Bridge", "Legion of Honor"])
        let path = try await db.collection("cities/SF/landmarks").getDocuments()
        #expect(path.count == 2)
    }
}
