// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

/// When a batch leaves the queue, a document shows the same as if all batches that are left were made again on what the server
/// has, whether or not they are read for it.
@Suite struct PatchReductionTests {
    private static let path = ScriptedClient.path("a")
    /// One of them leads through two others.
    private static let names: [FieldPath] = ["x", "y", "z", "m.p", "m.q", "m"]

    @Test func documentShowsWhatTheQueueMakesOfIt() throws {
        try check(count: Rounds.of(2_000), generate: { $0.next() }) { seed in
            try PatchReductionTests.failure(of: seed)
        }
    }

    /// A later write of the same field does not tell what the map around it is: a timestamp keeps what it was, and a field can only
    /// be deleted from a map that is there.
    @Test(arguments: [false, true]) func mapsAroundAField(isTimestamp: Bool) throws {
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 0, at: 1)], at: 2)
        client.feed(.disableNetwork)
        let inner = FieldPath(["m", "p"])
        let fields = Fields([Field("m", .map(Fields([Field("p", .integer(1))])!))])!
        let set = Write.Operation.update(fields, mask: [inner], transforms: [])
        let timestamp = Write.Operation.update(
            .empty, mask: [], transforms: [FieldTransform("m", .serverTimestamp)])
        let deletion = Write.Operation.update(.empty, mask: [inner], transforms: [])
        let operations = isTimestamp ? [set, timestamp, set] : [set, deletion]
        for (index, operation) in operations.enumerated() {
            client.feed(.write([Write(PatchReductionTests.path, operation)], write: index + 1))
        }
        client.feed(.cancelWrite(batch: 1, call: 1))
        #expect(try PatchReductionTests.fault(in: client) == nil)
    }

    private static func failure(of seed: UInt64) throws -> String? {
        var random = SeededGenerator(seed: seed)
        let client = ScriptedClient()
        client.listen(try ScriptedClient.collection())
        client.sync([ScriptedClient.document("a", 0, at: 1)], at: 2)
        // Most queues have no field that leads through another one.
        let names = random.chance(0.7) ? Array(names.dropLast()) : names
        var number = 0
        var time: Int64 = 10
        for _ in 0..<random.int(2..<6) {
            client.feed(.disableNetwork)
            for _ in 0..<random.int(1..<9) {
                number += 1
                client.now += 1
                let writes = (0..<(random.chance(0.1) ? 2 : 1)).map { _ in write(names, &random) }
                client.feed(.write(writes, write: number))
                if let fault = try fault(in: client) { return "after write \(number): \(fault)" }
            }
            while random.chance(0.4), let batch = try client.machine.pendingWrites().randomElement(using: &random) {
                client.feed(.cancelWrite(batch: batch.id, call: batch.id))
                if let fault = try fault(in: client) { return "without write \(batch.id): \(fault)" }
            }
            client.feed(.enableNetwork)
            while random.chance(0.8), let first = try client.machine.pendingWrites().first {
                time += 1
                answer(first, at: time, client, &random)
                if let fault = try fault(in: client) { return "after the answer to \(first.id): \(fault)" }
            }
        }
        return nil
    }

    private static func answer(
        _ batch: MutationBatch, at time: Int64, _ client: ScriptedClient, _ random: inout SeededGenerator
    ) {
        if random.chance(0.3) {
            client.fail(.write, .permissionDenied)
            return
        }
        guard case .update(_, _, let transforms)? = batch.writes.first?.operation else {
            client.acknowledge(at: time, writes: batch.writes.count)
            return
        }
        // The server may have had other numbers than the client.
        let other = Int64(random.int(0..<9))
        let results = transforms.map { transform -> Value in
            switch transform.operation {
            case .serverTimestamp: .timestamp(Timestamp(microseconds: time)!)
            case .increment, .maximum, .minimum: .integer(other)
            case .appendMissingElements, .removeAllFromArray: .null
            }
        }
        client.acknowledge(at: time, results: results, writes: batch.writes.count)
    }

    private static func write(_ names: [FieldPath], _ random: inout SeededGenerator) -> Write {
        let value = Value.integer(Int64(random.int(0..<5)))
        let name = random.pick(names)
        switch random.int(0..<40) {
        case 0: return Write(path, .delete)
        case 1: return .set(path, Fields([Field("y", value)])!)
        case 2: return Write(path, .update(.empty, mask: nil, transforms: []), precondition: .exists(false))
        default: break
        }
        var fields = Fields.empty
        var mask: [FieldPath] = []
        var transforms: [FieldTransform] = []
        if random.chance(0.6) {
            mask = [name]
            if random.chance(0.9) { fields.set(name == "m" ? Value.map(.empty) : value, at: name) }
        }
        if mask.isEmpty || random.chance(0.3) {
            transforms = [FieldTransform(random.pick(names), operation(value, &random))]
        }
        return Write(
            path, .update(fields, mask: mask, transforms: transforms),
            precondition: random.chance(0.8) ? .exists(true) : nil)
    }

    private static func operation(_ value: Value, _ random: inout SeededGenerator) -> FieldTransform.Operation {
        switch random.int(0..<8) {
        case 0, 1, 2: .serverTimestamp
        case 3: .increment(value)
        case 4: .maximum(value)
        case 5: .removeAllFromArray([value])
        default: .appendMissingElements([value])
        }
    }

    private static func fault(in client: ScriptedClient) throws -> String? {
        let (document, batches) = try client.replica.look { (records) throws(ReplicaError) in
            (try records.document(at: path), try records.batches(writing: path, of: SyncUser(nil)))
        }
        var wanted = document.base
        var changed = ChangedFields.nothing
        for batch in batches { batch.applyLocally(to: &wanted, changing: &changed) }
        let (shown, expected) = (document.local.fields, wanted.fields)
        let isSame = shown.map { shown in expected.map(shown.isIdentical(to:)) ?? false } ?? (expected == nil)
        if !isSame { return "shown is \(String(describing: shown)), expected \(String(describing: expected))" }
        guard let overlay = document.overlay, let writes = overlay.writes, case .patch(_, let mask) = overlay.change
        else { return nil }
        for (field, known) in zip(mask, writes) {
            let count = batches.count(where: { $0.writes.contains { $0.changes(field) } })
            if known.count != count { return "\(count) batches write \(field), not \(known.count)" }
        }
        return nil
    }
}

extension Write {
    fileprivate func changes(_ field: FieldPath) -> Bool {
        guard case .update(_, let mask?, let transforms) = operation else { return false }
        return mask.contains(field) || transforms.contains { $0.path == field }
    }
}
