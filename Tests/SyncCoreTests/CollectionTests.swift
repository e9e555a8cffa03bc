// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import SyncCore
import TestSupport
import Testing

/// A cache that is too large shrinks below its threshold, the least recently used documents first, in small transactions.
@Suite struct CollectionTests {
    private static let count = 2_500
    private static let database = ScenarioForm.database

    private static func path(_ number: Int) -> DocumentPath { ScriptedClient.path("\(number)") }

    /// Documents that no target has any more, last used in the order of their numbers.
    private func fill(_ replica: any TestedReplica, _ count: Int = Self.count) throws {
        let text = Text(String(repeating: "x", count: 500))
        try replica.look { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestSequence = count
            try records.setHeader(header)
            for number in 0..<count {
                let fields = Fields([Field("n", .integer(Int64(number))), Field("s", .string(text))])!
                let time = Timestamp(microseconds: 1)!
                let document = SyncDocument(Self.path(number), .found(fields, createTime: time), version: time)
                try records.setDocument(CachedDocument(base: document))
                try records.setLastUse(number, of: Self.path(number))
            }
        }
    }

    private func size(of replica: any TestedReplica) throws -> Int {
        try replica.look { (records) throws(ReplicaError) in try records.size }
    }

    private func isCached(_ number: Int, in replica: any TestedReplica) throws -> Bool {
        try replica.look { (records) throws(ReplicaError) in
            try records.document(at: Self.path(number)).base.isCached
        }
    }

    /// Runs the passes of a collection. Returns how many bytes were left after each.
    private func collect(_ machine: SyncMachine, _ replica: any TestedReplica, threshold: Int) throws -> [Int] {
        var sizes: [Int] = []
        var input: SyncInput? = .collectGarbage(threshold: threshold, percentile: 10)
        while let next = input {
            input = nil
            for effect in machine.handle(next, at: .noVersion) {
                if case .startTimer(.collection, let ticket, 0) = effect { input = .timer(.collection, ticket: ticket) }
            }
            sizes.append(try size(of: replica))
        }
        return sizes
    }

    @Test(arguments: ReplicaPlace.allCases) func cacheShrinksBelowItsThreshold(_ place: ReplicaPlace) throws {
        let replica = try place.make()
        try fill(replica)
        let machine = SyncMachine(replica, SyncMachine.Configuration(database: Self.database, seed: 1))
        _ = machine.handle(.start, at: .noVersion)
        // A queued write and a shown document are kept, however long ago they were used.
        let mask = [FieldPath(name: "n")]
        let write = Write(Self.path(0), .update(Fields([Field("n", .integer(-1))])!, mask: mask, transforms: []))
        _ = machine.handle(.write([write], write: 1), at: .noVersion)
        _ = machine.handle(.listen(SyncQuery(document: Self.path(1)), ListenOptions(), listener: 1), at: .noVersion)

        let whole = try size(of: replica)
        let sizes = try collect(machine, replica, threshold: whole / 3)
        #expect(sizes.last! < whole / 3 && sizes.dropLast(2).allSatisfy { $0 >= whole / 3 })
        #expect(sizes.count > 8 && zip(sizes, sizes.dropFirst()).allSatisfy { $0 - $1 < whole / 5 })
        #expect(try isCached(0, in: replica) && isCached(1, in: replica))
        let kept = try (2..<Self.count).filter { try isCached($0, in: replica) }
        #expect(kept.count > 100 && kept == Array((Self.count - kept.count)..<Self.count))
        #expect(try replica.problems() == [])

        // Without a threshold, all goes but what is needed.
        _ = try collect(machine, replica, threshold: 0)
        #expect(try (0..<Self.count).filter { try isCached($0, in: replica) } == [0, 1])
        #expect(try replica.problems() == [])
    }

