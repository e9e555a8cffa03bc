// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

/// The records of a file answer every call as those in memory do, inside transactions and after them, whatever values they
/// hold and however long their names are.
@Suite struct ReplicaRecordsTests {
    @Test func fileAnswersAsMemoryDoes() throws {
        try check(count: Rounds.of(100), generate: { $0.next() }) { seed in
            var random = SeededGenerator(seed: seed)
            let memory = MemoryReplica()
            let file = try FileReplica()
            let world = try World(&random)
            for _ in 0..<random.int(1..<12) {
                let transaction = random.next()
                let found = try ReplicaRecordsTests.log(of: transaction, world, on: file)
                let wanted = try ReplicaRecordsTests.log(of: transaction, world, on: memory)
                if found != wanted { return "\(found)\nexpected\n\(wanted)" }
                if random.chance(0.3) { try file.restart() }
            }
            return try file.problems().first
        }
    }

    /// What the steps of a transaction answer. Some transactions fail in the end, and then change nothing.
    private static func log(of seed: UInt64, _ world: World, on replica: any TestedReplica) throws -> [String] {
        var log: [String] = []
        do throws(ReplicaError) {
            try replica.look { (records) throws(ReplicaError) in
                var random = SeededGenerator(seed: seed)
                for _ in 0..<random.int(1..<30) {
                    try world.change(records, &random)
                    if random.chance(0.3) { log += try world.answers(of: records, &random) }
                }
                if random.chance(0.2) { throw ReplicaError("made to fail") }
            }
        } catch {
            log.append(error.message)
        }
        var random = SeededGenerator(seed: seed)
        log += try replica.look { (records) throws(ReplicaError) in try world.answers(of: records, &random) }
        return log
    }
}

/// The names that a test's records use.
private struct World {
    private let paths: [DocumentPath]
    private let users = [SyncUser(nil), SyncUser("a"), SyncUser("ä/\u{0}b")]
    private let query: SyncQuery
    /// The first two have documents.
    private let targets: [SyncTarget]
    private let values = ValueGenerator(database: ScenarioForm.database)

    init(_ random: inout SeededGenerator) throws {
        query = try ModelQuery(least: 2, limit: 3, takesLast: true).query
        let long = String(repeating: "x", count: random.int(480..<1_000))
        paths = ["c/a", "c/b", "c/a/d/e", "c/__id7__", "c/\(long)", "c/\(long)y", "\(long)/z"].map {
            DocumentPath(ResourcePath(segments: $0.split(separator: "/").map { Text(String($0)) }))
        }
        targets = [
            SyncTarget(document: paths[4]), query.target, try ModelQuery(least: nil).query.target,
            try ModelQuery(least: 2).query.target,
        ]
    }

    private func someFields(_ random: inout SeededGenerator) -> Fields {
        var fields = Fields.empty
        for name in ["a", "b", "ü"] where random.chance(0.7) { fields[Text(name)] = values.value(&random) }
        return fields
    }

    private func somePaths(_ random: inout SeededGenerator) -> Set<DocumentPath> {
        Set((0..<random.int(1..<4)).map { _ in random.pick(paths) })
    }

    private func time(_ random: inout SeededGenerator) -> Timestamp {
        Timestamp(microseconds: Int64(random.int(0..<9)))!
    }

    // MARK: Changes

    func change(_ records: any ReplicaRecords, _ random: inout SeededGenerator) throws(ReplicaError) {
        switch random.int(0..<10) {
        case 0, 1: try records.setDocument(document(&random))
        case 2: try records.removeDocument(at: random.pick(paths))
        case 3, 4: try changeQueue(records, &random)
        case 5, 6: try changeKeys(records, &random)
        case 7:
            if random.chance(0.3) { _ = try records.dropUsesInTargets(amongFirst: random.int(1..<9)) }
            try records.setLastUse(random.int(0..<300), of: random.pick(paths))
        case 8: try changeTarget(records, &random)
        default: try records.setBundle(BundleRecord(id: random.pick(["b", "c"]), createTime: time(&random)))
        }
    }

    private func document(_ random: inout SeededGenerator) -> CachedDocument {
        let path = random.pick(paths)
        let contents: SyncDocument.Contents =
            switch random.int(0..<5) {
            case 0: .uncached
            case 1: .missing
            case 2: .unreadable
            default: .found(someFields(&random), createTime: time(&random))
            }
        let isCached = if case .uncached = contents { false } else { true }
        let base = SyncDocument(
            path, contents, version: isCached ? time(&random) : .noVersion,
            hasCommittedMutations: isCached && random.chance(0.3))
        let masks = [FieldPath(name: "a"), FieldPath(["b", "c.d"])]
        let change: Overlay.Change =
            switch random.int(0..<3) {
            case 0: .set(someFields(&random))
            case 1: .patch(someFields(&random), mask: masks)
            default: .delete
            }
        return CachedDocument(base: base, overlay: random.chance(0.5) ? overlay(change, &random) : nil)
    }

