// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hearth
import Synchronization
import Testing

/// C-23 to C-31.
@Suite struct ListenerTests {
    private let audience: Audience
    private var cities: CollectionReference { audience.cities }

    init() throws {
        audience = try Audience()
    }

    private func set(_ id: String, _ n: Int) throws { try cities.document(id).sync.setData(["n": n]) }

    @Test func theFirstSnapshotHoldsEverything() throws {
        let empty = audience.listen(to: cities)
        #expect(empty.take().map(\.ids) == [[]])
        try set("b", 1)
        try set("a", 2)
        let heard = audience.listen(to: cities.order(by: "n")).take()
        #expect(heard.map(\.ids) == [["b", "a"]])
        #expect(heard[0].changeTexts == ["+b@0", "+a@1"])
        #expect(heard[0].documentChanges(includeMetadataChanges: true) == heard[0].documentChanges)
        #expect(!heard[0].metadata.isFromCache && !heard[0].metadata.hasPendingWrites)
    }

    /// C-27: removed, then added, then modified, each with its position while they are applied in turn.
    @Test func changesComeInFirestoresOrder() throws {
        for (id, n) in [("a", 1), ("b", 2), ("c", 3)] { try set(id, n) }
        let heard = audience.listen(to: cities.order(by: "n"))
        _ = heard.take()
        let batch = audience.database.batch()
        batch.setData(["n": 0], forDocument: cities.document("d"))
        batch.updateData(["n": 1.5], forDocument: cities.document("c"))
        batch.deleteDocument(cities.document("a"))
        batch.updateData(["n": 2, "x": 1], forDocument: cities.document("b"))
        try batch.sync.commit()
        audience.settle()
        let snapshots = heard.take()
        #expect(snapshots.map(\.ids) == [["d", "c", "b"]])
        #expect(snapshots.first?.changeTexts == ["-a@0", "+d@0", "c 2>1", "b 2>2"])
        #expect(snapshots.first?.documentChanges[0].document["n"] as? Int == 1)
    }