    /// One pass forgets a part of what there is, rounded down, but at least one document.
    @Test(arguments: [(0, 0), (1, 1), (9, 1), (10, 1), (49, 4), (50, 5)])
    func onePass(_ count: Int, _ forgotten: Int) throws {
        let replica = MemoryReplica()
        try fill(replica, count)
        let machine = SyncMachine(replica, SyncMachine.Configuration(database: Self.database, seed: 1))
        _ = machine.handle(.start, at: .noVersion)
        // A cache below the threshold is left alone.
        #expect(machine.handle(.collectGarbage(threshold: .max, percentile: 10), at: .noVersion).isEmpty)
        #expect(try (0..<count).allSatisfy { try isCached($0, in: replica) })
        let effects = machine.handle(.collectGarbage(threshold: 0, percentile: 10), at: .noVersion)
        #expect(effects.waits(.collection).count == min(forgotten, 1), "another pass follows if this one has helped")
        #expect(try (0..<count).filter { try isCached($0, in: replica) } == Array(forgotten..<count))
    }

    /// A pass must not step over the uses of all documents that targets have: they are gone after the first passes.
    @Test(arguments: ReplicaPlace.allCases) func usesOfDocumentsInTargetsAreDropped(_ place: ReplicaPlace) throws {
        let replica = try place.make()
        try fill(replica)
        let query = try SyncQuery(Query(from: CollectionSelector(collectionID: "c")), database: Self.database)
        let kept = Set((0..<Self.count).map(Self.path))
        try replica.look { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestTarget = 2
            try records.setHeader(header)
            let time = Timestamp(microseconds: 1)!
            try records.setTarget(TargetData(query.target, id: 2, sequence: 1, snapshotVersion: time))
            try records.addKeys(kept, to: 2)
        }
        let machine = SyncMachine(replica, SyncMachine.Configuration(database: Self.database, seed: 1))
        _ = machine.handle(.start, at: .noVersion)
        _ = machine.handle(.listen(query, ListenOptions(), listener: 1), at: .noVersion)
        _ = try collect(machine, replica, threshold: 0)
        try replica.look { (records) throws(ReplicaError) in
            #expect(try records.rows(of: query).count == Self.count)
            try records.removeKeys(kept, from: 2)
            #expect(try records.documents(usedUpTo: 1_000_000, atMost: 9).isEmpty)
            try records.addKeys(kept, to: 2)
        }
        #expect(try replica.problems() == [])
    }

    /// A write must not wait for a collection, so no pass removes many documents, be they of one target.
    @Test(arguments: ReplicaPlace.allCases) func largeTargetsGoInParts(_ place: ReplicaPlace) throws {
        let count = 400
        let replica = try place.make()
        try fill(replica, count)
        let query = try SyncQuery(Query(from: CollectionSelector(collectionID: "c")), database: Self.database)
        let time = Timestamp(microseconds: 1)!
        try replica.look { (records) throws(ReplicaError) in
            try records.setTarget(
                TargetData(
                    query.target, id: 2, sequence: 1, snapshotVersion: time, resumeToken: [1], completeVersion: time))
            try records.addKeys(Set((0..<count).map(Self.path)), to: 2)
        }
        let machine = SyncMachine(replica, SyncMachine.Configuration(database: Self.database, seed: 1))
        _ = machine.handle(.start, at: .noVersion)
        var cached = count
        var passes = 0
        var input: SyncInput? = .collectGarbage(threshold: 0, percentile: 10)
        while let next = input {
            input = nil
            for effect in machine.handle(next, at: .noVersion) {
                if case .startTimer(.collection, let ticket, _) = effect { input = .timer(.collection, ticket: ticket) }
            }
            passes += 1
            try replica.look { (records) throws(ReplicaError) in
                let left = try records.rows(of: query).count
                #expect(cached - left <= 20)
                cached = left
                // Who listens after a part has gone gets all from the server.
                let token = try records.target(query.target.canonicalID)?.resumeToken
                #expect(left == count || token?.isEmpty ?? true)
            }
        }
        #expect(cached == 0 && passes >= count / 20)
        #expect(try replica.problems() == [])
    }
}
