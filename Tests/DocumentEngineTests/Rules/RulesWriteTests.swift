// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import TestSupport
import Testing

/// The rules of writes (W), one by one. `RecordedWritesTests` has recorded answers of production. The tests of `Hearth`
/// have the rules of the client library (W-8 to W-14, W-24 to W-29, W-33).
@Suite struct RulesWriteTests {
    private let database: TemporaryDatabase
    private var engine: Engine { database.engine }
    private let path: DocumentPath = "c/d"

    init() throws { database = try TemporaryDatabase() }

    private func update(
        _ fields: Fields, _ transforms: [FieldTransform] = [], mask: [FieldPath]? = nil, at path: DocumentPath = "c/d",
        if precondition: Precondition? = nil
    ) -> Write {
        Write(path, .update(fields, mask: mask, transforms: transforms), precondition: precondition)
    }

    private func stored(_ path: DocumentPath = "c/d") throws -> Fields? { try engine.document(path)?.fields }

    private func refusal(_ writes: Write...) -> (StatusCode, String)? {
        do throws(EngineError) {
            _ = try engine.commit(writes)
            return nil
        } catch {
            return (error.status, error.message)
        }
    }

    /// W-1: updates, deletes and verifications in one commit, each with or without a precondition.
    @Test func kindsOfWrites() throws {
        let first = try engine.commit([
            update(["a": 1], if: .exists(false)), Write("c/e", .verify, precondition: .exists(false)),
        ])
        let time = try #require(first.results[0].updateTime)
        let second = try engine.commit([
            Write("c/d", .verify, precondition: .updateTime(time)), Write("c/d", .delete, precondition: .exists(true)),
        ])
        #expect(second.results.map(\.updateTime) == [time, nil])
    }

    /// W-2.
    @Test func anUpdateWithoutMaskReplaces() throws {
        _ = try engine.commit([update(["a": 1, "b": ["c": 2]])])
        _ = try engine.commit([update(["b": ["d": 3]])])
        #expect(try stored() == ["b": ["d": 3]])
    }

    /// W-3.
    @Test func aMaskSetsAndDeletes() throws {
        _ = try engine.commit([update(["a": 1, "x": 1], mask: ["a", "b"])])
        #expect(try stored() == ["a": 1])
        _ = try engine.commit([update(["m": ["p": 1, "q": 1, "r": 1], "keep": 1])])
        _ = try engine.commit([update(["m": ["p": 2, "r": 9]], mask: ["m.p", "m.q", "gone"])])
        #expect(try stored() == ["m": ["p": 2, "r": 1], "keep": 1])
        _ = try engine.commit([update([:], [FieldTransform("n", .increment(1))], mask: [])])
        #expect(try stored() == ["m": ["p": 2, "r": 1], "keep": 1, "n": 1])
        #expect(refusal(update(["a": 1], mask: ["a"], at: "c/none", if: .exists(true)))?.0 == .notFound)
    }

    /// D-8, with the official emulator's text for masks.
    @Test func pathsOfMasksAndTransformsHave1500Bytes() throws {
        let half = Text(String(repeating: "a", count: 750))
        let allowed = FieldPath([Text(String(repeating: "b", count: 749)), half])
        let tooLong = FieldPath([half, half])
        _ = try engine.commit([update([:], mask: [allowed]), update([:], [FieldTransform(allowed, .increment(1))])])
        #expect(try stored()?[allowed] == 1)
        for write in [update([:], mask: [tooLong]), update([:], [FieldTransform(tooLong, .increment(1))], mask: [])] {
            let answer = refusal(write)
            #expect(answer?.0 == .invalidArgument && answer?.1 == "property path is longer than 1500 bytes.")
        }
    }

    /// W-4.
    @Test func transformsComeAfterTheUpdateInOrder() throws {
        let result = try engine.commit([
            update(
                ["n": 5],
                [
                    FieldTransform("n", .increment(2)), FieldTransform("n", .maximum(6)),
                    FieldTransform("n", .increment(1)),
                ])
        ])
        #expect(result.results[0].transformResults == [7, 7, 8])
        #expect(try stored() == ["n": 8])
    }

