// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

@Suite struct RandomScheduleTests {
    static let paths = (0..<5).map { CollectionPath(ResourcePath(segments: ["c"])).document(Text("d\($0)")) }

    /// Whatever happens in whatever order, a document is what the server sent with the queued writes on top; and once
    /// the server can be reached again, both sides are equal.
    ///
    /// A schedule has about 42 steps: a release round takes a million, a debug round a hundredth.
    @Test func localViewIsTheServersWithPendingWritesAndConverges() throws {
        try check(count: Rounds.of(Rounds.of(24_000)), generate: { $0.next() }) { seed in
            try RandomScheduleTests.failure(of: seed, increments: false, in: .memory)
        }
    }

    /// The same over a file, which each restart closes and opens: its documents, indexes and records agree after every
    /// schedule, and queries find in it what the documents say after every step.
    ///
    /// `HEARTH_REPLICA_SCHEDULES` sets how many schedules run; one has about 40 steps.
    @Test func fileIsTheServersWithPendingWritesAndConverges() throws {
        try check(count: Rounds.of(500, or: "HEARTH_REPLICA_SCHEDULES"), generate: { $0.next() }) { seed in
            try RandomScheduleTests.failure(of: seed, increments: seed % 4 == 0, in: .file)
        }
    }

    /// A pending increment shows the sum it was written with, and a lost answer may count it twice: but both sides end
    /// up equal.
    @Test func incrementsConverge() throws {
        try check(count: Rounds.of(1_000), generate: { $0.next() }) { seed in
            try RandomScheduleTests.failure(of: seed, increments: true, in: .memory)
        }
    }

    /// A replica that a push has made has all documents, and first listens go on from them.
    @Test(arguments: ReplicaPlace.allCases) func wholeDatabaseConverges(_ place: ReplicaPlace) throws {
        try check(count: place == .memory ? Rounds.of(2_000) : Rounds.of(100), generate: { $0.next() }) { seed in
            try RandomScheduleTests.failure(of: seed, increments: false, isWhole: true, in: place)
        }
    }

    private static func failure(
        of seed: UInt64, increments: Bool, isWhole: Bool = false, in place: ReplicaPlace
    ) throws -> String? {
        var random = SeededGenerator(seed: seed)
        let queries = try queries()
        var client = ModelClient(ModelServer(queries), try place.make())
        client.settlesQuietly = random.chance(0.5)
        if isWhole {
            for _ in 0..<random.int(0..<20) { _ = client.server.commit(writes(increments, &random)) }
            try client.replica.look(client.server.push)
        }
        client.feed(.start, &random)
        client.listen(to: queries[0], &random)
        for step in 0..<random.int(5..<80) {
            try take(&client, queries, increments: increments, &random)
            if !increments, let fault = try client.inconsistency(of: paths, queries) {
                return "after step \(step + 1): \(fault)"
            }
            if let fault = try client.gap(in: queries) { return "after step \(step + 1): \(fault)" }
        }
        client.change(to: "a", &random)
        client.settle(&random)
        client.change(to: nil, &random)
        client.settle(&random)
        return try (client.fault ?? client.difference()).map { "in the end: \($0)" }
    }

    static func queries() throws -> [ModelQuery] {
        [
            try ModelQuery(least: nil), try ModelQuery(least: 2), try ModelQuery(least: nil, limit: 2),
            try ModelQuery(least: nil, limit: 2, takesLast: true), ModelQuery(paths[0]),
            // It has the target of the one that takes the last.
            try ModelQuery(least: nil, limit: 2, isDescending: true),
        ]
    }

    private static func take(
        _ client: inout ModelClient, _ queries: [ModelQuery], increments: Bool, _ random: inout SeededGenerator
    ) throws {
        switch random.int(0..<100) {
        case ..<18: client.write(writes(increments, &random), &random)
        case ..<20: client.changeQueue(&random)
        case ..<22: client.changeCache(random.pick(queries), &random)
        case ..<32: _ = client.server.commit(writes(increments, &random))
        case ..<44: client.server.tell(&random)
        case ..<67: _ = client.deliver(&random)
        case ..<78: _ = client.answer(&random, refuses: random.chance(0.15))
        case ..<81: client.fail(.watch, SyncError(.unavailable, "Cut."), &random)
        case ..<83: client.fail(.write, SyncError(.unavailable, "Cut."), &random)
        case ..<85: client.runTimer(&random)
        case ..<87: client.listenSomehow(to: random.pick(queries), &random)
        case ..<89: client.unlisten(&random)
        case ..<91: client.feed(random.chance(0.5) ? .disableNetwork : .enableNetwork, &random)
        case ..<93: try client.restart(&random)
        case ..<95:
            if random.chance(0.3) { return client.feed(.changeUser(nil), &random) }
            client.change(to: random.pick([nil, "a"]), &random)
        case ..<97: client.feed(.collectGarbage(threshold: 0, percentile: 50), &random)
        default:
            client.replica.failing =
                random.chance(0.5) ? [random.pick(ReplicaOperation.allCases).rawValue] : []
        }
    }

    static func writes(_ increments: Bool, _ random: inout SeededGenerator) -> [Write] {
        (0..<random.int(1..<3)).map { _ in write(increments, &random) }
    }

    private static func write(_ increments: Bool, _ random: inout SeededGenerator) -> Write {
        let path = random.pick(paths)
        let name: Text = random.chance(0.7) ? "n" : "s"
        var fields = Fields.empty
        fields[name] = .integer(Int64(random.int(0..<5)))
        switch random.int(0..<(increments ? 14 : 12)) {
        case 10, 11:
            // A mark by which the document of this very write is known.
            fields["u"] = .integer(Int64(random.int(0..<1 << 40)))
            return Write(path, .update(fields, mask: nil, transforms: []), precondition: .exists(false))
        case 12, 13:
            let transform = FieldTransform(FieldPath(name: "n"), .increment(.integer(1)))
            return Write(path, .update(.empty, mask: [], transforms: [transform]))
        case 0: return Write(path, .delete)
        case 1, 2: return .set(path, fields)
        case 3:
            return Write(
                path, .update(.empty, mask: [FieldPath(name: name)], transforms: []), precondition: .exists(true))
        case 4, 5: return Write(path, .update(fields, mask: [FieldPath(name: name)], transforms: []))
        default:
            return Write(
                path, .update(fields, mask: [FieldPath(name: name)], transforms: []), precondition: .exists(true))
        }
    }
}
