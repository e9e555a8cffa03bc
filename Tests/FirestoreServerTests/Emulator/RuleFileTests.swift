// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import Testing

    /// Files of rules that a request sets. All answers are the emulator's.
    @Suite struct RuleFileTests {
        private static let path = "/emulator/v1/projects/p:securityRules"

        private func set(_ texts: [String], _ server: TestServer) async throws -> HTTPReply {
            let files = texts.enumerated().map { ["name": "f\($0)", "content": $1] }
            let body = try JSONSerialization.data(withJSONObject: ["rules": ["files": files]])
            return try await server.http("PUT", Self.path, String(decoding: body, as: UTF8.self))
        }

        /// All files must be well-formed, the first one decides, and all are shown.
        @Test func theFirstFileDecides() async throws {
            func allowing(_ collection: String) -> String {
                "rules_version = \"2\"; service cloud.firestore { match /databases/{d}/documents { "
                    + "match /\(collection)/{x} { allow read: if true; } } }"
            }
            let server = try TestServer()
            for bad in [["x", "y z"], ["x", allowing("a")], [allowing("a"), "y z"]] {
                let reply = try await set(bad, server)
                #expect(reply.status == 400)
                let lines = reply.error?.message.split(separator: "\n") ?? []
                #expect(lines.first == "Error compiling rules:")
                #expect(lines.count == 1 + bad.count { $0.count < 5 }, "\(reply.text)")
            }
            #expect(try await server.http("GET", "/v1/\(Names.root)/b/x", headers: []).status == 404)
            #expect(try await set([allowing("a"), allowing("b")], server).object.isEmpty)
            #expect(try await server.http("GET", "/v1/\(Names.root)/a/x", headers: []).status == 404)
            #expect(try await server.http("GET", "/v1/\(Names.root)/b/x", headers: []).status == 403)
            let shown = try await server.http("GET", Self.path).object["rules"] as? [String: [[String: String]]]
            #expect(shown?["files"]?.map { $0["name"] } == ["f0", "f1"])
            #expect(shown?["files"]?.map { $0["content"] } == [allowing("a"), allowing("b")])
        }

        /// Beside an error of names or types stand the warnings, and only the first file is looked at for either.
        @Test func warningsOfRefusedRules() async throws {
            func rules(_ functions: String, path: String = "/a/{x}") -> String {
                """
                rules_version = "2"; service cloud.firestore { match /databases/{d}/documents {
                \(functions)
                match \(path) { allow read: if f(); } } }
                """
            }
            let server = try TestServer()
            let used = "function f() { return true; }"
            let open = rules(used)
            let repeated = rules("function w(v) { return z; } \(used) \(used)")
            let malformed = rules("function w(v) { return z; } \(used)", path: "/a/{x}/b/{x}")
            let lines = [
                "Error compiling rules:", "L2:10 Unused function: w.", "L2:12 Unused variable: v.",
                "L2:24 Invalid variable name: z.", "L2:68 Function f is already defined.",
            ]
            for texts in [[repeated], [repeated, open]] {
                #expect(try await set(texts, server).error?.message == lines.joined(separator: "\n"))
            }
            #expect(try await set([open, repeated], server).object.isEmpty)
            let alone = "Error compiling rules:\nL3:17 Variable x already exists in the PathTemplate."
            for texts in [[malformed], [open, malformed], [repeated, malformed]] {
                #expect(try await set(texts, server).error?.message == alone)
            }
        }
    }
#endif
