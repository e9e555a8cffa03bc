// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import JSONText
    import Testing

    /// What requests evaluated of the rules, beside the answer of the official emulator 1.19.9 to the same requests.
    @Suite struct RuleCoverageTests {
        private static let rules = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                function owns(uid) {
                  let caller = request.auth.uid;
                  return caller == uid;
                }
                match /posts/{id} {
                  allow get: if owns(resource.data.owner) && resource.data.n > 3;
                  allow list: if request.query.limit <= 10;
                  allow write: if request.resource.data.n in [1, 2] || exists(/databases/$(database)/documents/posts/$(id));
                }
              }
            }

            """

        /// Line and column, last byte, then each value with its count, sorted. The emulator lists `request` alone, too.
        private static let recorded = """
            5:7-176 boolValue false ×1; boolValue true ×1; undefined ×3; undefined Null value error. 9:26 ×1
              5:20-148 stringValue "ann" ×6
                5:20-144 mapValue ×6
              6:14-176 boolValue false ×1; boolValue true ×1; undefined ×3; undefined Null value error. 9:26 ×1
                6:14-169 stringValue "ann" ×6
                6:24-176 stringValue "ann" ×1; stringValue "bob" ×1; undefined ×3; undefined Null value error. 9:26 ×1
            9:21-276 boolValue false ×1; boolValue true ×1; undefined ×3; undefined Null value error. 9:26 ×1
              9:21-252 boolValue false ×1; boolValue true ×1; undefined ×3; undefined Null value error. 9:26 ×1
                9:26-252 stringValue "ann" ×1; stringValue "bob" ×1; undefined ×3; undefined Null value error. 9:26 ×1
                  9:26-246 mapValue ×2; undefined ×3; undefined Null value error. 9:26 ×1
                    9:26-241 mapValue ×2; nullValue ×1; undefined ×3
              9:50-276 boolValue true ×1; nothing ×1; undefined ×3; undefined Null value error. 9:50 ×1
                9:50-272 intValue "5" ×1; nothing ×1; undefined ×3; undefined Null value error. 9:50 ×1
                  9:50-270 mapValue ×1; nothing ×1; undefined ×3; undefined Null value error. 9:50 ×1
                    9:50-265 mapValue ×1; nothing ×1; nullValue ×1; undefined ×3
            10:22-324 boolValue false ×1; boolValue true ×1
              10:22-318 intValue "5" ×1; intValue "50" ×1
                10:22-312 mapValue ×2
            11:23-435 boolValue false ×1; boolValue true ×2; undefined ×2
              11:23-380 boolValue false ×3; boolValue true ×2
                11:50-380 listValue ×5
                11:23-371 intValue "2" ×2; intValue "7" ×3
                  11:23-369 mapValue ×5
                    11:23-364 mapValue ×5
              11:60-435 boolValue false ×1; nothing ×2; undefined ×2
                11:67-435 nothing ×2; pathValue ×3
                  11:80-413 nothing ×2; stringValue "(default)" ×3
                  11:108-435 nothing ×2; stringValue "n" ×3
            """

        private let server: TestServer
        /// Anyone called ann.
        private let ann = [("authorization", "Bearer e30.eyJzdWIiOiJhbm4ifQ.")]

        init() async throws {
            server = try TestServer()
            for (id, owner, n) in [("a", "ann", 5), ("b", "bob", 1)] { try await write(id, owner, n, []) }
        }

        private func write(_ id: String, _ owner: String, _ n: Int, _ headers: [(String, String)]) async throws {
            _ = try await server.http(
                "PATCH", "/v1/\(Names.root)/posts/\(id)",
                #"{"fields":{"owner":{"stringValue":"\#(owner)"},"n":{"integerValue":"\#(n)"}}}"#, headers: headers)
        }

        private func setRules() async throws {
            let file = JSONNode.object(["name": .string("f.rules"), "content": .string(Self.rules)])
            let body = JSONNode.object(["rules": .object(["files": .array([file])])])
            let set = try await server.http("PUT", "/emulator/v1/projects/p:securityRules", body.text())
            #expect(set.status == 200)
        }

        private func coverage(_ suffix: String = "") async throws -> HTTPReply {
            try await server.http("GET", "/emulator/v1/projects/p:ruleCoverage\(suffix)")
        }

        @Test func requestsAreCounted() async throws {
            try await setRules()
            for path in ["/posts/a", "/posts/b", "/posts/c", "/posts?pageSize=5", "/posts?pageSize=50"] {
                _ = try await server.http("GET", "/v1/\(Names.root)\(path)", headers: ann)
            }
            try await write("a", "ann", 2, ann)
            try await write("n", "ann", 7, ann)
            let report = try JSONParser.parse(Array(try await coverage().body).span)
            let content = report["rules"]?["files"]?.elements?.first?["content"]?.string
            #expect(content == Self.rules)
            let lines = (report["report"]?.elements ?? []).flatMap { Self.lines($0, 0) }
            #expect(lines.joined(separator: "\n") == Self.recorded)
            let page = try await coverage(".html")
            #expect(page.text.contains(#"<span class="both" title="1 × {&quot;boolValue&quot;:true}"#), "\(page.text)")
        }

        /// The emulator forgets with new rules, the same ones, too.
        @Test func newRulesBeginAgain() async throws {
            for _ in 0..<2 {
                try await setRules()
                #expect(!(try await coverage().text.contains("values")))
                _ = try await server.http("GET", "/v1/\(Names.root)/posts/a", headers: ann)
                #expect(try await coverage().text.contains(#"{"boolValue":true},"count":1"#))
            }
        }

        @Test func withoutRules() async throws {
            let reply = try await coverage()
            #expect(reply.error?.status == "FAILED_PRECONDITION")
        }

        private static func lines(_ node: JSONNode, _ depth: Int) -> [String] {
            let place = node["sourcePosition"]
            func number(_ name: String) -> Int64 { place?[name]?.number?.int64 ?? -1 }
            var counts: [String: Int64] = [:]
            for entry in node["values"]?.elements ?? [] {
                counts[text(entry["value"]), default: 0] += entry["count"]?.number?.int64 ?? 0
            }
            let values = counts.sorted { $0.key < $1.key }.map { "\($0.key) ×\($0.value)" }.joined(separator: "; ")
            let start = String(repeating: "  ", count: depth) + "\(number("line")):\(number("column"))"
            return ["\(start)-\(number("endOffset")) \(values)"]
                + (node["children"]?.elements ?? []).flatMap { lines($0, depth + 1) }
        }

        private static func text(_ value: JSONNode?) -> String {
            guard let member = value?.members?.first else { return "nothing" }
            switch member.key {
            case "boolValue", "intValue", "stringValue": return "\(member.key) \(member.node.text())"
            case "undefined":
                guard let cause = member.node["causeMessage"]?.string else { return member.key }
                let place = member.node["sourcePosition"]
                let numbers = ["line", "column"].map { "\(place?[$0]?.number?.int64 ?? -1)" }
                return "\(member.key) \(cause) \(numbers.joined(separator: ":"))"
            default: return member.key
            }
        }
    }
#endif
