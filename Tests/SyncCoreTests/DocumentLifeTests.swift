// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport
import Testing

/// What a program sees of one document while its writes, their answers and the listen's news arrive in every order.
@Suite struct DocumentLifeTests {
    enum Step: Sendable {
        case write([Write])
        /// The server commits the first batch at this version, with these results of transforms.
        case acknowledge(Int64, [Value] = [])
        case reject
        case news(Fields?, Int64)
    }

    struct Life: Sendable {
        let name: String
        let steps: [(step: Step, seen: String)]

        init(_ name: String, _ steps: [(step: Step, seen: String)]) { (self.name, self.steps) = (name, steps) }
    }

    private static let path = ScriptedClient.path("d")

    private static func set(_ fields: Fields) -> Step { .write([.set(path, fields)]) }

    private static func patched(_ fields: Fields, _ operations: [FieldTransform] = []) -> Write {
        Write(
            path, .update(fields, mask: fields.map { FieldPath(name: $0.name) }, transforms: operations),
            precondition: .exists(true))
    }

    private static func patch(_ fields: Fields) -> Step { .write([patched(fields)]) }

    private static func add(_ n: Int64, isMerge: Bool = false) -> Step {
        .write([
            Write(
                path, .update([:], mask: [], transforms: [FieldTransform("sum", .increment(.integer(n)))]),
                precondition: isMerge ? nil : .exists(true))
        ])
    }

    private static func append(_ value: Value) -> Step {
        .write([patched([:], [FieldTransform("list", .appendMissingElements([value]))])])
    }

    private static let delete = Step.write([Write(path, .delete)])

    static let lives = [
        Life("set, then news", [(set(["a": 1]), "a=1 L"), (.news(["b": 2], 2), "a=1 L"), (.acknowledge(3), "a=1 C")]),
        Life(
            "acknowledged, another one rejected, news",
            [
                (set(["a": 1]), "a=1 L"), (.acknowledge(2), "a=1 C"), (set(["a": 2]), "a=2 L"), (.reject, "a=1 C"),
                (.news(["b": 2], 3), "b=2"),
            ]),
        Life("deleted, then set", [(.news(nil, 2), "missing"), (set(["a": 1]), "a=1 L"), (.acknowledge(3), "a=1 C")]),
        Life("set, then deleted", [(set(["a": 1]), "a=1 L"), (.news(nil, 2), "a=1 L")]),
        Life(
            "news, set, acknowledgement, news",
            [
                (.news(["b": 2], 2), "b=2"), (set(["a": 1]), "a=1 L"), (.acknowledge(3), "a=1 C"),
                (.news(["b": 3], 3), "b=3"),
            ]),
        Life("patch of nothing", [(patch(["a": 1]), "uncached"), (.acknowledge(1), "unreadable C")]),
        Life(
            "patch, acknowledgement, news",
            [(patch(["a": 1]), "uncached"), (.acknowledge(2), "unreadable C"), (.news(["b": 2], 2), "b=2")]),
        Life(
            "patch, news, acknowledgement, news",
            [
                (patch(["a": 1]), "uncached"), (.news(["b": 2], 2), "a=1 b=2 L"), (.acknowledge(3), "a=1 b=2 C"),
                (.news(["b": 3], 3), "b=3"),
            ]),
        Life("delete", [(delete, "missing L"), (.acknowledge(2), "missing C")]),
        Life("news, delete", [(.news(["b": 2], 2), "b=2"), (delete, "missing L"), (.acknowledge(3), "missing C")]),
        Life(
            "delete, news", [(delete, "missing L"), (.news(["b": 2], 2), "missing L"), (.acknowledge(3), "missing C")]),
        Life(
            "there, deleted, there again",
            [(.news(["b": 2], 2), "b=2"), (.news(nil, 3), "missing"), (.news(["b": 4], 4), "b=4")]),
        Life(
            "set, patch, news, both acknowledged",
            [
                (set(["a": 1]), "a=1 L"), (patch(["a": 2]), "a=2 L"), (.news(["b": 2], 2), "a=2 L"),
                (.acknowledge(3), "a=2 L"), (.acknowledge(4), "a=2 C"), (.news(["b": 4], 4), "b=4"),
            ]),
        Life(
            "set and patch together",
            [
                (.write([.set(path, ["a": 1]), patched(["a": 2, "b": 3])]), "a=2 b=3 L"),
                (.acknowledge(2), "a=2 b=3 C"),
            ]),
        Life(
            "set, patch rejected",
            [(set(["a": 1]), "a=1 L"), (.acknowledge(2), "a=1 C"), (patch(["a": 2]), "a=2 L"), (.reject, "a=1 C")]),
        Life(
            "delete, patch, both acknowledged",
            [
                (delete, "missing L"), (patch(["a": 1]), "missing L"), (.acknowledge(2), "missing C"),
                (.acknowledge(3), "unreadable C"),
            ]),
        Life(
            "the second of two batches stays",
            [
                (patch(["a": 1]), "uncached"),
                (.write([.set(path, ["a": 2]), .set(ScriptedClient.path("other"), [:])]), "a=2 L"), (.reject, "a=2 L"),
            ]),
        Life("increments", [(set(["sum": 0]), "sum=0 L"), (add(1), "sum=1 L"), (add(2), "sum=3 L")]),
        Life(
            "increments and their results",
            [
                (set(["sum": 0]), "sum=0 L"), (.acknowledge(2), "sum=0 C"), (add(1), "sum=1 L"),
                (.acknowledge(3, [1]), "sum=1 C"), (add(2), "sum=3 L"),
            ]),
        Life(
            "increments hide news of their field",
            [
                (.news(["sum": 0], 2), "sum=0"), (add(1), "sum=1 L"), (.news(["sum": 1337], 3), "sum=1 L"),
                (add(2), "sum=3 L"), (.acknowledge(4, [1338]), "sum=3 L"), (.acknowledge(5, [1340]), "sum=1340 C"),
            ]),
        Life(
            "sums and lists are held back until the server's result",
            [
                (.news(["list": [], "sum": 0], 2), "list=[] sum=0"), (add(1), "list=[] sum=1 L"),
                (append("a"), "list=[a] sum=1 L"), (.news(["list": ["b"], "sum": 7], 3), "list=[a] sum=1 L"),
                (.acknowledge(4, [8]), "list=[b, a] sum=8 L"), (.acknowledge(5, [.null]), "list=[b, a] sum=8 C"),
            ]),
        Life("merge with an increment", [(add(1, isMerge: true), "sum=1 L"), (.news(["sum": 7], 2), "sum=1 L")]),
        Life("patch with an increment", [(add(1), "uncached"), (.news(["sum": 7], 2), "sum=1 L")]),
        Life("news of the same version", [(.news(["a": 1], 2), "a=1"), (.news(["a": 2], 2), "a=1")]),
        Life("older news", [(.news(["a": 2], 3), "a=2"), (.news(["a": 1], 2), "a=2"), (.news(nil, 2), "a=2")]),
        Life(
            "patches of several fields",
            [
                (.news(["a": 0, "b": 0], 2), "a=0 b=0"), (patch(["a": 1]), "a=1 b=0 L"), (patch(["b": 1]), "a=1 b=1 L"),
                (patch(["b": 2]), "a=1 b=2 L"), (.news(["a": 7, "b": 7, "c": 7], 3), "a=1 b=2 c=7 L"),
            ]),
        Life(
            "patches of several fields together",
            [
                (.news(["a": 0, "b": 0], 2), "a=0 b=0"), (.write([patched(["a": 1]), patched(["b": 1])]), "a=1 b=1 L"),
                (.news(["a": 7, "b": 7, "c": 7], 3), "a=1 b=1 c=7 L"),
            ]),
        Life(
            "patches of several fields of a local document",
            [(set(["a": 0, "b": 0]), "a=0 b=0 L"), (patch(["a": 1]), "a=1 b=0 L"), (patch(["b": 1]), "a=1 b=1 L")]),
    ]

