// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreServer
    import Foundation
    import TestSupport
    import Testing

    /// The console's page and the routes that it asks. `Scripts/console.sh` drives the page itself.
    @Suite struct ConsoleTests {
        private static let tool = "/emulator/v1/\(Names.database)"
        private static let owner = [("authorization", "Bearer owner")]

        private func cities() async throws -> TestServer {
            let server = try TestServer(rules: ServedRules.frame("    match /open/{id} { allow read: if true; }"))
            for (id, n) in [("a", 1), ("b", 2), ("c", 3)] {
                let reply = try await server.http(
                    "PATCH", "/v1/\(Names.document("cities/\(id)"))",
                    #"{"fields":{"n":{"integerValue":\#(n)},"x y":{"mapValue":{"fields":{"z":{"nullValue":null}}}}}}"#,
                    headers: Self.owner)
                #expect(reply.status == 200)
            }
            return server
        }

        private func query(_ server: TestServer, _ text: String) async throws -> HTTPReply {
            let body = try JSONSerialization.data(withJSONObject: ["query": text])
            return try await server.http(
                "POST", "\(Self.tool):query", String(decoding: body, as: UTF8.self), headers: Self.owner)
        }

        @Test func page() async throws {
            let server = try TestServer()
            let page = try await server.http("GET", "/console")
            #expect(page.status == 200)
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            let text = String(decoding: page.body, as: UTF8.self)
            let files = text.matches(of: /\/console\/[a-z.]+/).map { String($0.output) }
            #expect(files.count > 10)
            for file in files {
                let reply = try await server.http("GET", file)
                #expect(reply.status == 200 && !reply.body.isEmpty, "\(file)")
            }
            #expect(try await server.http("GET", "/console/other.js").status == 404)
            #expect(try await server.http("POST", "/console").status == 404)
            #expect(try await server.http("GET", "/console", headers: [("host", "rebound.example")]).status == 403)
        }

        @Test func queryText() async throws {
            let server = try await cities()
            let reply = try await query(server, "db.collection('cities').where('n', '>', 1).orderBy('n', 'desc')")
            let answer = try #require(reply.json as? [String: Any])
            let names = (answer["documents"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
            #expect(names == [Names.document("cities/c"), Names.document("cities/b")])
            let stats = try #require(answer["stats"] as? [String: Any])
            #expect(stats["entriesScanned"] as? Int == 2 && stats["documentsRead"] as? Int == 2)
            #expect((answer["plan"] as? [String: Any])?["executed"] != nil)
            let count = try await query(server, "cities.count()")
            #expect(String(decoding: count.body, as: UTF8.self).contains(#""integerValue":"3""#))
            let unknown = try await query(server, "cities.where('n', '==', wanted)")
            #expect(unknown.error?.message.contains("values that are not known") == true)
        }

        @Test func missingIndex() async throws {
            let server = try await cities()
            let refused = try await query(server, "cities.where('n', '==', 1).orderBy('m')")
            #expect(refused.status == 400 && refused.error?.status == "FAILED_PRECONDITION")
            #expect(refused.error?.message.hasPrefix("The query requires an index. You can create it here: ") == true)
            let fix = try #require((refused.json as? [String: Any])?["fix"] as? String)
            let states = { try await server.http("GET", "\(Self.tool):indexStates").json as? [String: Any] }
            let missing = try #require(try await states()?["missing"] as? [[String: Any]])
            #expect(missing.count == 1 && missing[0]["queries"] as? Int == 1)
            #expect(try await server.http("PUT", "\(Self.tool):indexes", fix).status == 200)
            #expect(try await query(server, "cities.where('n', '==', 1).orderBy('m')").status == 200)
            let indexes = try #require(try await states()?["indexes"] as? [[String: Any]])
            #expect(indexes.count == 1 && indexes[0]["state"] as? String == "READY")
            #expect(indexes[0]["queries"] as? Int == 1)
            #expect((try await states()?["missing"] as? [Any])?.isEmpty == true)
        }

        @Test func fieldsAndDatabases() async throws {
            let server = try await cities()
            let reply = try await server.http("GET", "\(Self.tool):fields?collection=cities", headers: Self.owner)
            #expect((reply.json as? [String: [String]])?["fields"] == ["`x y`", "`x y`.z", "n"])
            let wrong = try await server.http("GET", "\(Self.tool):fields?collection=cities/a", headers: Self.owner)
            #expect(wrong.status == 400)
            let databases = try await server.http("GET", "/emulator/v1/databases")
            #expect((databases.json as? [String: [String]])?["databases"] == [Names.database])
        }

        /// Five documents of 900 KB are enough.
        @Test func fieldsOfLargeDocuments() async throws {
            let server = try TestServer()
            let text = String(repeating: "a", count: 900_000)
            for number in 0..<6 {
                let reply = try await server.http(
                    "PATCH", "/v1/\(Names.document("large/d\(number)"))",
                    #"{"fields":{"f\#(number)":{"stringValue":"\#(text)"}}}"#, headers: Self.owner)
                #expect(reply.status == 200)
            }
            let reply = try await server.http("GET", "\(Self.tool):fields?collection=large", headers: Self.owner)
            #expect((reply.json as? [String: [String]])?["fields"] == ["f0", "f1", "f2", "f3", "f4"])
        }

        /// Who is no administrator sees nothing that rules do not allow.
        @Test func rules() async throws {
            let server = try await cities()
            let body = #"{"query":"cities"}"#
            #expect(try await server.http("POST", "\(Self.tool):query", body).status == 403)
            #expect(try await server.http("GET", "\(Self.tool):fields?collection=cities").status == 403)
        }
    }
#endif