    @Test func aCommitTellsOnceAndOnlyWhomItConcerns() throws {
        let heard = audience.listen(to: cities.whereField("n", isGreaterThan: 10))
        let others = [
            audience.listen(to: audience.database.collection("towns")),
            audience.listen(to: audience.database.collectionGroup("towns")),
            audience.listen(to: cities.whereField("n", isEqualTo: 99)),
        ]
        for heard in others + [heard] { #expect(heard.take().count == 1) }
        let batch = audience.database.batch()
        for number in 0..<20 { batch.setData(["n": number], forDocument: cities.document("\(number)")) }
        try batch.sync.commit()
        audience.settle()
        #expect(heard.take().map(\.count) == [9])
        try set("5", 6)
        try set("15", 15)
        audience.settle()
        #expect(heard.take().isEmpty, "one does not match, the other changes nothing")
        for heard in others { #expect(heard.take().isEmpty) }
    }

    /// C-31.
    @Test func limitsAreRefilled() throws {
        for number in 1...9 { try set("\(number)", number) }
        let first = audience.listen(to: cities.order(by: "n").limit(to: 3))
        let last = audience.listen(to: cities.order(by: "n").limit(toLast: 3))
        #expect(first.take().map(\.ids) == [["1", "2", "3"]])
        #expect(last.take().map(\.ids) == [["7", "8", "9"]])
        try cities.document("2").sync.delete()
        try set("8", 0)
        audience.settle()
        let snapshots = first.take()
        #expect(snapshots.last?.ids == ["8", "1", "3"])
        #expect(last.take().last?.ids == ["6", "7", "9"])
        // Nothing replaces it.
        let all = audience.listen(to: cities.order(by: "n").limit(to: 8))
        try set("9", 9)
        _ = all.take()
        try cities.document("9").sync.delete()
        audience.settle()
        #expect(all.take().map(\.count) == [7])
        _ = last.take()
        try set("9", 9)
        audience.settle()
        _ = last.take()
        try set("5", 50)
        audience.settle()
        #expect(first.take().isEmpty)
        #expect(last.take().map(\.changeTexts) == [["-6@0", "+5@2"]])
    }

    @Test func collectionGroups() throws {
        let json = """
            {"indexes": [], "fieldOverrides": [{"collectionGroup": "cities", "fieldPath": "n", "indexes": [
                {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
            """
        try audience.database.sync.setIndexConfiguration(json)
        let heard = audience.listen(to: audience.database.collectionGroup("cities").whereField("n", isEqualTo: 1))
        try set("a", 1)
        try audience.database.document("countries/x/cities/b").sync.setData(["n": 1.0])
        audience.settle()
        #expect(heard.take().last?.documents.map(\.reference.path) == ["cities/a", "countries/x/cities/b"])
    }

    @Test func documents() throws {
        let heard = Heard<DocumentSnapshot>()
        let city = cities.document("a")
        let registration = city.addSnapshotListener(includeMetadataChanges: true) { heard.add($0, $1) }
        audience.settle()
        #expect(heard.take().map(\.exists) == [false])
        try set("a", 1)
        audience.settle()
        #expect(heard.take().map { $0["n"] as? Int } == [1])
        try set("b", 1)
        try set("a", 1)
        audience.settle()
        #expect(heard.take().isEmpty)
        try city.sync.delete()
        audience.settle()
        #expect(heard.take().map(\.exists) == [false])
        registration.remove()
        try set("a", 2)
        audience.settle()
        #expect(heard.take().isEmpty)
    }

    @Test func aRemovedListenerIsSilent() throws {
        let heard = audience.listen(to: cities)
        _ = heard.take()
        // A commit is on its way when the listener is removed on the callback queue.
        audience.queue.sync {
            try? set("a", 1)
            heard.remove()
            heard.remove()
        }
        audience.settle()
        try set("b", 1)
        audience.settle()
        #expect(heard.take().isEmpty)
        // Before the listener has started.
        audience.queue.sync {
            cities.addSnapshotListener { heard.add($0, $1) }.remove()
        }
        audience.settle()
        #expect(heard.take().isEmpty)
        #expect(heard.errors.withLock { $0.isEmpty })
    }

    @Test func listenersSeeWritesThatNobodyWaitedFor() throws {
        for number in 0..<50 { cities.document("a").setData(["n": number]) }
        #expect(audience.listen(to: cities).take().first?.documents.first?["n"] as? Int == 49)
    }

    /// Changes that cannot be listed make queries run again.
    @Test func largeCommitsAndLoads() throws {
        let heard = audience.listen(to: cities.whereField("n", isLessThan: 5).order(by: "n"))
        _ = heard.take()
        let batch = audience.database.batch()
        for number in 0...10_000 { batch.setData(["n": number], forDocument: cities.document("\(number)")) }
        try batch.sync.commit()
        audience.settle()
        #expect(heard.take().map(\.count) == [5])
        let file = URL(filePath: audience.path + ".jsonl")
        try Data(#"{"name":"cities/x","fields":{"n":{"integerValue":"-1"}}}"#.utf8).write(to: file)
        #expect(try audience.database.sync.importDocuments(from: file).imported == 1)
        audience.settle()
        #expect(heard.take().last?.changeTexts == ["+x@0"])
    }

    /// C-33.
    @Test func inSyncListenersComeLast() throws {
        let order = Heard<String>()
        let registrations = [
            cities.addSnapshotListener { _, _ in order.add("cities") },
            cities.document("a").addSnapshotListener { _, _ in order.add("document") },
            audience.database.addSnapshotsInSyncListener { order.add("in sync") },
        ]
        audience.settle()
        #expect(order.take() == ["cities", "document", "in sync"])
        try set("a", 1)
        audience.settle()
        let heard = order.take()
        #expect(heard.count == 3 && heard.last == "in sync", "\(heard)")
        try audience.database.document("towns/a").sync.setData([:])
        audience.settle()
        #expect(order.take().isEmpty)
        let late = cities.addSnapshotListener { _, _ in order.add("late") }
        audience.settle()
        #expect(order.take() == ["late", "in sync"])
        for registration in registrations + [late] { registration.remove() }
        try set("a", 2)
        audience.settle()
        #expect(order.take().isEmpty)
    }

    /// Writes that nobody waited for delay listeners, but do not change the order in which they are called.
    @Test func inSyncListenersAreCalledAtOnce() throws {
        let order = Heard<String>()
        audience.database.addSnapshotsInSyncListener { order.add("in sync") }
        audience.settle()
        #expect(order.take() == ["in sync"])
        cities.document("a").setData(["n": 1])
        cities.addSnapshotListener { snapshot, _ in order.add("\(snapshot?.count ?? -1)") }
        audience.database.addSnapshotsInSyncListener { order.add("second") }
        audience.settle()
        #expect(order.take() == ["1", "in sync", "second"])
    }
}
