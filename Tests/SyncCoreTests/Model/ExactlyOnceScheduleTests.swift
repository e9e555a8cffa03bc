// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

/// Random schedules in which answers are lost, streams end, processes restart and the server refuses: each batch counts
/// once, or not at all if its refusal was told.
@Suite struct ExactlyOnceScheduleTests {
    private static let markers = CollectionPath(ResourcePath(segments: ["markers"]))
    private static let paths = (0..<3).map { CollectionPath(ResourcePath(segments: ["c"])).document(Text("d\($0)")) }
    private static let count = FieldPath(name: "n")

    @Test(arguments: ReplicaPlace.allCases) func everyBatchCountsOnce(_ place: ReplicaPlace) throws {
        let rounds = place == .memory ? Rounds.of(2_000) : Rounds.of(100)
        try check(count: rounds, generate: { $0.next() }) { seed in
            try ExactlyOnceScheduleTests.failure(of: seed, Self.markers, in: place)
        }
    }

    /// Two batches without increments are committed and their answers lost; the first is sent again, the second refused then.
    @Test func aBatchIsRepeatedBeforeTheNextIsRefused() throws {
        #expect(try ExactlyOnceScheduleTests.failure(of: 12_956_385_508_705_689_995, Self.markers, in: .memory) == nil)
    }

    /// What the option is for. Without this, the schedules would prove nothing.
    @Test func withoutMarkersIncrementsCountTwice() throws {
        let failures = try (0..<50).compactMap { try ExactlyOnceScheduleTests.failure(of: $0, nil, in: .memory) }
        #expect(failures.contains { $0.contains("times") })
    }

    private static func failure(
        of seed: UInt64, _ markers: CollectionPath?, in place: ReplicaPlace
    ) throws -> String? {
        var random = SeededGenerator(seed: seed)
        let query = try ModelQuery(least: nil)
        var client = ModelClient(ModelServer([query]), try place.make(), markers: markers)
        client.feed(.start, &random)
        client.listen(to: query, &random)
        var lastBatch = 0
        for _ in 0..<random.int(20..<100) { try take(&client, &lastBatch, &random) }
        client.settle(&random)
        if let fault = client.server.repetition(paths) { return fault }
        if let difference = try client.difference() { return "in the end: \(difference)" }
        // One more commit deletes the markers of all others.
        client.write([increment(paths[0])], &random)
        client.settle(&random)
        let left = client.server.documents.keys.filter { $0.collection == markers }
        return left.count > 1 ? "markers are left: \(left)" : nil
    }

    private static func increment(_ path: DocumentPath) -> Write {
        Write(path, .update(.empty, mask: [], transforms: [FieldTransform(count, .increment(.integer(1)))]))
    }

    private static func take(
        _ client: inout ModelClient, _ lastBatch: inout Int, _ random: inout SeededGenerator
    ) throws {
        switch random.int(0..<100) {
        case ..<35:
            lastBatch += 1
            client.write(writes(lastBatch, &random), &random)
        case ..<37:
            if let batch = try? client.machine.pendingWrites().randomElement(using: &random) {
                client.feed(.cancelWrite(batch: batch.id, call: -lastBatch), &random)
            }
        case ..<45: client.server.tell(&random)
        case ..<55: _ = client.deliver(&random)
        case ..<80: _ = client.answer(&random, refuses: random.chance(0.1), lost: 0.2)
        case ..<85: client.fail(.write, SyncError(.unavailable, "Cut."), &random)
        case ..<92: client.runTimer(&random)
        case ..<94: client.feed(random.chance(0.5) ? .disableNetwork : .enableNetwork, &random)
        case ..<96: try client.restart(&random)
        default:
            client.replica.failing =
                random.chance(0.5) ? [random.pick(ReplicaOperation.allCases).rawValue] : []
        }
    }

    /// Writes of one batch, by whose log document the server recognises it.
    private static func writes(_ batch: Int, _ random: inout SeededGenerator) -> [Write] {
        let changes = (0..<random.int(1..<3)).map { _ in
            let path = random.pick(paths)
            return switch random.int(0..<8) {
            case 0: Write(path, .delete)
            case 1, 2: Write.set(path, Fields([Field("n", .integer(Int64(random.int(0..<5))))])!)
            default: increment(path)
            }
        }
        return changes + [.set(CommitCounts.log.document(Text("\(batch)")), .empty)]
    }
}
