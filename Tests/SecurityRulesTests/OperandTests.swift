// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// What the emulator (1.19.9) evaluates although something has failed: every operand, in its order. It matters where the
/// rest exceeds a limit, and where it reads.
@Suite struct OperandTests {
    private static func decide(_ condition: String, _ functions: String = "") throws -> Decision {
        let source = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                \(functions)
                match /a/{id} { allow list: if \(condition); }
              }
            }
            """
        let rules = try #require(RuleSet.compile(source).rules, "\(condition)")
        let query = Query(from: CollectionSelector(collectionID: "a"))
        return rules.decide(RuleRequest(.list(query), time: RuleTimestamp(RecordedRulesTests.time))) { _ in nil }
    }

    /// `g9()` needs more expressions than a request may have, and `missing` always fails.
    @Test(arguments: [
        "missing == g9()", "1 + 'a' == g9()", "missing[g9()] == 1", "1[g9()] == 1", "[1][missing] == g9()",
        "[missing, g9()] == 1", "{'a': missing, 'b': g9()} == 1", "{request.time: g9()} == 1",
        "missing.size(g9()) == 1",
        "math.pow(missing, g9()) == 1", "nope(g9())", "g9() in missing", "1[1:g9()] == 1", "[1][missing:g9()] == 1",
        "missing.foo(g9())", "request.time.foo(g9())", "request.time.lower(g9())", "null.lower(g9())",
        "'abc'.matches(missing, g9())", "/a/$(missing)/$(g9()) == 1", "f(g9())", "get(missing, g9()) == 1",
    ])
    func operandsAfterAnErrorCount(_ condition: String) throws {
        let doubling = (1...9).map { "function g\($0)() { return g\($0 - 1)() + g\($0 - 1)(); }" }
        let functions =
            "function f(x, y) { return x == 1; } function g0() { return 1 + 1; } " + doubling.joined(separator: " ")
        let whole = condition.replacing("missing", with: "resource.data.m.x")
        let decision = try Self.decide("(\(whole)) || true", functions)
        #expect(!decision.isAllowed)
        #expect(decision.message.contains("the maximum of 1000 expressions"), "\(decision.message)")
        // Without the operand there is nothing to exceed.
        #expect(try Self.decide("(\(whole.replacing("g9()", with: "1"))) || true", functions).isAllowed)
    }

    /// What would have been read after an error is reason enough to read, and to say everything twice.
    @Test(arguments: [
        "m.x == get", "m.x + get", "m.x in [get]", "[m.x, get].size() == 1", "m.x[get] == 1", "m.x.foo(get)",
    ])
    func whatReadsAfterAnErrorIsMissed(_ condition: String) throws {
        let whole = condition.replacing("m.x", with: "resource.data.m.x")
            .replacing("get", with: "get(/databases/$(database)/documents/a/1).data.n")
        #expect(try Self.decide(whole).outcomes.count == 2)
        #expect(try Self.decide(whole.replacing("get(", with: "int(")).outcomes.count == 1)
    }

    /// A document that a read is about, and that is missing, is null; any other is an error.
    @Test(arguments: ["get", "getAfter"]) func ownMissingDocumentIsNull(_ function: String) throws {
        let condition = "\(function)(/databases/$(database)/documents/a/2) == null"
        let source = SecurityLintRule.source("match /a/{id} { allow get: if \(condition); }")
        let rules = try #require(RuleSet.compile(source).rules)
        for (id, isAllowed) in [("2", true), ("1", false)] {
            let request = RuleRequest(
                .get([ResourcePath(segments: ["a", Text(id)])]), time: RuleTimestamp(RecordedRulesTests.time))
            #expect(rules.decide(request) { _ in nil }.isAllowed == isAllowed)
        }
    }

    /// Measured on the emulator: milliseconds are limited to what nanoseconds can count, other units to 10,000 years.
    @Test(arguments: [
        ("9223372036854, 'ms'", true), ("9223372036855, 'ms'", false), ("-9223372036855, 'ms'", false),
        ("9223372036854775807, 'ns'", true), ("315576000000, 's'", true), ("315576000001, 's'", false),
    ])
    func rangesOfDurations(_ arguments: String, isValid: Bool) throws {
        let source = SecurityLintRule.source(
            "match /a/{id} { allow get: if duration.value(\(arguments)).seconds() != 0; }")
        let gate = AccessGate(try #require(RuleSet.compile(source).rules), auth: .null, database: "(default)")
        let decision = gate.decide(get: [ResourcePath(segments: ["a", "1"])], at: RecordedRulesTests.time) {
            (_) throws(Never) -> Fields? in nil
        }
        #expect(decision.isAllowed == isValid)
        #expect(isValid || decision.message.contains("Duration is not valid."))
    }

    /// A write with a transform is known only with what is stored, even if the transform is that of a time.
    @Test func transformsAreUnknownAtFirst() throws {
        let source = SecurityLintRule.source("match /a/{id} { allow create: if request.resource.data.n >= 1; }")
        let gate = AccessGate(try #require(RuleSet.compile(source).rules), auth: .null, database: "(default)")
        let path = try #require(DocumentPath(ResourcePath(segments: ["a", "1"])) as DocumentPath?)
        for (transforms, first) in [
            ([], "Unsupported"), ([FieldTransform(FieldPath(name: "t"), .serverTimestamp)], "evaluation error"),
        ] {
            let write = Write(
                path, .update(Fields(sorting: [Field("n", .null)]), mask: nil, transforms: transforms),
                precondition: .exists(false))
            let decision = gate.decide(commit: [write], at: RecordedRulesTests.time) {
                (_) throws(Never) -> Fields? in nil
            }
            #expect(decision.message.hasPrefix("\n\(first)"), "\(decision.message)")
        }
    }
}
