// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Several writes of one commit to the same document are judged as one change. The values were measured on the emulator.
@Suite struct SeveralWritesTests {
    private static let path = DocumentPath(ResourcePath(segments: ["users", "u"]))

    private static func masked(_ names: Text...) -> Write {
        let paths = names.map { FieldPath(name: $0) }
        return update(Fields(sorting: names.map { Field($0, .integer(1)) }), mask: paths)
    }

    private static func transformed(_ names: Text...) -> Write { update(.empty, mask: [], transformed: names) }

    private static func update(_ fields: Fields, mask: [FieldPath]?, transformed names: [Text] = []) -> Write {
        let transforms = names.map { FieldTransform(FieldPath(name: $0), .serverTimestamp) }
        return Write(path, .update(fields, mask: mask, transforms: transforms))
    }

    private static let whole = Write.set(path, .empty)
    private static let delete = Write(path, .delete)
    private static let inside = update(.empty, mask: [FieldPath(["a", "b"])])

    private static func allows(_ writes: [Write], _ condition: String) throws -> Bool {
        let source = SecurityLintRule.source("match /users/{u} { allow write: if \(condition); }")
        let gate = AccessGate(try #require(RuleSet.compile(source).rules), auth: .null, database: "(default)")
        return gate.decide(commit: writes, at: RecordedRulesTests.time) { (_) throws(Never) -> Fields? in .empty }
            .isAllowed
    }

    @Test(arguments: [
        ([masked("a"), masked("b")], "['a', 'b']"),
        ([masked("a", "b"), masked("b", "c")], "['a', 'b', 'c']"), ([masked("a"), masked("a")], "['a']"),
        ([masked("a"), inside], "['a']"), ([inside, masked("a")], "['a']"),
        ([masked(), masked("b")], "['b']"),
        ([masked("b"), transformed("a")], "['a', 'b']"), ([transformed("a"), masked("b")], "['a', 'b']"),
        ([transformed("b"), transformed("a")], "['b', 'a']"),
        ([whole, masked("a")], "null"), ([masked("a"), whole], "null"), ([delete, masked("a")], "null"),
        ([masked("a"), delete], "null"), ([transformed("a"), delete, masked("b")], "null"),
        ([transformed("a"), whole], "['a']"), ([whole, transformed("a")], "['a']"),
        ([update(.empty, mask: nil, transformed: ["t"]), masked("a")], "['t']"),
    ])
    func writeFields(_ writes: [Write], _ expected: String) throws {
        #expect(try Self.allows(writes, "request.writeFields == \(expected)"))
    }

    @Test(arguments: [
        ([transformed("t"), transformed("s")], "['t', 's']"),
        ([transformed("b", "a"), transformed("c")], "['b', 'a', 'c']"),
        ([transformed("a", "b"), transformed("a")], "['a', 'b', 'a']"),
        ([transformed("t"), masked("a")], "['t']"), ([masked("a"), transformed("t")], "['t']"),
        ([transformed("t"), whole], "['t']"), ([transformed("t"), delete], "null"),
        ([transformed("t"), delete, transformed("s")], "['s']"), ([masked("a"), masked("b")], "null"),
    ])
    func transforms(_ writes: [Write], _ expected: String) throws {
        #expect(try Self.allows(writes, "request.transforms == \(expected)"))
    }

    @Test func whatMayBeWritten() throws {
        let condition = "request.writeFields.hasOnly(['name'])"
        #expect(try Self.allows([Self.masked("name")], condition))
        #expect(try !Self.allows([Self.masked("admin"), Self.masked("name")], condition))
    }
}
