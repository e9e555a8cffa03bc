// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import Testing

/// Errors in a value are thrown by the call that takes it, with the texts of the dictionary forms.
@Suite struct EncodableWriteErrorTests {
    private struct Item: Encodable {
        var nested: [[Int]]?
        var text: String?
        var fields: [String: Int]?
    }

    private static let wrong: [Item] = [
        Item(nested: [[1]]),
        Item(text: String(repeating: "a", count: 1 << 20)),
        Item(fields: ["__a__": 1]),
        Item(fields: ["": 1]),
        Item(fields: [String(repeating: "a", count: 1_501): 1]),
    ]

    private let sample: Sample
    private let document: DocumentReference

    init() throws {
        sample = try Sample()
        document = sample.database.document("items/a")
    }

    @Test func everyFormThrows() throws {
        let database = sample.database
        let callbacks = Mutex(0)
        for item in Self.wrong {
            let expected = try #require(
                text(.invalidArgument) { try document.sync.setData(try Firestore.Encoder().encode(item)) })
            // A merge has a mask of the fields' paths, which is checked first.
            let expectedOfMerge = try #require(
                text(.invalidArgument) {
                    try document.sync.setData(try Firestore.Encoder().encode(item), merge: true)
                })
            func expectThrown(_ form: String, merge: Bool = false, _ body: () throws -> Void) {
                #expect(text(.invalidArgument, body) == (merge ? expectedOfMerge : expected), "\(form)")
            }
            let count: @Sendable ((any Error)?) -> Void = { _ in callbacks.withLock { $0 += 1 } }
            expectThrown("set") { try document.setData(from: item) }
            expectThrown("callback") { try document.setData(from: item, completion: count) }
            expectThrown("merge", merge: true) { try document.setData(from: item, merge: true) }
            expectThrown("no merge") { try document.setData(from: item, merge: false) }
            expectThrown("add") { try database.collection("items").addDocument(from: item, completion: count) }
            let batch = database.batch()
            expectThrown("batch") { try batch.setData(from: item, forDocument: document) }
            expectThrown("batch merge", merge: true) {
                try batch.setData(from: item, forDocument: document, merge: true)
            }
            try batch.sync.commit()
            try database.sync.runTransaction { transaction in
                expectThrown("transaction") { try transaction.setData(from: item, forDocument: document) }
                expectThrown("transaction merge", merge: true) {
                    try transaction.setData(from: item, forDocument: document, merge: true)
                }
            }
        }
        #expect(try !document.sync.getDocument().exists)
        #expect(try database.collection("items").sync.getDocuments().isEmpty)
        #expect(callbacks.withLock { $0 } == 0)
    }

    @Test func fieldsThatTheValueLacks() throws {
        let batch = sample.database.batch()
        let item = Item(text: "a")
        for body in [
            { try document.setData(from: item, mergeFields: ["none"]) },
            { try batch.setData(from: item, forDocument: document, mergeFields: ["none"]) },
        ] as [() throws -> Void] {
            let thrown = text(.invalidArgument, body)
            #expect(thrown == "Field 'none' is specified in your field mask but missing from your input data.")
        }
    }

    @Test func impossiblePlaces() throws {
        let item = Item(text: "a")
        #expect(throws: FirestoreError.self) { try sample.database.document("items").setData(from: item) }
        #expect(throws: FirestoreError.self) { try sample.database.document("__a__/b").setData(from: item) }
        let other = try Sample()
        #expect(throws: FirestoreError.self) {
            try other.database.batch().setData(from: item, forDocument: document)
        }
    }
}
