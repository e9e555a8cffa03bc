// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `hearth rules test --suite`: test suites as Google's Rules API takes them.
@Suite struct RulesSuiteCommandTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
        try bench.write(
            "x.rules",
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                function isAdmin() {
                  return get(/databases/$(database)/documents/admins/$(request.auth.uid)).data.level >= 2;
                }
                match /posts/{id} {
                  allow get: if resource.data.owner == request.auth.uid || isAdmin();
                  allow create: if request.resource.data.keys().hasAll(['title']) && request.time.year() == 2026;
                  allow list: if request.query.limit <= 10;
                  allow update: if request.inTransaction && request.headers['x-app'] == 'mine'
                    && request['headers'].size() == 1;
                  allow delete: if exists(/databases/$(database)/documents/flags/open);
                }
              }
            }
            """)
    }

    /// Runs one test case, its members without `expectation`.
    private func state(_ expectation: String, _ members: String) throws -> String {
        try bench.write("suite.json", #"{"testCases":[{"expectation":"\#(expectation)",\#(members)}]}"#)
        let run = try bench.hearth("rules", "test", "--rules", "x.rules", "--suite", "suite.json", "--format", "json")
        let answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let state = try #require(answer?["state"] as? String, "\(run.output) \(run.errors)")
        #expect(run.code == (state == "SUCCESS" ? 0 : 1))
        return state
    }

    private static let path = #""path":"/databases/(default)/documents/posts/p""#

    @Test(arguments: [
        (#""request":{"method":"get",PATH,"auth":{"uid":"a"}},"resource":{"data":{"owner":"a"}}"#, true),
        (#""request":{"method":"get",PATH,"auth":{"uid":"b"}},"resource":{"data":{"owner":"a"}}"#, false),
        (#""request":{"method":"get",PATH},"resource":{"data":{"owner":"a"}}"#, false),
        (#""request":{"method":"create",PATH,"time":"2026-05-01T10:00:00Z","resource":{"data":{"title":"x"}}}"#, true),
        (#""request":{"method":"create",PATH,"time":"2025-05-01T10:00:00Z","resource":{"data":{"title":"x"}}}"#, false),
        (#""request":{"method":"write",PATH,"time":"2026-05-01T10:00:00Z","resource":{"data":{"title":"x"}}}"#, true),
        (#""request":{"method":"list","path":"/databases/(default)/documents/posts","query":{"limit":5}}"#, true),
        (#""request":{"method":"list",PATH,"query":{"limit":50}}"#, false),
        (#""request":{"method":"update",PATH}"#, false),
        (#""request":{"method":"update",PATH,"inTransaction":true,"headers":{"x-app":"mine"}}"#, true),
        (#""request":{"method":"update",PATH,"inTransaction":false,"headers":{"x-app":"mine"}}"#, false),
        (#""request":{"method":"update",PATH,"inTransaction":true,"headers":{"x-app":"other"}}"#, false),
        (#""request":{"method":"update",PATH,"inTransaction":true}"#, false),
    ])
    func requestsAreDecided(_ members: String, _ isAllowed: Bool) throws {
        let members = members.replacingOccurrences(of: "PATH", with: Self.path)
        #expect(try state("ALLOW", members) == (isAllowed ? "SUCCESS" : "FAILURE"))
        #expect(try state("DENY", members) == (isAllowed ? "FAILURE" : "SUCCESS"))
    }

    @Test(arguments: [
        (
            #"{"function":"get","args":[{"exactValue":"/databases/(default)/documents/admins/b"}],"result":{"value":{"data":{"level":2}}}}"#,
            true
        ),
        (
            #"{"function":"get","args":[{"exact_value":"/databases/(default)/documents/admins/b"}],"result":{"value":{"data":{"level":1}}}}"#,
            false
        ),
        (
            #"{"function":"get","args":[{"exactValue":"/databases/(default)/documents/admins/c"}],"result":{"value":{"data":{"level":2}}}}"#,
            false
        ),
        (#"{"function":"get","args":[{"anyValue":{}}],"result":{"value":{"data":{"level":2}}}}"#, true),
        (#"{"function":"get","args":[{"anyValue":{}}],"result":{"undefined":{}}}"#, false),
        (#"{"function":"exists","args":[{"anyValue":{}}],"result":{"value":true}}"#, false),
    ])
    func functionsAreMocked(_ mock: String, _ isAllowed: Bool) throws {
        let request = #""request":{"method":"get",\#(Self.path),"auth":{"uid":"b"}},"resource":{"data":{"owner":"a"}}"#
        let state = try state("ALLOW", "\(request),\"functionMocks\":[\(mock)]")
        #expect(state == (isAllowed ? "SUCCESS" : "FAILURE"))
    }

    @Test func encodedPathsAreRead() throws {
        let mock =
            #"{"function":"exists","args":[{"exactValue":"/databases/%28default%29/documents/flags/open"}],"result":{"value":true}}"#
        let request = #""request":{"method":"delete","path":"/databases/%28default%29/documents/posts/a%20b"}"#
        let all = "\(request),\"functionMocks\":[\(mock)]"
        #expect(try state("ALLOW", "\(all),\"pathEncoding\":\"URL_ENCODED\"") == "SUCCESS")
        // Plain paths are taken as they are.
        let other = all.replacingOccurrences(
            of: "\"path\":\"/databases/%28default%29", with: "\"path\":\"/databases/(default)")
        #expect(try state("DENY", other) == "SUCCESS")
    }

    /// The body of a request as the API takes it brings its rules along.
    @Test func bodiesBringTheirRules() throws {
        let rules = "service cloud.firestore { match /databases/{d}/documents/a/{b} { allow get; } }"
        let request = #"{"method":"get","path":"/databases/(default)/documents/a/x"}"#
        func body(_ rules: String) -> String {
            #"""
            {"source":{"files":[{"name":"firestore.rules","content":"\#(rules)"}]},"testSuite":{"testCases":[
              {"expectation":"ALLOW","request":\#(request)},{"expectation":"DENY","request":\#(request)}]}}
            """#
        }
        try bench.write("body.json", body(rules))
        let run = try bench.hearth("rules", "test", "--suite", "body.json")
        #expect(run.code == 1)
        #expect(run.output == "testCases[1]: FAIL: allowed, expected DENY\n1 passed, 1 failed\n")
        try bench.write("broken.json", body("service {"))
        let broken = try bench.hearth("rules", "test", "--suite", "broken.json")
        #expect(broken.code == 2)
        #expect(broken.errors.contains("do not compile"))
    }

    @Test(arguments: [
        ("nothing", "is no JSON"), ("[]", "the suite is no object"), ("{}", "no list \"testCases\""),
        (#"{"testCases":{}}"#, "no list"), (#"{"testCases":[1]}"#, "testCases[0] is no object"),
        (#"{"testCases":[{}]}"#, "has no text \"expectation\""),
        (#"{"testCases":[{"expectaton":"ALLOW"}]}"#, "has no member \"expectaton\""),
        (#"{"testCases":[{"expectation":"MAYBE"}]}"#, "ALLOW or DENY"),
        (#"{"testCases":[{"expectation":"ALLOW"}]}"#, "an object with \"path\" and \"method\""),
        (
            #"{"testCases":[{"expectation":"ALLOW","request":{"path":"/a","method":"get"}}]}"#,
            "must begin with /databases"
        ),
        (
            #"{"testCases":[{"expectation":"ALLOW","request":{"path":"/databases/d/documents","method":"get"}}]}"#,
            "no path of a document"
        ),
        (#"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"fly"}}]}"#, "not \"fly\""),
        (#"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"get","time":"noon"}}]}"#, "is no time"),
        (
            #"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"get","inTransaction":1}}]}"#,
            "inTransaction is true or false"
        ),
        (
            #"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"get","auht":null}}]}"#,
            "request has no member \"auht\""
        ),
        (
            #"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"get"},"functionMocks":[{"function":"f"}]}]}"#,
            "not \"f\""
        ),
        (
            #"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"get"},"functionMocks":[{"function":"get"}]}]}"#,
            "no \"result\""
        ),
        (#"{"testCases":[{"expectation":"ALLOW","request":{PATH,"method":"get"},"functionMocks":{}}]}"#, "is no list"),
        (#"{"testCases":[],"source":{}}"#, "a list of one file"),
    ])
    func wrongSuitesAreErrors(_ suite: String, _ reason: String) throws {
        try bench.write("suite.json", suite.replacingOccurrences(of: "PATH", with: Self.path))
        let run = try bench.hearth("rules", "test", "--rules", "x.rules", "--suite", "suite.json")
        #expect(run.code == 2)
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test func oneFileIsNamed() throws {
        try bench.write("suite.json", #"{"testCases":[]}"#)
        #expect(try bench.hearth("rules", "test", "--rules", "x.rules").code == 64)
        #expect(try bench.hearth("rules", "test", "--suite", "suite.json", "--cases", "c").code == 64)
        #expect(try bench.hearth("rules", "test", "--suite", "suite.json", "--fixtures", "f").code == 64)
        #expect(try bench.hearth("rules", "test", "--suite", "suite.json").code == 2)
        #expect(try bench.hearth("rules", "test", "--suite", "missing.json").code == 2)
        let empty = try bench.hearth("rules", "test", "--rules", "x.rules", "--suite", "suite.json")
        #expect(empty.output == "0 passed, 0 failed\n")
    }
}
