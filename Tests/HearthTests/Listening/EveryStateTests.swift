// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// Listeners receive the state after every commit, in order.
@Suite(.timeLimit(.minutes(5))) struct EveryStateTests {
    private let audience: Audience
    private var cities: CollectionReference { audience.cities }

    init() throws {
        audience = try Audience()
    }

    /// The writes are not awaited, so they share a transaction.
    @Test func setUpdateAndDelete() throws {
        let heard = audience.listen(to: cities)
        let document = Heard<DocumentSnapshot>()
        cities.document("a").addSnapshotListener { document.add($0, $1) }
        audience.settle()
        _ = (heard.take(), document.take())
        for _ in 0..<50 {
            cities.document("a").setData(["n": 1])
            cities.document("a").updateData(["n": 2])
            cities.document("a").delete()
        }
        audience.settle()
        let changes = heard.take().map(\.changeTexts)
        #expect(changes == Array(repeating: [["+a@0"], ["a 0>0"], ["-a@0"]], count: 50).flatMap { $0 })
        let values = document.take().map { $0["n"] as? Int }
        #expect(values == Array(repeating: [1, 2, nil], count: 50).flatMap { $0 })
    }

    /// Compares with a model to which every commit is applied.
    @Test func statesAreThoseOfTheCommits() throws {
        var random = SeededGenerator.printingSeed()
        let heard = audience.listen(to: cities.order(by: "n"))
        _ = heard.take()
        var model: [String: Int] = [:]
        var expected: [[String: Int]] = []
        for _ in 0..<200 {
            let before = model
            let batch = audience.database.batch()
            for id in Array(0..<6).shuffled(using: &random).prefix(random.int(1..<4)).map(String.init) {
                if random.chance(0.3) {
                    model[id] = nil
                    batch.deleteDocument(cities.document(id))
                } else {
                    model[id] = random.int(0..<5)
                    batch.setData(["n": model[id] ?? 0], forDocument: cities.document(id))
                }
            }
            batch.commit()
            if model != before { expected.append(model) }
        }
        audience.settle()
        let states = heard.take().map { snapshot in
            Dictionary(uniqueKeysWithValues: snapshot.documents.map { ($0.documentID, $0["n"] as? Int ?? -1) })
        }
        #expect(states == expected, "seed \(random.seed)")
    }

    /// Beyond the limit, the newest state replaces the one before. Its changes are relative to the last state received.
    @Test func aBusyProgramHasABoundedNumberOfStatesWaiting() throws {
        let heard = audience.listen(to: cities.order(by: "n"))
        _ = heard.take()
        let isBusy = DispatchSemaphore(value: 0)
        audience.queue.async { isBusy.wait() }
        for number in 1...400 { try cities.document("\(number)").sync.setData(["n": number]) }
        audience.catchUp()
        isBusy.signal()
        audience.settle()
        let snapshots = heard.take()
        #expect(snapshots.map(\.count) == Array(1...255) + [400])
        #expect(snapshots.last?.documentChanges.count == 145)
        try cities.document("1").sync.delete()
        audience.settle()
        #expect(heard.take().map(\.changeTexts) == [["-1@0"]])
    }

    @Test func sequencesWaitToo() async throws {
        var snapshots = cities.snapshots.makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 0)
        for number in 1...300 { try await cities.document("\(number)").setData([:]) }
        audience.settle()
        var counts: [Int] = []
        while counts.last != 300 { counts.append(try await snapshots.next()?.count ?? -1) }
        #expect(counts == Array(1...255) + [300])
    }

    /// Each commit is reported in sync separately.
    @Test func inSyncListenersHearEveryCommit() throws {
        let heard = Heard<Int>()
        let counts = Heard<Int>()
        cities.addSnapshotListener { snapshot, _ in heard.add(snapshot?.count) }
        audience.settle()
        audience.database.addSnapshotsInSyncListener { counts.add(heard.take().count) }
        audience.settle()
        _ = (counts.take(), heard.take())
        for number in 0..<20 { cities.document("\(number)").setData([:]) }
        audience.settle()
        #expect(counts.take() == Array(repeating: 1, count: 20))
    }
}
