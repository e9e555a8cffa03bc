// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import TestSupport
    import Testing

    /// The files of security rules that `serve` takes.
    @Suite struct ServeRulesTests {
        let bench: Workbench
        private static let path = "/v1/projects/p/databases/(default)/documents/c/d"

        init() throws {
            bench = try Workbench()
        }

        private static func rules(_ condition: String) -> String {
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /c/{id} { allow write: if \(condition); }
              }
            }
            """
        }

        /// The file is watched; one that does not compile leaves the last good one in force.
        @Test func fileChanges() async throws {
            try bench.write("firestore.rules", Self.rules("true"))
            let server = try ServeProcess(bench, "--port", "0", "--rules", "firestore.rules")
            #expect(server.announcement.contains("Rules: firestore.rules\n"))
            #expect(try await server.send("PATCH", Self.path, "{}").status == 200)
            #expect(try await server.send("GET", Self.path).status == 403)
            try bench.write("firestore.rules", Self.rules("true &&"))
            try await wait(for: "the message") { server.errors.contains("the last good rules remain in force\n") }
            #expect(server.errors.hasPrefix("hearth: firestore.rules:4:44: mismatched input"), "\(server.errors)")
            #expect(try await server.send("PATCH", Self.path, "{}").status == 200)
            try bench.write("firestore.rules", Self.rules("false"))
            try await wait(for: "the file") { server.errors.contains("hearth: the rules were read again\n") }
            #expect(try await server.send("PATCH", Self.path, "{}").status == 403)
            #expect(try server.stop().code == 0)
        }

        @Test func brokenFileAtStart() throws {
            try bench.write("firestore.rules", Self.rules("true &&"))
            let run = try bench.hearth("serve", "--port", "0", "--rules", "firestore.rules")
            #expect(run.code == 2)
            #expect(run.errors.hasPrefix("hearth: firestore.rules:4:44: mismatched input"), "\(run.errors)")
            #expect(run.output == "")
            #expect(try bench.hearth("serve", "--port", "0", "--rules", "none.rules").code == 2)
        }

        @Test func severalErrors() throws {
            let rules = Self.rules("f()").replacing(
                "match /c/{id}",
                with: "function f() { return true; }\n    function f() { return true; }\n    "
                    + "function f() { return true; }\n    match /c/{id}")
            try bench.write("firestore.rules", rules)
            let run = try bench.hearth("serve", "--port", "0", "--rules", "firestore.rules")
            #expect(run.code == 2)
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == 2, "\(run.errors)")
            for line in lines {
                #expect(line.hasPrefix("hearth: firestore.rules:") && !line.contains("\\n"), "\(line)")
            }
        }

        /// What the emulator (1.19.9) answers after the same requests, but for the places of values among others.
        @Test func coverage() async throws {
            let route = "/emulator/v1/projects/p:ruleCoverage"
            try bench.write("firestore.rules", Self.rules("1 == 1 && id == 'd'"))
            let server = try ServeProcess(bench, "--port", "0", "--rules", "firestore.rules")
            #expect(try await server.send("PATCH", Self.path, "{}").status == 200)
            #expect(try await server.send("PATCH", Self.path + "2", "{}").status == 403)
            let answer = try JSONSerialization.jsonObject(with: Data(try await server.send("GET", route).text.utf8))
            let report = try #require((answer as? [String: Any])?["report"] as? [[String: Any]])
            #expect(report.count == 1)
            let place = report[0]["sourcePosition"] as? [String: Int]
            #expect(place == ["line": 4, "column": 37, "currentOffset": 125, "endOffset": 143])
            let values = try #require(report[0]["values"] as? [[String: Any]])
            #expect(values.contains { ($0["value"] as? [String: Bool]) == ["boolValue": true] })
            #expect(values.contains { ($0["value"] as? [String: Bool]) == ["boolValue": false] })
            let page = try await server.send("GET", route + ".html")
            #expect(page.status == 200 && page.text.contains("<span class=\"both\""))
            // New rules begin anew.
            try bench.write("firestore.rules", Self.rules("true"))
            try await wait(for: "the file") { server.errors.contains("the rules were read again") }
            #expect(try await server.send("GET", route).text.contains("boolValue") == false)
        }

        @Test func coverageWithoutRules() async throws {
            let server = try ServeProcess(bench, "--port", "0", "--ephemeral")
            for route in ["ruleCoverage", "ruleCoverage.html"] {
                let answer = try await server.send("GET", "/emulator/v1/projects/p:" + route)
                #expect(answer.status == 400 && answer.text.contains("The database has no rules"))
            }
        }

        @Test func filesOfFirebase() async throws {
            try bench.write(
                "firebase.json",
                #"{"firestore":[{"rules":"a.rules"},{"database":"other","rules":"b.rules"}]}"#)
            try bench.write("a.rules", Self.rules("true"))
            try bench.write("b.rules", Self.rules("false"))
            let server = try ServeProcess(bench, "--port", "0")
            #expect(try await server.send("PATCH", Self.path, "{}").status == 200)
            let other = Self.path.replacing("(default)", with: "other")
            #expect(try await server.send("PATCH", other, "{}").status == 403)
            let third = Self.path.replacing("(default)", with: "third")
            #expect(try await server.send("PATCH", third, "{}").status == 200)
        }
    }
#endif