    /// With what is known of its fields' writes, or without.
    private func overlay(_ change: Overlay.Change, _ random: inout SeededGenerator) -> Overlay {
        var writes: [FieldWrites]?
        if case .patch(_, let mask) = change, random.chance(0.5) {
            writes = mask.map { _ in
                FieldWrites(
                    count: random.int(1..<9), settled: random.int(0..<9), rest: random.pick(FieldWrites.Rest.allCases))
            }
        }
        let increment = random.chance(0.5) ? random.int(0..<9) : nil
        return Overlay(change, batch: random.int(1..<9), writes: writes, lastIncrement: increment)
    }

    private func changeQueue(_ records: any ReplicaRecords, _ random: inout SeededGenerator) throws(ReplicaError) {
        let user = random.pick(users)
        if random.chance(0.3), let first = try records.batch(after: random.int(0..<3), of: user) {
            return try records.removeBatch(first.id, of: user)
        }
        var header = try records.header
        header.highestBatch += 1
        header.highestSequence += 1
        header.user = random.pick(users)
        try records.setHeader(header)
        let writes = (0..<random.int(1..<4)).map { _ in write(&random) }
        let batch = MutationBatch(
            id: header.highestBatch, localWriteTime: time(&random),
            baseWrites: random.chance(0.3) ? [write(&random)] : [], writes: writes, attempts: random.int(0..<3))
        try records.setBatch(batch, of: user)
        var sent = batch
        sent.attempts += 1
        if random.chance(0.3) { try records.setBatch(sent, of: user) }
        let rejected = RejectedBatch(
            batch: sent, cause: SyncError(random.pick(StatusCode.allCases), "ü"), time: time(&random))
        if random.chance(0.3) { try records.setRejectedBatch(rejected, of: user) }
        if random.chance(0.3) { try records.removeRejectedBatch(random.int(0..<4), of: user) }
    }

    private func write(_ random: inout SeededGenerator) -> Write {
        let operands = [values.value(&random, depth: 0), .null]
        let transform = random.pick([
            .serverTimestamp, .increment(.integer(.max)), .maximum(.double(-0.0)), .minimum(.double(.nan)),
            .appendMissingElements(operands), FieldTransform.Operation.removeAllFromArray([]),
        ])
        let operation: Write.Operation =
            switch random.int(0..<4) {
            case 0: .delete
            case 1: .verify
            default:
                .update(
                    someFields(&random), mask: random.pick([nil, [], [FieldPath(["a", "ü"])]]),
                    transforms: random.chance(0.5) ? [FieldTransform(FieldPath(["t", "u.v"]), transform)] : [])
            }
        return Write(
            random.pick(paths), operation, precondition: random.pick([nil, .exists(true), .updateTime(time(&random))]))
    }

    private func changeKeys(_ records: any ReplicaRecords, _ random: inout SeededGenerator) throws(ReplicaError) {
        let target = random.int(1..<3)
        if random.chance(0.6) {
            try records.addKeys(somePaths(&random), to: target)
        } else {
            try records.removeKeys(somePaths(&random), from: target)
        }
    }

    private func changeTarget(_ records: any ReplicaRecords, _ random: inout SeededGenerator) throws(ReplicaError) {
        let id = random.int(1..<5)
        if random.chance(0.3) { return try records.removeTarget(id) }
        var header = try records.header
        header.highestTarget = 5
        try records.setHeader(header)
        // Each number has a target of its own, as in a client.
        try records.setTarget(
            TargetData(
                targets[id - 1], id: id, sequence: random.int(0..<300), snapshotVersion: time(&random),
                resumeToken: random.pick([[], [0, 255]]), completeVersion: time(&random), isPinned: random.chance(0.5)))
        try records.setNamedQuery(NamedQuery(name: "q", query: query, readTime: time(&random)))
    }

    // MARK: Answers

    func answers(
        of records: any ReplicaRecords, _ random: inout SeededGenerator
    ) throws(ReplicaError) -> [String] {
        var log = ["\(try records.header)"]
        for path in paths {
            let document = try records.document(at: path)
            log.append("\(document.base) \(document.overlay as Any) \(document.local)")
            log.append("\(try records.isInTarget(path)) \(try records.isQueued(path))")
            log.append("\(try records.targets(containing: path).map(\.id).sorted())")
            let first = random.int(0..<4)
            for user in users {
                log.append("\(try records.batches(writing: path, of: user))")
                log.append("\(try records.batches(writing: path, of: user, numbered: first..<first + 2))")
            }
        }
        for user in users {
            log.append("\(try records.batches(of: user)) \(try records.rejectedBatches(of: user))")
            log.append("\(try records.batch(after: random.int(0..<4), of: user) as Any)")
        }
        let limit = random.int(1..<9)
        for target in 1..<3 { log.append("\(try records.keys(of: target, atMost: limit))") }
        let bound = random.int(0..<300)
        log.append("\(try records.leastUses(random.int(1..<9)))")
        log.append("\(try records.targets(usedUpTo: bound, atMost: random.int(1..<5)).map(\.id))")
        log.append("\(try records.documents(usedUpTo: bound, atMost: limit))")
        for target in targets {
            log.append("\(try records.target(target.canonicalID) as Any)")
            log.append("\(try records.targets(thatMayCover: target).map(\.id).sorted())")
        }
        log.append("\(try records.bundle("b") as Any) \(try records.namedQuery("q")?.query.canonicalID as Any)")
        return log
    }
}
