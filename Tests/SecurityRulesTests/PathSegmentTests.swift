// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Testing

@testable internal import SecurityRules

/// What the emulator (1.19.9) makes of unusual segments in the paths that conditions read.
@Suite struct PathSegmentTests {
    private static func decide(_ condition: String, database: Text = "(default)") throws -> Decision {
        let source = SecurityLintRule.source("match /a/{id} { allow get: if \(condition); }")
        let rules = try #require(RuleSet.compile(source).rules, "\(condition)")
        let request = RuleRequest(
            .get([ResourcePath(segments: ["a", "1"])]), database: database, time: RuleTimestamp(.minimum))
        return rules.decide(request) { path in
            #expect(!path.segments.contains(""))
            return path.description == "c/d" ? .empty : nil
        }
    }

    @Test func emptyDatabaseIsTheDefaultOne() throws {
        let condition = "exists(/databases/$('')/documents/c/d)"
        #expect(try Self.decide(condition).isAllowed)
        let decision = try Self.decide(condition, database: "other")
        #expect(decision.message.contains("Service call error. Function: [exists]"), "\(decision.message)")
    }

    /// The ID of a collection may be empty, and then there is no document. That of a document may not.
    @Test(arguments: [
        ("$('')/d", true), ("c/d/$('')/f", true), ("$('')/a/$('')/f", true), ("c/$('')", false), ("$('')/$('')", false),
        ("c/$('')/e/f", false), ("$('')/c/d", false), ("$('')", false),
    ])
    func emptyIDs(_ path: String, isPath: Bool) throws {
        let decision = try Self.decide("exists(/databases/$(database)/documents/\(path)) == false")
        #expect(decision.isAllowed == isPath)
        #expect(isPath || decision.message.contains("Service call error. Function: [exists]"), "\(decision.message)")
    }

    /// A document that is missing is an error for `get()`.
    @Test func emptyIDsOfCollectionsAreReadOnce() throws {
        let decision = try Self.decide("get(/databases/$(database)/documents/$('')/d).data.x == 1")
        #expect(decision.outcomes.count == 2)
        #expect(decision.message.contains("evaluation error"), "\(decision.message)")
        #expect(decision.message.contains("Service call error. Function: [get]"), "\(decision.message)")
    }
}