    @Test(arguments: lives.indices, ReplicaPlace.allCases)
    func life(_ number: Int, _ place: ReplicaPlace) throws {
        let life = DocumentLifeTests.lives[number]
        let client = ScriptedClient(in: try place.make())
        client.listen(try ScriptedClient.collection())
        client.sync([], at: 1)
        var writeCounts: [Int] = []
        var time: Int64 = 1
        for (index, (step, seen)) in life.steps.enumerated() {
            switch step {
            case .write(let writes):
                client.feed(.write(writes, write: index))
                writeCounts.append(writes.count)
            case .acknowledge(let version, let results):
                client.acknowledge(at: version, results: results, writes: writeCounts.removeFirst())
            case .reject:
                client.fail(.write, .permissionDenied)
                writeCounts.removeFirst()
            case .news(let fields, let version):
                time = max(time, version)
                client.tell(fields, at: version)
                client.boundary(at: time)
            }
            #expect(try client.cached("d").local.text == seen, "\(life.name), after step \(index)")
        }
        #expect(try client.replica.problems() == [])
    }
}

extension ScriptedClient {
    /// What the listen says of the document `d`.
    fileprivate func tell(_ fields: Fields?, at version: Int64) {
        let (path, version) = (ScriptedClient.path("d"), Timestamp(microseconds: version)!)
        guard let fields else {
            say(.deletion(path, readTime: version, removed: [wireIDs.last!]))
            return
        }
        say(
            .document(
                SyncDocument(path, .found(fields, createTime: Timestamp(microseconds: 1)!), version: version),
                updated: [wireIDs.last!], removed: []))
    }
}

extension SyncDocument {
    /// The fields, and marks: `L` with writes that are not acknowledged, `C` with ones that the listen has not told.
    fileprivate var text: String {
        let contents =
            switch self.contents {
            case .uncached: "uncached"
            case .missing: "missing"
            case .unreadable: "unreadable"
            case .found(let fields, _): fields.map { "\($0.name.string)=\($0.value.text)" }.joined(separator: " ")
            }
        return contents + (hasLocalMutations ? " L" : hasCommittedMutations ? " C" : "")
    }
}

extension Value {
    fileprivate var text: String {
        switch self {
        case .integer(let n): "\(n)"
        case .string(let text): text.string
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        default: "\(self)"
        }
    }
}
