// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// Listeners while several tasks write, through the public API only.
@Suite struct ConcurrentListenerTests {
    /// Applies the changes of every snapshot to an array and compares it with the snapshot.
    private final class Replay: Sendable {
        private let rows = Mutex<[QueryDocumentSnapshot]>([])
        private let faults = Mutex<[String]>([])
        private let snapshots = Mutex(0)

        func add(_ snapshot: QuerySnapshot) {
            let isEqual = rows.withLock { rows in
                for change in snapshot.documentChanges {
                    if change.type != .added { rows.remove(at: Int(change.oldIndex)) }
                    if change.type != .removed { rows.insert(change.document, at: Int(change.newIndex)) }
                }
                return rows == snapshot.documents
            }
            snapshots.withLock { $0 += 1 }
            if !isEqual { faults.withLock { $0.append("the changes do not give the documents") } }
        }

        var result: (rows: [QueryDocumentSnapshot], faults: [String], snapshots: Int) {
            (rows.withLock { $0 }, faults.withLock { $0 }, snapshots.withLock { $0 })
        }
    }

    private static let indexes = """
        {"indexes": [
            {"collectionGroup": "items", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "kind", "order": "ASCENDING"}, {"fieldPath": "n", "order": "DESCENDING"}]},
            {"collectionGroup": "items", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "kind", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]},
            {"collectionGroup": "items", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "n", "order": "ASCENDING"}]}],
         "fieldOverrides": [{"collectionGroup": "items", "fieldPath": "n", "indexes": [
            {"order": "ASCENDING", "queryScope": "COLLECTION"}, {"order": "DESCENDING", "queryScope": "COLLECTION"},
            {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
        """

    private static func queries(_ database: Database) -> [Query] {
        let items = database.collection("items")
        return [
            items, items.order(by: "n"), items.order(by: "n", descending: true).limit(to: 5),
            items.order(by: "n").limit(toLast: 5), items.whereField("kind", isEqualTo: 1),
            items.whereField("kind", isEqualTo: 2).order(by: "n", descending: true).limit(to: 3),
            items.whereField("kind", in: [0, 2]), items.whereField("kind", isNotEqualTo: 1),
            items.whereField("tags", arrayContains: 1), items.whereField("tags", arrayContainsAny: [0, 2]),
            items.whereField("tags", arrayContains: 2).order(by: "n").limit(to: 4),
            items.whereFilter(.orFilter([.whereField("kind", isEqualTo: 0), .whereField("n", isGreaterThan: 80)])),
            items.order(by: "n").start(at: [20]).end(before: [70]),
            items.order(by: "n").start(after: [30]).limit(to: 6),
            database.collectionGroup("items").whereField("n", isLessThan: 50),
            database.collection("lists/a/items").order(by: "n"),
        ]
    }

    @Test func everyListenerEndsWithTheTruth() async throws {
        let random = SeededGenerator.printingSeed()
        let audience = try Audience()
        let database = audience.database
        try await database.setIndexConfiguration(Self.indexes)
        let replays = Self.queries(database).map { query in
            let replay = Replay()
            query.addSnapshotListener { snapshot, error in
                if let snapshot { replay.add(snapshot) } else { Issue.record("\(error?.localizedDescription ?? "")") }
            }
            return (query: query, replay: replay)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { try await Self.write(database, SeededGenerator(seed: random.seed &+ UInt64(task))) }
            }
            try await group.waitForAll()
        }
        audience.settle()
        for (number, (query, replay)) in replays.enumerated() {
            let (rows, faults, snapshots) = replay.result
            let expected = try await query.getDocuments().documents
            #expect(rows == expected, "query \(number), seed \(random.seed)")
            #expect(faults.isEmpty && snapshots > 1, "query \(number), seed \(random.seed)")
        }
    }

    private static func write(_ database: Database, _ seeded: SeededGenerator) async throws {
        var random = seeded
        func document() -> DocumentReference {
            let collection = random.chance(0.8) ? "items" : "lists/\(random.pick(["a", "b"]))/items"
            return database.collection(collection).document("\(random.int(0..<25))")
        }
        func data() -> [String: Any] {
            ["n": random.int(0..<100), "kind": random.int(0..<4), "tags": [random.int(0..<4), random.int(0..<4)]]
        }
        for _ in 0..<120 {
            switch random.int(0..<6) {
            case 0: try await document().delete()
            case 1: try await document().setData(["n": random.int(0..<100)], merge: true)
            case 2:
                let batch = database.batch()
                for _ in 0..<random.int(1..<8) { batch.setData(data(), forDocument: document()) }
                batch.deleteDocument(document())
                try await batch.commit()
            case 3:
                let (from, to) = (document(), document())
                // Other writes may come between all attempts, and between two reads of one document.
                do {
                    try await database.runTransaction { transaction in
                        let old = try transaction.getDocument(from)
                        _ = try transaction.getDocument(to)
                        transaction.setData(["n": (old["n"] as? Int ?? 0) + 1, "kind": 2], forDocument: to)
                        transaction.deleteDocument(from)
                    }
                } catch let error as FirestoreErrorCode
                    where error.code == .aborted || error.code == .failedPrecondition
                {}
            default: try await document().setData(data())
            }
        }
    }
}
