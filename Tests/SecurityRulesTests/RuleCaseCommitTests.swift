// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import Testing

@testable internal import SecurityRules

/// Commits of test cases that the server refuses, with its answers. `a/1` is stored as `{"n":1}`.
@Suite struct RuleCaseCommitTests {
    private static func answer(_ writes: String, ifAllowed isAllowed: Bool = true) throws -> RuleCaseAnswer {
        let source = SecurityLintRule.source("match /{path=**} { allow read, write: if \(isAllowed); }")
        let request = #"{"method":"commit","writes":[\#(writes)]}"#
        let node = JSONNode.object([
            "id": .string("x"), "rules": .string(source),
            "documents": try JSONParser.parse(Array(#"{"a/1":{"n":{"integerValue":"1"}}}"#.utf8)),
            "request": try JSONParser.parse(Array(request.utf8)),
        ])
        return try RuleCaseRunner(time: RecordedRulesTests.time).run(try RuleCase(node, fixtures: nil))
    }

    private static let (set, delete) = (#"{"set":"a/1","data":{"n":{"integerValue":"2"}}"#, #"{"delete":"a/1""#)
    private static let same = #"{"set":"a/1","data":{"n":{"integerValue":"1"}}"#
    private static let create = #"{"create":"a/2","data":{}}"#
    private static let exists = #""currentDocument":{"exists":true}}"#
    private static let missing = #""currentDocument":{"exists":false}}"#
    private static let version = #""currentDocument":{"updateTime":"2024-01-01T00:00:00Z"}}"#

    /// Before rules are asked, whatever they say.
    @Test(arguments: [
        ("\(delete)},\(set),\(exists)", "Cannot delete then update an entity in the same request."),
        ("\(delete)},\(delete),\(exists)", "Cannot delete then delete an entity in the same request."),
        ("\(delete)},\(set),\(version)", "Cannot delete then update an entity in the same request."),
        ("\(set)},\(set),\(missing)", "Cannot upsert then insert an entity in the same request."),
        ("\(set),\(exists),\(delete),\(missing)", "Cannot update then delete an entity in the same request."),
        ("\(create),\(create)", "Cannot insert then insert an entity in the same request."),
        (#"{"set":"a/1","data":{"__x__":{"nullValue":null}}}"#, "field name __x__ is reserved"),
        (#"{"set":"a/__x__","data":{}}"#, #"Resource id "__x__" is invalid because it is reserved."#),
        (
            #"{"merge":"a/1","data":{},"transforms":[{"fieldPath":"t","increment":{"stringValue":"1"}}]}"#,
            "Input must be a number."
        ),
        (
            #"{"merge":"a/1","data":{},"transforms":[{"fieldPath":"t","increment":{"integerValue":"1"}},{"fieldPath":"t.u","increment":{"integerValue":"1"}}]}"#,
            "Cannot transform property t and its nested property at the same time."
        ),
    ])
    func refusedBeforeTheRules(_ writes: String, _ message: String) throws {
        for isAllowed in [true, false] {
            let answer = try Self.answer(writes, ifAllowed: isAllowed)
            #expect(answer.status == .invalidArgument)
            #expect(answer.message == message)
            #expect(!answer.isAllowed)
        }
    }

    private static let union =
        #"{"merge":"a/1","data":{},"transforms":[{"fieldPath":"t","appendMissingElements":{"values":[{"arrayValue":{}}]}}]}"#

    /// What depends on what is stored comes after the rules.
    @Test(arguments: [
        ("\(set)},\(set),\(version)", RuleCaseAnswer.Status.failedPrecondition),
        ("\(set)},\(delete),\(version)", .failedPrecondition),
        (#"{"set":"a/2","data":{},\#(version)"#, .failedPrecondition), (union, .invalidArgument),
        ("\(set),\(missing)", .alreadyExists), (#"{"update":"a/2","data":{}}"#, .notFound),
        (#"{"verify":"a/2",\#(exists)"#, .notFound),
    ])
    func refusedAfterTheRules(_ writes: String, _ status: RuleCaseAnswer.Status) throws {
        let answer = try Self.answer(writes)
        #expect(answer.status == status)
        #expect(!answer.isAllowed)
        #expect(try Self.answer(writes, ifAllowed: false).status == .permissionDenied)
    }

    @Test(arguments: [
        "\(set),\(version)", "\(same)},\(set),\(version)", "\(delete)},\(set),\(missing)",
        "\(set),\(exists),\(delete),\(exists)", #"\#(create),{"update":"a/2","data":{}}"#,
        #"{"verify":"a/1",\#(exists)"#,
    ])
    func allowed(_ writes: String) throws {
        #expect(try Self.answer(writes).status == .ok)
    }

    @Test(arguments: [#"{"delete":"a"}"#, #"{"delete":""}"#, #"{"delete":"a/1","precondition":{"updateTime":"soon"}}"#])
    func malformed(_ write: String) {
        #expect(throws: DocumentFormError.self) { try Self.answer(write) }
    }
}
