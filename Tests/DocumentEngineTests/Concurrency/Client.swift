// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import DocumentModel
import TestSupport

/// Runs random operations on a few documents, one after another, and records the answers.
struct Client {
    private let engine: Engine
    private var random: SeededGenerator
    private(set) var history = History()
    /// Update times seen, for preconditions that hold sometimes.
    private var seen: [Int: Int64] = [:]

    private static let documents = 4
    private static let names = ["a", "b", "c"]

    init(_ engine: Engine, seed: UInt64) {
        self.engine = engine
        random = SeededGenerator(seed: seed)
    }

    mutating func run(_ count: Int) async throws {
        for _ in 0..<count {
            if random.chance(0.3) { try read() } else { await commit() }
        }
    }

    private mutating func read() throws {
        let number = random.int(0..<Client.documents)
        let start = Client.now()
        let document = try engine.document(Client.path(number))
        let answer = document.map { document in
            History.Document(
                fields: Dictionary(
                    uniqueKeysWithValues: document.fields.map { field -> (String, Int64) in
                        if case .integer(let number) = field.value { (field.name.string, number) } else { ("?", -1) }
                    }),
                createTime: document.createTime.microseconds, updateTime: document.updateTime.microseconds)
        }
        seen[number] = answer?.updateTime
        note(start, .read(number), .document(answer))
    }

    private mutating func commit() async {
        let writes = (0..<random.int(1..<4)).map { _ in write() }
        let blocks = random.chance(0.5)
        let start = Client.now()
        let outcome = await Client.commit(writes.map(Client.engineWrite), blocks: blocks, engine)
        let answer: History.Event.Answer
        switch outcome {
        case .success(let result):
            let times = result.results.map { $0.updateTime?.microseconds }
            for (write, time) in zip(writes, times) { seen[write.document] = time }
            answer = .committed(result.commitTime.microseconds, times)
        case .failure(let error): answer = .refused(error.status.rawValue)
        }
        note(start, .commit(writes), answer)
    }

    /// Uses the blocking form on a thread that may block, or the asynchronous form.
    private static func commit(
        _ writes: [Write], blocks: Bool, _ engine: Engine
    ) async -> Result<CommitResult, EngineError> {
        await withCheckedContinuation { continuation in
            guard blocks else { return engine.commit(writes) { continuation.resume(returning: $0) } }
            DispatchQueue(label: "client").async {
                do throws(EngineError) {
                    continuation.resume(returning: .success(try engine.commit(writes)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    private mutating func note(_ start: UInt64, _ action: History.Event.Action, _ answer: History.Event.Answer) {
        history.events.append(.init(start: start, end: Client.now(), action: action, answer: answer))
    }

    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    private mutating func write() -> History.Write {
        let number = random.int(0..<Client.documents)
        let operation: History.Write.Operation =
            switch random.int(0..<10) {
            case 0..<2: .set(fields())
            case 2..<4: .merge(fields(), deleting: random.chance(0.3) ? [random.pick(Client.names)] : [])
            case 4..<8: .increment(random.pick(Client.names), Int64(random.int(1..<5)))
            case 8: .delete
            default: .verify
            }
        let precondition: History.Write.Precondition? =
            switch random.int(0..<6) {
            case 0: .exists(random.chance(0.7))
            case 1: seen[number].map { .updateTime($0) }
            default: nil
            }
        return History.Write(document: number, operation: operation, precondition: precondition)
    }

    private mutating func fields() -> [String: Int64] {
        var fields: [String: Int64] = [:]
        for name in Client.names where random.chance(0.6) { fields[name] = Int64(random.int(0..<3)) }
        return fields
    }

    private static func path(_ number: Int) -> DocumentPath {
        DocumentPath(ResourcePath(segments: ["model", Text("\(number)")]))
    }

    private static func engineWrite(_ write: History.Write) -> Write {
        let operation: Write.Operation =
            switch write.operation {
            case .set(let values): .update(fields(values), mask: nil, transforms: [])
            case .merge(let values, let deleted):
                // A path that is both set and deleted: it is absent from the body, so it is deleted (W-3).
                .update(
                    fields(values.filter { !deleted.contains($0.key) }),
                    mask: Set(values.keys).union(deleted).sorted().map { FieldPath([Text($0)]) }, transforms: [])
            case .increment(let name, let amount):
                .update(
                    .empty, mask: [],
                    transforms: [FieldTransform(FieldPath([Text(name)]), .increment(.integer(amount)))])
            case .delete: .delete
            case .verify: .verify
            }
        let precondition: Precondition? =
            switch write.precondition {
            case .exists(let exists): .exists(exists)
            case .updateTime(let time): Timestamp(microseconds: time).map { .updateTime($0) }
            case nil: nil
            }
        return Write(path(write.document), operation, precondition: precondition)
    }

    private static func fields(_ values: [String: Int64]) -> Fields {
        var fields = Fields.empty
        for (name, number) in values { fields.set(.integer(number), at: FieldPath([Text(name)])) }
        return fields
    }
}
