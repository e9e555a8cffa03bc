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

                1 file checked: 2 warnings

                """)
        #expect(try bench.hearth("rules", "check", "--strict", "good.rules").code == 1)
        #expect(try bench.hearth("rules", "check", "none.rules").code == 2)
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

    static let cases = """
        {"id":"own","documents":{"users/a":{}},"request":{"method":"get","path":"users/a","auth":{"uid":"a"}},\
        "expect":{"allow":true,"status":"OK"}}
        {"id":"other","documents":{},"request":{"method":"get","path":"users/a","auth":{"uid":"b"}},\
        "expect":{"allow":false,"status":"PERMISSION_DENIED"}}
        {"id":"wrong","documents":{},"request":{"method":"set","path":"users/a","auth":{"uid":"a"},"data":{}},\
        "expect":{"allow":true,"status":"OK"}}

        """

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