    /// W-5.
    @Test func laterWritesSeeEarlierOnes() throws {
        let first = try engine.commit([update(["n": 1])])
        let second = try engine.commit([
            update(["n": 2], mask: ["n"], if: .exists(true)), Write(path, .delete, precondition: .exists(true)),
            update(["k": 1], if: .exists(false)), update([:], [FieldTransform("k", .increment(1))], mask: []),
        ])
        #expect(try stored() == ["k": 2])
        #expect(try engine.document(path)?.createTime == second.commitTime)
        #expect(second.commitTime > first.commitTime)
    }

    /// W-5, as Google's client tests want it, which are made for production; the words are the emulator's.
    @Test func deletedDocumentsAreNotRequired() throws {
        let delete = Write(path, .delete)
        let time = try #require(Timestamp(microseconds: 1))
        for isStored in [false, true] {
            _ = try engine.commit([isStored ? update(["n": 1]) : delete])
            for precondition in [Precondition.exists(true), .updateTime(time)] {
                let refused = refusal(delete, update(["n": 2], if: precondition))
                #expect(refused?.0 == .invalidArgument)
                #expect(refused?.1 == "Cannot delete then update an entity in the same request.")
            }
            let again = refusal(delete, Write(path, .delete, precondition: .exists(true)))
            #expect(again?.0 == .invalidArgument)
            #expect(again?.1 == "Cannot delete then delete an entity in the same request.")
            #expect(try stored() == (isStored ? ["n": 1] : nil))
            _ = try engine.commit([delete, update(["n": 3]), update(["n": 4], if: .exists(true))])
            #expect(try stored() == ["n": 4])
        }
    }

    /// W-6.
    @Test func times() throws {
        let first = try engine.commit([update(["n": 1])])
        let same = try engine.commit([update(["n": 1]), Write("c/none", .delete)])
        #expect(same.results.map(\.updateTime) == [first.commitTime, nil])
        let changed = try engine.commit([update(["n": 1.0])])
        let document = try #require(try engine.document(path))
        #expect(document.createTime == first.commitTime && document.updateTime == changed.commitTime)
        _ = try engine.commit([Write(path, .delete)])
        let again = try engine.commit([update(["n": 1])])
        #expect(try engine.document(path)?.createTime == again.commitTime)
    }

    /// W-7.
    @Test func deleting() throws {
        _ = try engine.commit([update([:]), update(["a": 1], at: "c/d/e/f")])
        _ = try engine.commit([Write(path, .delete), Write(path, .delete), Write("x/y", .delete)])
        #expect(try stored() == nil)
        #expect(try stored("c/d/e/f") == ["a": 1])
        #expect(refusal(Write(path, .delete, precondition: .exists(true)))?.0 == .notFound)
    }

    /// W-12.
    @Test func overlappingPathsApplyInOrder() throws {
        _ = try engine.commit([update(["a": ["b": 1, "c": 1, "d": 1]])])
        _ = try engine.commit([update(["a": ["b": 2, "c": 3]], mask: ["a.b", "a"])])
        #expect(try stored() == ["a": ["b": 2, "c": 3]])
    }

