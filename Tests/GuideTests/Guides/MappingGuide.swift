// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// The guide on mapping documents to Swift types.
@Suite struct MappingGuide {
    struct Office: Codable, Equatable {
        var street: String
        var city: String
    }

    enum Status: String, Codable {
        case draft
        case published
    }

    struct Book: Codable, Equatable {
        @DocumentID var id: String?
        var title: String
        var numberOfPages: Int
        var author: String
        var status: Status = .draft
        var offices: [Office] = []
        var place: GeoPoint?
        @ServerTimestamp var lastUpdated: Date?

        enum CodingKeys: String, CodingKey {
            case id
            case title
            case numberOfPages = "pages"
            case author
            case status
            case offices
            case place
            case lastUpdated
        }
    }

    private let db: Firestore

    init() throws { db = try emptyDatabase() }

    @Test func thereAndBack() async throws {
        let book = Book(
            title: "On the Origin of Species", numberOfPages: 502, author: "Darwin", status: .published,
            offices: [Office(street: "Albemarle Street", city: "London")],
            place: GeoPoint(latitude: 51.5, longitude: -0.14))
        let collectionRef = db.collection("books")
        let newDocReference = try collectionRef.addDocument(from: book)
        let document = try await newDocReference.getDocument()
        #expect(
            document["pages"] as? Int == 502 && document["id"] == nil && document["status"] as? String == "published")
        var read = try document.data(as: Book.self)
        #expect(read.id == newDocReference.documentID)
        #expect(read.lastUpdated != nil)
        read.id = nil
        read.lastUpdated = nil
        #expect(read == book)
    }

    @Test func updating() async throws {
        var book = Book(title: "Emma", numberOfPages: 474, author: "Austen")
        book.id = try db.collection("books").addDocument(from: book).documentID
        book.status = .published
        if let id = book.id {
            let docRef = db.collection("books").document(id)
            do {
                try docRef.setData(from: book)
            } catch {
                Issue.record("writing failed: \(error)")
            }
        }
        let books = try await db.collection("books").getDocuments().documents.compactMap { document in
            try? document.data(as: Book.self)
        }
        #expect(books.map(\.status) == [.published] && books[0].id == book.id)
    }

    /// The four errors of `DecodingError`, each with its cause.
    @Test func errors() async throws {
        let docRef = db.collection("books").document("broken")
        func cause() async -> String {
            do {
                _ = try await docRef.getDocument(as: Book.self)
                return "none"
            } catch {
                switch error {
                case DecodingError.typeMismatch(_, let context):
                    return "type of \(context.codingPath.map(\.stringValue))"
                case DecodingError.valueNotFound(_, _):
                    return "value"
                case DecodingError.keyNotFound(let key, _):
                    return "key \(key.stringValue)"
                case DecodingError.dataCorrupted(let context):
                    return "data of \(context.codingPath.map(\.stringValue))"
                default:
                    return "\(error)"
                }
            }
        }
        #expect(await cause() == "value")
        let whole: [String: Any] = [
            "title": "Emma", "pages": 474, "author": "Austen", "status": "draft", "offices": [Any](),
            "lastUpdated": NSNull(),
        ]
        try await docRef.setData(whole)
        #expect(await cause() == "none")
        try await docRef.updateData(["title": FieldValue.delete()])
        #expect(await cause() == "key title")
        try await docRef.updateData(["title": 7])
        #expect(await cause() == #"type of ["title"]"#)
        try await docRef.setData(whole.merging(["status": "lost"]) { $1 })
        #expect(await cause() == #"data of ["status"]"#)
    }
}
