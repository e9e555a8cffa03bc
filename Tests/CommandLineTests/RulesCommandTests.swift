// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct RulesCommandTests {
    let bench: Workbench

    static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            function unused() { return true; }
            match /users/{uid} {
              allow read: if request.auth.uid == uid;
              allow write: if request.auth.uid == user;
            }
          }
        }

        """

    init() throws {
        bench = try Workbench()
        try bench.write("good.rules", Self.rules)
        try bench.write("bad.rules", Self.rules.replacingOccurrences(of: "== user;", with: "== ;"))
    }

    @Test func checkForPeople() throws {
        let run = try bench.hearth("rules", "check", "good.rules")
        #expect(run.code == 0)
        #expect(
            run.output == """
                good.rules:4:14: warning: Unused function: unused. [official-unused-function]
                  4 │     function unused() { return true; }
                    │              ^
                good.rules:7:43: warning: Invalid variable name: user. [official-unknown-variable]
                  7 │       allow write: if request.auth.uid == user;
                    │                                           ^
                good.rules:6:22: note: request.auth is null for callers who are not signed in, which is an error here: \
                write request.auth != null && … first, here and in 1 more statement [auth-not-checked]
                  6 │       allow read: if request.auth.uid == uid;
                    │                      ^
                good.rules:6:42: note: a query does not know the IDs of its documents, so that this denies every query but \
                those by documentId(): write get if no query is meant [read-without-list]
                  6 │       allow read: if request.auth.uid == uid;
                    │                                          ^
                good.rules:7:13: note: create and update may have any fields: add \
                request.resource.data.keys().hasOnly([…]), in an update on the affectedKeys() of diff() [any-field]
                  7 │       allow write: if request.auth.uid == user;
                    │             ^

                1 file checked: 2 warnings, 3 notes
                Why, and what to do:
                  hearth rules check --explain auth-not-checked
                  hearth rules check --explain read-without-list
                  hearth rules check --explain any-field

                """)
        #expect(try bench.hearth("rules", "check", "--strict", "good.rules").code == 1)
        #expect(try bench.hearth("rules", "check", "none.rules").code == 2)
    }

    /// The error has no place.
    @Test(arguments: ["text", "json", "github", "sarif"]) func emptyFiles(_ format: String) throws {
        try bench.write("empty.rules", "")
        let run = try bench.hearth("rules", "check", "empty.rules", "--format", format)
        #expect(run.code == 1)
        #expect(run.output.contains("Rules content empty. Compilation aborted."))
    }

    @Test func checkForMachines() throws {
        let run = try bench.hearth("rules", "check", "--format", "json", "bad.rules")
        #expect(run.code == 1)
        #expect(
            run.output == """
                {"file":"bad.rules","line":7,"column":43,"rule":"syntax","severity":"error","message":"mismatched input ';' \
                expecting {'--', '++', '{', '[', '(', '-', '!', '/', 'false', 'null', 'true', PATH_SEGMENT, IDENTIFIER, \
                NUM_INT, NUM_FLOAT, UNPAIRED_DOUBLE_QUOTE, UNPAIRED_SINGLE_QUOTE, STRING, BYTES}"}

                """)
        let annotations = try bench.hearth("rules", "check", "--format", "github", "-", input: Self.rules)
        #expect(annotations.output.hasPrefix("::warning file=<stdin>,line=4,col=14,title=official-unused-function::"))
    }

    @Test func lintSettings() throws {
        let off = ["auth-not-checked", "read-without-list"].flatMap { ["--rule", "\($0)=off"] }
        let run = try bench.hearth(
            arguments: ["rules", "check", "good.rules", "--format", "json", "--rule", "any-field=error"] + off)
        #expect(run.code == 1)
        #expect(run.output.split(separator: "\n").count == 3)
        #expect(run.output.contains(#""rule":"any-field","severity":"error""#))
        let sarif = try bench.hearth("rules", "check", "good.rules", "--format", "sarif")
        #expect(sarif.output.contains("hearth rules check --explain any-field"))
        #expect(try bench.hearth("rules", "check", "--explain", "unsound-list").output.contains("Wrong:\n  match"))
        #expect(try bench.hearth("rules", "check", "--explain", "nothing").code == 64)
        #expect(try bench.hearth("rules", "check").code == 64)
    }

    @Test func fixes() throws {
        try bench.write(
            "fix.rules", Self.rules.replacingOccurrences(of: "request.auth.uid", with: "request.auth.userId"))
        let run = try bench.hearth("rules", "check", "fix.rules", "--fix")
        #expect(run.errors == "hearth: \"fix.rules\": 2 places fixed\n")
        #expect(String(decoding: try bench.contents("fix.rules"), as: UTF8.self) == Self.rules)
    }

    @Test func canonicalForm() throws {
        try bench.write(
            "good.rules", Self.rules.replacingOccurrences(of: "{ return true; }", with: "{ return true } // one"))
        #expect(try bench.hearth("rules", "fmt", "good.rules", "--check").code == 1)
        let run = try bench.hearth("rules", "fmt", "good.rules")
        #expect(run.output.contains("    function unused() {\n      return true;\n    } // one\n"))
        #expect(try bench.hearth("rules", "fmt", "good.rules", "--write").code == 0)
        #expect(String(decoding: try bench.contents("good.rules"), as: UTF8.self) == run.output)
        #expect(try bench.hearth("rules", "fmt", "good.rules", "--check").code == 0)
        #expect(try bench.hearth("rules", "fmt", "bad.rules").code == 2)
        #expect(try bench.hearth("rules", "fmt", "-", "--write").code == 64)
    }

    static let cases = """
        {"id":"own","documents":{"users/a":{}},"request":{"method":"get","path":"users/a","auth":{"uid":"a"}},\
        "expect":{"allow":true,"status":"OK"}}
        {"id":"other","documents":{},"request":{"method":"get","path":"users/a","auth":{"uid":"b"}},\
        "expect":{"allow":false,"status":"PERMISSION_DENIED"}}
        {"id":"wrong","documents":{},"request":{"method":"set","path":"users/a","auth":{"uid":"a"},"data":{}},\
        "expect":{"allow":true,"status":"OK"}}

        """

    /// As the official tool, which deploys what `firebase.json` names.
    @Test func withoutFilesTheProjectsRulesAreChecked() throws {
        let nothing = try bench.hearth("rules", "check")
        #expect(nothing.code == 64)
        #expect(nothing.errors.contains("no firestore.rules is here"))
        try bench.write("firestore.rules", "no rules")
        #expect(try bench.hearth("rules", "check").output.hasPrefix("firestore.rules:1:1: error"))
        try bench.write("a.rules", "rules_version = '2'; service cloud.firestore { match /a/{b} { allow read; } }")
        try bench.write("firebase.json", #"{"firestore":{"rules":"a.rules"}}"#)
        #expect(try bench.hearth("rules", "check").code == 0)
    }

    @Test func explainRefusesWhatIsNoRequest() throws {
        try bench.write("a.rules", "rules_version = '2'; service cloud.firestore { match /a/{b} { allow read; } }")
        for request in [
            "{", "{}", "[]", "3", #"{"method":"list","path":"a"}"#, #"{"method":"get"}"#,
            #"{"method":"fly","path":"a/b"}"#, #"{"method":"get","path":"/databases/(default)/documents/a/b"}"#,
        ] {
            let run = try bench.hearth("rules", "explain", "a.rules", "--request", request)
            #expect(run.code == 64, "\(request): \(run.errors)")
        }
    }

    /// An error has the text that it is about, which a document may make long.
    @Test(arguments: [("text", 100_000), ("json", 300_000)])
    func explainCutsMessages(_ format: String, _ most: Int) throws {
        try bench.write(
            "a.rules",
            "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /a/{b} { "
                + "allow read: if int(resource.data.s) == 1; } } }")
        let text = String(repeating: "x", count: 100_000)
        let request = #"{"method":"get","auth":null,"path":"a/b","documents":{"a/b":{"s":{"stringValue":"\#(text)"}}}}"#
        let run = try bench.hearth("rules", "explain", "a.rules", "--format", format, "--request", request)
        #expect(run.code == 1 && run.output.contains("Type conversion error. Argument: [x"), "\(run.errors)")
        #expect(run.output.contains("x…") && run.output.utf8.count < most, "\(run.output.utf8.count)")
    }

    /// The official compiler takes them, and they deny every request.
    @Test func rulesOfOtherServicesAreRefusedByName() throws {
        let storage = "rules_version = '2'; service firebase.storage { match /b/{bucket}/o { allow read; } }"
        try bench.write("storage.rules", storage)
        let run = try bench.hearth("rules", "check", "storage.rules")
        #expect(run.code == 1)
        #expect(
            run.output.hasPrefix(
                "storage.rules:1:30: error: These are rules of firebase.storage: Firestore's begin with service cloud.firestore. "
                    + "[other-service]"), "\(run.output)")
        try bench.write("queries.txt", "db.collection('a')")
        for arguments in [
            ["rules", "explain", "storage.rules", "--request", #"{"method":"get","path":"a/b"}"#],
            ["check", "--rules", "storage.rules", "--queries", "queries.txt"],
            ["serve", "--port", "0", "--rules", "storage.rules"],
        ] {
            let run = try bench.hearth(arguments: arguments)
            #expect(run.code == 2, "\(arguments)")
            #expect(run.errors.contains("These are rules of firebase.storage"), "\(run.errors)")
        }
        try bench.write("both.rules", Self.rules + "service firebase.storage { match /b/{bucket}/o { allow read; } }")
        #expect(try bench.hearth("rules", "check", "both.rules").code == 0)
    }

    @Test func testForPeople() throws {
        try bench.write("cases.ndjson", Self.cases)
        let run = try bench.hearth("rules", "test", "--rules", "good.rules", "--cases", "cases.ndjson")
        #expect(run.code == 1)
        #expect(
            run.output == """
                wrong: FAIL: denied (PERMISSION_DENIED), expected allowed (OK): Null value error. for 'create' @ L7, Null \
                value error. for 'update' @ L7, Null value error. for 'create' @ L7
                2 passed, 1 failed

                """)
        #expect(try bench.hearth("rules", "test", "--rules", "bad.rules", "--cases", "cases.ndjson").code == 2)
        #expect(try bench.hearth("rules", "test", "--cases", "cases.ndjson").code == 2)
    }

    /// Each would be denied whatever the rules say, and a test that expects that would pass.
    @Test(arguments: [
        (#"{"method":"wirte","path":"c/d"}"#, "\"method\" of get"), (#"{"path":"c/d"}"#, "\"method\" of get"),
        (#"{"method":"get","path":"c"}"#, "no document's"), (#"{"method":"get"}"#, "no \"path\""),
        (#"{"method":"list","path":"c"}"#, "names no collection"),
        (#"{"method":"commit","writes":[{"remove":"c/d"}]}"#, "none of set, merge"),
        (#"{"method":"get","path":"c/d","auth":"alice"}"#, "\"auth\" is null"),
    ]) func casesThatAskNothingAreRefused(_ request: String, _ reason: String) throws {
        try bench.write("cases.ndjson", #"{"id":"a","request":\#(request),"expect":{"allow":false}}"#)
        let run = try bench.hearth("rules", "test", "--rules", "good.rules", "--cases", "cases.ndjson")
        #expect(run.code == 2 && run.errors.contains("cases.ndjson:1: "), "\(run.errors)")
        #expect(run.errors.contains(reason), "\(run.errors)")
    }

    @Test func casesThatExpectNothingAreRefused() throws {
        for expected in ["{\"alow\":true}", "{\"allow\":\"yes\"}"] {
            try bench.write(
                "cases.ndjson", #"{"request":{"method":"get","path":"c/d"},"expect":\#(expected)}"#)
            let run = try bench.hearth("rules", "test", "--rules", "good.rules", "--cases", "cases.ndjson")
            #expect(run.code == 2 && run.errors.contains("\"allow\""), "\(run.errors)")
        }
        try bench.write(
            "cases.ndjson",
            #"{"request":{"method":"get","path":"c/d","auht":{"uid":"a"}},"expect":{"allow":false}}"#)
        let run = try bench.hearth("rules", "test", "--rules", "good.rules", "--cases", "cases.ndjson")
        #expect(
            run.errors == "hearth: warning: cases.ndjson:1: nothing reads \"auht\" of the request\n" && run.code == 0)
    }

    /// Without a request there is nothing that the rules could allow.
    @Test func casesWithoutRequestAllowNothing() throws {
        try bench.write(
            "cases.ndjson", #"{"id":"x","reqest":{"method":"get","path":"a/1"},"expect":{"allow":true}}"#)
        let run = try bench.hearth("rules", "test", "--rules", "good.rules", "--cases", "cases.ndjson")
        #expect(run.code == 2 && run.errors.contains("has no \"request\""), "\(run)")
    }

    /// A misspelt `expect` passed whatever the rules said.
    @Test func casesThatCompareNothingAreCountedApart() throws {
        try bench.write(
            "cases.ndjson",
            Self.cases.replacing(#""expect":{"allow":true,"status":"OK"}"#, with: #""expct":{"allow":true}"#))
        let run = try bench.hearth("rules", "test", "--rules", "good.rules", "--cases", "cases.ndjson")
        #expect(run.code == 0)
        #expect(run.lines.suffix(2) == ["2 not compared, as nothing is in \"expect\"", "1 passed, 0 failed"])
        let warning = "hearth: warning: cases.ndjson"
        #expect(
            run.errors
                == "\(warning):1: nothing reads \"expct\" of the case\n\(warning):3: nothing reads \"expct\" of the case\n"
        )
    }

    @Test func testForMachines() throws {
        try bench.write("cases.ndjson", #"{"id":"x","expr":"1 == 'a'","request":{"method":"get","path":"c/d"}}"#)
        let run = try bench.hearth("rules", "test", "--cases", "cases.ndjson", "--format", "json")
        #expect(run.code == 0)
        #expect(
            run.output == #"""
                {"id":"x","allow":false,"status":"PERMISSION_DENIED","message":"\nfalse for 'get' @ L5","issues":[["WARNING",5,\#
                23,"The sub-expressions are not comparable, so this comparison will always return false."]],"verdict":"false"}

                """#)
    }
}