    /// W-15.
    @Test func preconditions() throws {
        let name = "projects/hearth/databases/(default)/documents/c/d"
        let missing = refusal(update(["n": 1], if: .exists(true)))
        #expect(missing?.0 == .notFound && missing?.1 == "No document to update: \(name)")
        let time = try #require(Timestamp(microseconds: 1_700_000_000_000_001))
        let never = refusal(update(["n": 1], if: .updateTime(time)))
        #expect(never?.0 == .failedPrecondition)
        #expect(never?.1 == "the stored version (0) does not match the required base version (1700000000000001)")
        let made = try engine.commit([update(["n": 1])]).commitTime
        let present = refusal(update(["n": 2], if: .exists(false)))
        #expect(present?.0 == .alreadyExists && present?.1 == "Document already exists: \(name)")
        let other = refusal(Write(path, .delete, precondition: .updateTime(time)))
        #expect(
            other?.1
                == "the stored version (\(made.microseconds)) does not match the required base version (1700000000000001)"
        )
        #expect(refusal(update(["x": 1], at: "c/e"), Write(path, .verify, precondition: .updateTime(time))) != nil)
        #expect(try stored("c/e") == nil)
        #expect(refusal(update(["n": 2], if: .updateTime(made))) == nil)
    }

    /// W-16.
    @Test func otherRefusals() throws {
        let increments = (0..<501).map { FieldTransform(FieldPath([Text("f\($0)")]), .increment(1)) }
        let many = refusal(update([:], increments))
        #expect(many?.0 == .invalidArgument)
        #expect(many?.1 == "cannot have more than 500 field transforms on a single document")
        #expect(refusal(update([:], Array(increments.dropLast()))) == nil)
        let nested = refusal(update([:], [FieldTransform("m.a", .increment(1)), FieldTransform("m", .increment(1))]))
        #expect(nested?.1 == "Cannot transform property m and its nested property at the same time.")
        let paths: [FieldPath] = ["m", "m.a", "m.a.b", "ma", "a.m", "m.ab"]
        for (first, second) in paths.flatMap({ first in paths.map { (first, $0) } }) {
            let isNested = first != second && (first.isPrefix(of: second) || second.isPrefix(of: first))
            let both = [FieldTransform(first, .increment(1)), FieldTransform(second, .increment(1))]
            #expect((refusal(update([:], both)) != nil) == isNested, "\(first) and \(second)")
        }
        #expect(refusal(update(["a": [[1]]]))?.0 == .invalidArgument)
        #expect(refusal(update([:], [FieldTransform("n", .increment("1"))]))?.1 == "Input must be a number.")
        #expect(refusal(update([:], [FieldTransform("a", .appendMissingElements([[1]]))]))?.0 == .invalidArgument)
    }

    /// W-17.
    @Test func serverTimes() throws {
        let times = [FieldTransform("a", .serverTimestamp), FieldTransform("b.c", .serverTimestamp)]
        let result = try engine.commit([update([:], times), update([:], [times[0]], at: "c/e")])
        let microseconds = result.commitTime.microseconds
        let time = Value.timestamp(try #require(Timestamp(microseconds: microseconds - microseconds % 1_000)))
        #expect(try stored() == ["a": time, "b": .map(["c": time])])
        #expect(try stored("c/e") == ["a": time])
    }

    /// W-18.
    @Test(
        arguments: [
            (nil, 5, 5), ("text", 5, 5), (1, 2, 3), (1, 2.5, 3.5), (1.5, 1, 2.5), (1.0, 1, 2.0),
            (.integer(.max), 1, .integer(.max)), (.integer(.min), -1, .integer(.min)), (.integer(.max), 1.0, 0x1p63),
            (.double(.nan), 1, .double(.nan)), (nil, 2.0, 2.0),
        ] as [(Value?, Value, Value)])
    func increments(_ old: Value?, _ operand: Value, _ expected: Value) throws {
        try expect(.increment(operand), of: old, gives: expected)
    }

    /// W-19.
    @Test(
        arguments: [
            (nil, 5, 5, 5), ("text", 5, 5, 5), (1, 2, 2, 1), (1, 2.5, 2.5, 1), (3, 3.0, 3, 3), (3.0, 3, 3.0, 3.0),
            (0.0, -0.0, 0.0, 0.0), (5, .double(.nan), .double(.nan), .double(.nan)),
            (.double(.nan), 5, .double(.nan), .double(.nan)),
            (9_007_199_254_740_993, 9_007_199_254_740_992.0, 9_007_199_254_740_993, 9_007_199_254_740_992.0),
        ] as [(Value?, Value, Value, Value)])
    func extremes(_ old: Value?, _ operand: Value, _ maximum: Value, _ minimum: Value) throws {
        try expect(.maximum(operand), of: old, gives: maximum)
        try expect(.minimum(operand), of: old, gives: minimum)
    }

    /// W-20.
    @Test(
        arguments: [
            (nil, [1, 1.0, 2], [1, 2]), ("text", [1], [1]), ([1, 1], [1.0, 3, 3], [1, 1, 3]),
            ([.double(.nan), nil], [.double(.nan), nil, 0], [.double(.nan), nil, 0]),
            ([["a": 1]], [["a": 1.0]], [["a": 1]]),
        ] as [(Value?, [Value], Value)])
    func arrayUnions(_ old: Value?, _ operands: [Value], _ expected: Value) throws {
        try expect(.appendMissingElements(operands), of: old, gives: expected, result: .null)
    }

    /// W-21.
    @Test(
        arguments: [
            (nil, [1], []), ("text", [1], []), ([1, 2, 1.0, 3], [1], [2, 3]),
            ([.double(.nan), nil, 0], [.double(.nan), nil], [0]),
        ] as [(Value?, [Value], Value)])
    func arrayRemovals(_ old: Value?, _ operands: [Value], _ expected: Value) throws {
        try expect(.removeAllFromArray(operands), of: old, gives: expected, result: .null)
    }

    private func expect(
        _ operation: FieldTransform.Operation, of old: Value?, gives expected: Value, result: Value? = nil
    ) throws {
        var fields: Fields = [:]
        if let old { fields.set(old, at: "f") }
        _ = try engine.commit([update(fields)])
        let outcome = try engine.commit([update([:], [FieldTransform("f", operation)], mask: [])])
        let found = try #require(try stored()?["f" as Text])
        #expect(found.isIdentical(to: expected), "\(found)")
        #expect(outcome.results[0].transformResults[0].isIdentical(to: result ?? expected))
    }

    /// W-22.
    @Test func transformResults() throws {
        let result = try engine.commit([
            update(
                ["n": 1, "l": [1]],
                [
                    FieldTransform("n", .increment(1)), FieldTransform("l", .appendMissingElements([2])),
                    FieldTransform("m", .maximum(4)), FieldTransform("l", .removeAllFromArray([1])),
                ])
        ])
        #expect(result.results[0].transformResults == [2, nil, 4, nil])
    }

    /// W-30: at most ten mebibytes of documents per commit, and no limit to their number.
    @Test func commitSizes() throws {
        // Without index entries, which would be most of the work.
        let exemption = FieldOverride(collectionGroup: "big", path: "s", indexes: [])
        try engine.apply(IndexConfiguration(fieldOverrides: [exemption]), prune: true)
        let text = Value.string(Text(String(repeating: "x", count: 1_000_000)))
        let writes = { (count: Int) in
            (0..<count).map { Write.set(DocumentPath(ResourcePath(segments: ["big", Text("\($0)")])), ["s": text]) }
        }
        do throws(EngineError) {
            _ = try engine.commit(writes(11))
            Issue.record("eleven megabytes were taken")
        } catch {
            #expect(error.status == .invalidArgument)
            #expect(error.message == "Transaction too big. Decrease transaction size.")
        }
        #expect(try stored("big/0") == nil)
        _ = try engine.commit(writes(10))
        _ = try engine.commit(
            (0..<2_000).map { Write.set(DocumentPath(ResourcePath(segments: ["small", Text("\($0)")])), [:]) })
    }

    /// W-35.
    @Test func codes() {
        let codes: [StatusCode] = [
            .ok, .cancelled, .unknown, .invalidArgument, .deadlineExceeded, .notFound, .alreadyExists,
            .permissionDenied,
            .resourceExhausted, .failedPrecondition, .aborted, .outOfRange, .unimplemented, .internal, .unavailable,
            .dataLoss, .unauthenticated,
        ]
        #expect(codes.map(\.rawValue) == Array(0...16))
    }
}
