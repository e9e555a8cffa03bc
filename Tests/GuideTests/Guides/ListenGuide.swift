// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// The arguments of a listener's calls, for tests that wait for them.
private struct Heard<Value: Sendable> {
    private let continuation: AsyncStream<Value>.Continuation
    private var iterator: AsyncStream<Value>.Iterator

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
        self.continuation = continuation
        iterator = stream.makeAsyncIterator()
    }

    var tell: @Sendable (Value) -> Void {
        { [continuation] in continuation.yield($0) }
    }

    mutating func next() async -> Value? { await iterator.next() }
}

@Suite struct ListenGuide {
    private let db: Firestore

    init() throws { db = try Cities.database() }

    @Test func aDocument() async throws {
        var heard = Heard<String>()
        let tell = heard.tell
        let listener = db.collection("cities").document("SF")
            .addSnapshotListener { documentSnapshot, error in
                guard let document = documentSnapshot else {
                    tell("Error fetching document: \(error!)")
                    return
                }
                guard let data = document.data() else {
                    tell("Document data was empty.")
                    return
                }
                tell("\(data["name"] ?? "") \(data["population"] ?? "")")
            }
        #expect(await heard.next() == "San Francisco 860000")
        try await db.collection("cities").document("SF").updateData(["population": 860_001])
        #expect(await heard.next() == "San Francisco 860001")
        // The listener is not called for a write to another document.
        try await db.collection("cities").document("LA").updateData(["population": 1])
        try await db.collection("cities").document("SF").delete()
        #expect(await heard.next() == "Document data was empty.")
        listener.remove()
    }

    @Test func severalDocuments() async throws {
        var heard = Heard<[String]>()
        let tell = heard.tell
        let listener = db.collection("cities").whereField("state", isEqualTo: "CA")
            .addSnapshotListener { querySnapshot, error in
                guard let documents = querySnapshot?.documents else {
                    Issue.record("listening failed: \(error!)")
                    return
                }
                tell(documents.compactMap { $0["name"] as? String })
            }
        #expect(await heard.next() == ["Los Angeles", "San Francisco"])
        try await db.collection("cities").document("SAC").setData(["name": "Sacramento", "state": "CA"])
        #expect(await heard.next() == ["Los Angeles", "Sacramento", "San Francisco"])
        listener.remove()
    }

    @Test func changesBetweenSnapshots() async throws {
        var heard = Heard<[String]>()
        let tell = heard.tell
        let listener = db.collection("cities").whereField("state", isEqualTo: "CA")
            .addSnapshotListener { querySnapshot, error in
                guard let snapshot = querySnapshot else {
                    Issue.record("listening failed: \(error!)")
                    return
                }
                var lines: [String] = []
                snapshot.documentChanges.forEach { diff in
                    if diff.type == .added {
                        lines.append("New city: \(diff.document.documentID)")
                    }
                    if diff.type == .modified {
                        lines.append("Modified city: \(diff.document.documentID)")
                    }
                    if diff.type == .removed {
                        lines.append("Removed city: \(diff.document.documentID)")
                    }
                }
                tell(lines)
            }
        #expect(await heard.next() == ["New city: LA", "New city: SF"])
        try await db.collection("cities").document("LA").updateData(["population": 4_000_000])
        #expect(await heard.next() == ["Modified city: LA"])
        // A city that no longer matches leaves the result.
        try await db.collection("cities").document("SF").updateData(["state": "NV"])
        #expect(await heard.next() == ["Removed city: SF"])
        listener.remove()
    }

    /// A document that leaves a limit makes room for the next one.
    @Test func limits() async throws {
        var heard = Heard<[String]>()
        let tell = heard.tell
        let listener = db.collection("cities").order(by: "population").limit(to: 2)
            .addSnapshotListener { querySnapshot, error in
                tell(querySnapshot?.documents.map { $0.documentID } ?? ["\(String(describing: error))"])
            }
        #expect(await heard.next() == ["DC", "SF"])
        try await db.collection("cities").document("DC").delete()
        #expect(await heard.next() == ["SF", "LA"])
        listener.remove()
    }

    /// Every reported write is durable: each event says "Server".
    @Test func localAndServer() async throws {
        var heard = Heard<String>()
        let tell = heard.tell
        let listener = db.collection("cities").document("SF")
            .addSnapshotListener(includeMetadataChanges: true) { documentSnapshot, error in
                guard let document = documentSnapshot else {
                    Issue.record("listening failed: \(error!)")
                    return
                }
                let source = document.metadata.hasPendingWrites ? "Local" : "Server"
                tell("\(source) data: \(document.data()?["population"] ?? "")")
            }
        #expect(await heard.next() == "Server data: 860000")
        try await db.collection("cities").document("SF").updateData(["population": 2])
        #expect(await heard.next() == "Server data: 2")
        listener.remove()
    }

    @Test func detaching() async throws {
        var heard = Heard<Int>()
        let tell = heard.tell
        let listener = db.collection("cities").addSnapshotListener { querySnapshot, error in
            tell(querySnapshot?.count ?? -1)
        }
        #expect(await heard.next() == 5)
        listener.remove()
        try await db.collection("cities").document("PAR").setData(["name": "Paris"])
        let second = db.collection("cities").addSnapshotListener { querySnapshot, error in
            tell((querySnapshot?.count ?? -1) * 100)
        }
        #expect(await heard.next() == 600)
        second.remove()
    }

    /// A refused listener is told the reason, once.
    @Test func errors() async throws {
        var heard = Heard<Int>()
        let tell = heard.tell
        let listener = db.collection("cities").whereField("state", isEqualTo: "CA").order(by: "population")
            .addSnapshotListener { querySnapshot, error in
                if let error = error {
                    tell((error as NSError).code)
                } else {
                    tell(0)
                }
            }
        #expect(await heard.next() == FirestoreErrorCode.failedPrecondition.rawValue)
        listener.remove()
    }

    @Test func sequences() async throws {
        var counts: [Int] = []
        for try await snapshot in db.collection("cities").whereField("state", isEqualTo: "CA").snapshots {
            counts.append(snapshot.count)
            guard counts.count < 3 else { break }
            try await db.collection("cities").addDocument(data: ["state": "CA"])
        }
        #expect(counts == [2, 3, 4])
        for try await document in db.document("cities/SF").snapshots {
            #expect(document["name"] as? String == "San Francisco")
            break
        }
    }

    /// The guide on offline data: the network switches have no effect, and nothing waits for a network.
    @Test func offline() async throws {
        try await db.disableNetwork()
        try await db.collection("cities").document("SF").updateData(["population": 3])
        #expect(try await db.document("cities/SF").getDocument()["population"] as? Int == 3)
        await finished { done in
            db.enableNetwork { error in
                #expect(error == nil)
                done()
            }
        }
        db.document("cities/SF").updateData(["population": 4]) { _ in }
        try await db.waitForPendingWrites()
        #expect(try await db.document("cities/SF").getDocument()["population"] as? Int == 4)
    }
}
