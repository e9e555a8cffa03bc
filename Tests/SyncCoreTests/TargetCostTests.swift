// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import SyncCore
import Testing

/// What many known queries cost. All targets that nobody may read are damaged, so that a look at one fails.
@Suite struct TargetCostTests {
    private static let count = 500
    private static let time = Timestamp(microseconds: 5)!
    private let replica: FileReplica
    private let machine: SyncMachine

    /// Queries of one collection, used in the order of their numbers.
    init() throws {
        replica = try FileReplica()
        let targets = try (0..<TargetCostTests.count).map { number in
            TargetData(
                try TargetCostTests.query(number).target, id: 2 * number + 2, sequence: number + 1,
                snapshotVersion: TargetCostTests.time, resumeToken: [1], completeVersion: TargetCostTests.time)
        }
        try replica.look { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestTarget = 2 * TargetCostTests.count
            header.highestSequence = TargetCostTests.count
            try records.setHeader(header)
            for target in targets { try records.setTarget(target) }
        }
        machine = SyncMachine(replica, SyncMachine.Configuration(database: ScenarioForm.database, seed: 1))
        _ = machine.handle(.start, at: .noVersion)
    }

    private static func query(_ number: Int, _ more: [Filter] = []) throws -> SyncQuery {
        let filters: [Filter] = [
            .field(FieldPath(name: "color"), .equal, .string("red")),
            .field(FieldPath(name: "n"), .equal, .integer(Int64(number))),
        ]
        let query = Query(from: CollectionSelector(collectionID: "c"), filter: .and(more + filters))
        return try SyncQuery(query, database: ScenarioForm.database)
    }

    private static let isLarge = Filter.field(FieldPath(name: "size"), .greaterThan, .integer(7))

    private func completeVersion(_ number: Int, _ more: [Filter] = []) throws -> Timestamp? {
        try machine.completeVersion(of: TargetCostTests.query(number, more))
    }

    /// Replaces records behind the replica's back.
    private func replace(_ records: [(key: [UInt8], value: [UInt8]?)]) throws {
        let engine = replica.engine
        let basis = (key: [UInt8]([0]), value: try engine.replicaRecord([0]))
        try engine.commit(ReplicaChange(basis: basis, documents: [:], records: records))
    }

    private func listKeys() throws -> [[UInt8]] {
        try replica.engine.replicaRecords(in: .init(lower: [0x0F], upper: [0x11])).map(\.key)
    }

    /// - Parameter kept: the numbers of the queries whose targets can be read.
    private func damageTargets(besides kept: Range<Int>) throws {
        let targets = try replica.engine.replicaRecords(in: .init(prefix: [0x04]))
        #expect(targets.count == TargetCostTests.count)
        try replace(targets.enumerated().filter { !kept.contains($0.offset) }.map { ($0.element.key, [1, 2, 3]) })
    }

    /// A query is asked of its own target and of those that cover it, not of all that there are.
    @Test func completenessReadsFewTargets() throws {
        try damageTargets(besides: 7..<8)
        #expect(try completeVersion(7) == TargetCostTests.time)
        let read = try machine.whileComplete(TargetCostTests.query(7)) { true }
        #expect(read == true)
        #expect(try completeVersion(7, [TargetCostTests.isLarge]) == TargetCostTests.time)
        #expect(try completeVersion(TargetCostTests.count) == nil)
        #expect(try machine.completeVersion(of: ScriptedClient.collection()) == nil)
        #expect(throws: ReplicaError.self) { try completeVersion(8) }
    }

    // MARK: Collection

    private func targetCount() throws -> Int { try replica.engine.replicaRecords(in: .init(prefix: [0x04])).count }

    /// One pass. Returns what begins the next one, if this one has helped.
    private func collect(_ input: SyncInput = .collectGarbage(threshold: 0, percentile: 10)) -> SyncInput? {
        let waits = machine.handle(input, at: .noVersion).waits(.collection)
        return waits.last.map { .timer(.collection, ticket: $0.ticket) }
    }

