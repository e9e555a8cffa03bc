// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Proofs about rules with nested matches and globs say what decisions about all documents say.
@Suite struct NestedGlobProofTests {
    private static let time = Timestamp(microseconds: 1_795_000_000_000_000) ?? .minimum
    private static let documents: [ResourcePath] = {
        var paths: [[Text]] = [[]]
        var all: [ResourcePath] = []
        for length in 1...6 {
            paths = paths.flatMap { path in ["a", "b"].map { path + [$0] } }
            if length % 2 == 0 { all += paths.map { ResourcePath(segments: $0) } }
        }
        return all
    }()

    /// One to three levels with a glob in one of them, and a statement in the innermost.
    private static func nested(_ generator: inout SeededGenerator) -> String {
        let levels = generator.int(1..<4)
        let glob = generator.int(0..<levels)
        var (text, captures) = ("", [String]())
        for level in 0..<levels {
            var segments: [String] = []
            for _ in 0..<generator.int((level == glob ? 0 : 1)..<4) {
                guard generator.chance(0.5) else {
                    segments.append(generator.pick(["a", "b"]))
                    continue
                }
                captures.append("v\(captures.count)")
                segments.append("{\(captures[captures.count - 1])}")
            }
            if level == glob { segments.insert("{g=**}", at: generator.int(0..<segments.count + 1)) }
            text += "match /\(segments.joined(separator: "/")) { "
        }
        let isConditional = generator.chance(0.5) && !captures.isEmpty
        let condition = isConditional ? ": if \(generator.pick(captures)) == '\(generator.pick(["a", "b"]))'" : ""
        return text + "allow get\(condition);" + String(repeating: " }", count: levels)
    }

    private static func source(_ body: String, version: Int) -> String {
        "rules_version = '\(version)'; service cloud.firestore { match /databases/{database}/documents { \(body) } }"
    }

    private static func allows(_ source: String, _ document: ResourcePath) throws -> Bool {
        let rules = try #require(RuleSet.compile(source).rules)
        return rules.decide(RuleRequest(.get([document]), time: RuleTimestamp(time))) { _ in .empty }.isAllowed
    }

    private static func allowed(_ source: String) throws -> Set<ResourcePath> {
        Set(try documents.filter { try allows(source, $0) })
    }

    @Test func proofsAndDecisionsAgree() throws {
        var generator = SeededGenerator.printingSeed()
        var (refuted, held) = (0, 0)
        for _ in 0..<Rounds.of(3_000) {
            let body = Self.nested(&generator)
            let source = Self.source(body, version: generator.chance(0.8) ? 2 : 1)
            // A glob ends a path in version 1.
            guard RuleSet.compile(source).rules != nil, let prover = Prover(source, time: Self.time) else { continue }
            let path = generator.pick([
                "a/{x}", "{c}/b", "{c}/{x}", "a/{x}/b/{y}", "{c}/{x}/{d}/{y}", "{p=**}", "{p=**}/a/{x}", "a/{p=**}",
            ])
            let ofClaim = Self.source("match /\(path) { allow get; }", version: 2)
            let allowed = try Self.allowed(source).intersection(try Self.allowed(ofClaim))
            guard let found = prover.search(try Claim(parsing: "\(path): get never")).found else {
                held += 1
                #expect(allowed.isEmpty, "\(path): \(allowed.count) allowed: \(source)")
                continue
            }
            refuted += 1
            for rules in [source, ofClaim] {
                #expect(try Self.allows(rules, found.document), "\(path): \(found.document): \(source)")
            }
        }
        #expect(refuted > Rounds.of(200) && held > Rounds.of(200), "\(refuted) refuted, \(held) held")
    }
}