    /// A pass reads the targets that it forgets, and no others.
    @Test func aPassReadsTheTargetsThatItForgets() throws {
        try damageTargets(besides: 0..<20)
        #expect(collect() != nil)
        #expect(try targetCount() == TargetCostTests.count - 20)
    }

    /// A pass that has to step over targets does not forget more than others do, be they without documents.
    @Test func aPassForgetsFewTargets() throws {
        let pinned = 100
        try replica.look { (records) throws(ReplicaError) in
            for var target in try records.targets(usedUpTo: pinned, atMost: pinned) {
                target.isPinned = true
                try records.setTarget(target)
            }
        }
        var passes = 0
        var next: SyncInput? = .collectGarbage(threshold: 0, percentile: 10)
        while let input = next {
            let before = try targetCount()
            next = collect(input)
            #expect(try before - targetCount() <= 20)
            passes += 1
        }
        #expect(try targetCount() == pinned && passes > 20)
        #expect(try replica.problems() == [])
    }

    /// Nor does it read the pinned ones, which may be the first: they are not among those that it looks at.
    @Test func aPassReadsNoPinnedTargets() throws {
        let pinned = 100
        try replica.look { (records) throws(ReplicaError) in
            for var target in try records.targets(usedUpTo: pinned, atMost: pinned) {
                target.isPinned = true
                try records.setTarget(target)
            }
        }
        #expect(try replica.problems() == [])
        #expect(try targetUseCount() == TargetCostTests.count - pinned)
        try damageTargets(besides: pinned..<pinned + 20)
        #expect(collect() != nil)
        #expect(try targetCount() == TargetCostTests.count - 20)
    }

    /// A target that is no longer pinned is found again, by its last use.
    @Test func aPassFindsTargetsThatAreNoLongerPinned() throws {
        let query = try TargetCostTests.query(3)
        #expect(machine.handle(.pin(query, call: 1), at: .noVersion).answers == [1: .ok])
        #expect(try targetUseCount() == TargetCostTests.count - 1)
        #expect(machine.handle(.unpin(query, call: 2), at: .noVersion).answers == [2: .ok])
        #expect(try targetUseCount() == TargetCostTests.count)
        #expect(try replica.problems() == [])
        var next: SyncInput? = .collectGarbage(threshold: 0, percentile: 10)
        while let input = next { next = collect(input) }
        #expect(try targetCount() == 0)
    }

    private func targetUseCount() throws -> Int {
        try replica.engine.replicaRecords(in: .init(prefix: [0x10])).count
    }

    // MARK: An older program

    /// An older program changes targets, but not their lists, and leaves no mark in the header.
    @Test func whatAnOlderProgramHasLeftIsListedAnew() throws {
        let key: [UInt8] = [0]
        let header = try #require(try replica.engine.replicaRecord(key))
        let database = replica.engine.database
        let stored = try StoredDocument(header.span.bytes, key: key.span.bytes, database: database)
        var fields = try stored.fields()
        #expect(fields["listsUnpinnedTargets" as Text] == .boolean(true))
        fields["listsUnpinnedTargets" as Text] = nil
        let older = StoredDocumentEncoder.record(
            of: fields, createTime: .noVersion, updateTime: .noVersion, key: key, database: database)
        let lists = try listKeys()
        // A target is listed that there is no more, and half of the others are not.
        var stale = lists[0]
        stale[stale.count - 1] ^= 1
        var records: [(key: [UInt8], value: [UInt8]?)] = [(key, older), (stale, [])]
        for (index, list) in lists.enumerated() where index.isMultiple(of: 2) { records.append((list, nil)) }
        try replace(records)
        #expect(try replica.problems() == [])

        for number in 0..<9 {
            #expect(try completeVersion(number, [TargetCostTests.isLarge]) == TargetCostTests.time)
        }
        #expect(try listKeys() == lists)
        #expect(try replica.problems() == [])
        // Now the lists are right, so that few targets are read.
        try damageTargets(besides: 7..<8)
        #expect(try completeVersion(7, [TargetCostTests.isLarge]) == TargetCostTests.time)
    }
}
