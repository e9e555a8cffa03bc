// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import IndexCatalog
    import Testing

    /// The emulator's own routes, and those that Hearth adds.
    @Suite struct EmulatorRouteTests {
        private func emulator(
            _ server: TestServer, _ method: String, _ path: String, _ body: String = ""
        ) async throws -> HTTPReply {
            try await server.http(method, "/emulator/v1/\(Names.database)\(path)", body)
        }

        private func counts(_ server: TestServer) async throws -> [String: Int] {
            try await emulator(server, "GET", ":usage").object as? [String: Int] ?? [:]
        }

        /// Deletes all, and reads none of it.
        @Test func clear() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 10_000)
            let before = try await counts(server)
            #expect(before["documentsWritten"] == 10_000)
            #expect(try await emulator(server, "DELETE", "/documents").object.isEmpty)
            #expect(try await connection.ids(.all("c")) == [])
            #expect(try await counts(server)["documentsRead"] == before["documentsRead"])
            try await connection.fill("c", 3)
            #expect(try await connection.ids(.all("c")).count == 3)
            // A database that was never used, too.
            let unused = try await server.http("DELETE", "/emulator/v1/projects/q/databases/x/documents")
            #expect(unused.status == 200)
        }

        /// What is written comes back in the answer, and counts as no read.
        @Test func writesAreNoReads() async throws {
            let server = try TestServer()
            let path = "/v1/\(Names.root)/c"
            #expect(try await server.http("PATCH", path + "/x", #"{"fields":{}}"#).status == 200)
            #expect(try await server.http("POST", path + "?documentId=y", #"{"fields":{}}"#).status == 200)
            let counts = try await counts(server)
            #expect(counts["documentsWritten"] == 2 && counts["documentsRead"] == 0, "\(counts)")
        }

        /// As the emulator answers: they refuse everybody until others are set.
        @Test func rulesSetInSpiteOfTheirErrors() async throws {
            let server = try TestServer()
            let path = "/emulator/v1/projects/p:securityRules"
            func set(_ text: String, _ more: [String: Bool] = [:]) async throws -> HTTPReply {
                var body: [String: Any] = ["rules": ["files": [["name": "f", "content": text]]]]
                body.merge(more) { $1 }
                let data = try JSONSerialization.data(withJSONObject: body)
                return try await server.http("PUT", path, String(decoding: data, as: UTF8.self))
            }
            let reply = try await set("x", ["ignoreErrors": true])
            #expect(reply.status == 200)
            let issues = try #require(reply.object["issues"] as? [[String: Any]])
            #expect(issues.first?["severity"] as? String == "ERROR")
            #expect(try await server.http("GET", path).text.contains(#""content":"x""#))
            let refusal = try await server.rest("GET", "/a/x")
            #expect(refusal.status == 400)
            #expect(refusal.error?.message.hasPrefix("Error compiling rules:\n") == true, "\(refusal.text)")
            let owner = [("authorization", "Bearer owner")]
            #expect(try await server.http("GET", "/v1/\(Names.root)/a/x", headers: owner).error == refusal.error)
            #expect(try await server.rest("PATCH", "/a/x", "{}").error == refusal.error)
            #expect(try await server.rest("POST", ":commit", #"{"writes":[]}"#).status == 200)
            #expect(try await emulator(server, "GET", ":ruleCoverage").error == refusal.error)
            #expect(try await server.http("GET", "/v1/projects/p/databases/other/documents/a/x").status == 404)
            let open = "service cloud.firestore { match /databases/{d}/documents { match /{x=**} { allow read; } } }"
            #expect(try await set(open).status == 200)
            #expect(try await server.rest("GET", "/a/x").status == 404)
        }

        @Test func clearBelowPath() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(["c/a", "c/a/s/x", "c/b", "d/a"].map { .set($0, [:]) })
            #expect(try await emulator(server, "DELETE", "/documents/c/a").status == 200)
            #expect(try await connection.ids(.all("c")) == ["b"])
            #expect(try await emulator(server, "DELETE", "/documents/c").status == 200)
            #expect(try await connection.ids(.all("c")) == [])
            #expect(try await connection.ids(.all("d")) == ["a"])
        }

        /// A transaction that began before the clear has read what is gone.
        @Test func clearEndsTransactions() async throws {
            let server = try TestServer()
            let begun = try await server.rest("POST", ":beginTransaction", "{}")
            let id = try #require(begun.object["transaction"] as? String)
            #expect(try await emulator(server, "DELETE", "/documents").status == 200)
            let reply = try await server.rest("POST", ":commit", #"{"writes":[],"transaction":"\#(id)"}"#)
            #expect(reply.error?.status == "ABORTED")
        }

        @Test func databasesAreApart() async throws {
            let server = try TestServer()
            let paths = [
                "projects/p/databases/a", "projects/p/databases/A", "projects/q/databases/a",
                "projects/x:y.z/databases/..%20%0A",
            ]
            for (number, path) in paths.enumerated() {
                let made = try await server.http(
                    "PATCH", "/v1/\(path)/documents/c/d", #"{"fields":{"n":{"integerValue":"\#(number)"}}}"#)
                #expect(made.status == 200, "\(made.text)")
            }
            for (number, path) in paths.enumerated() {
                let got = try await server.http("GET", "/v1/\(path)/documents/c/d")
                #expect(got.text.contains(#""integerValue":"\#(number)""#), "\(got.text)")
            }
        }

        @Test func snapshotAndRestore() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit([.set("c/a", ["n": ProtoValue(1)]), .set("c/b", [:])])
            let taken = try await emulator(server, "POST", ":snapshot")
            #expect(taken.object["snapshot"] is String)
            for _ in 0..<2 {
                try await connection.commit([.set("c/a", ["n": ProtoValue(2)]), .delete("c/b"), .set("c/x", [:])])
                let restored = try await emulator(server, "POST", ":restore", taken.text)
                #expect(restored.status == 200, "\(restored.text)")
                #expect(try await connection.ids(.all("c")) == ["a", "b"])
                #expect(try await connection.ids(.all("c").filtered("n", .equal, ProtoValue(1))) == ["a"])
            }
            #expect(try await emulator(server, "DELETE", "/documents").status == 200)
            let gone = try await emulator(server, "POST", ":restore", taken.text)
            #expect(gone.error?.status == "FAILED_PRECONDITION" && gone.text.contains("is gone"), "\(gone.text)")
            for (body, reason) in [
                ("", ""), ("{}", ""), (#"{"snapshot":"x"}"#, "The body names the time"),
                (
                    #"{"snapshot":"2020-01-01T00:00:00Z"}"#,
                    "There is no snapshot of 2020-01-01T00:00:00Z: the database is younger."
                ),
                (
                    #"{"snapshot":"2920-01-01T00:00:00Z"}"#,
                    "There is no snapshot of 2920-01-01T00:00:00Z: it is in the future."
                ),
            ] {
                let refused = try await emulator(server, "POST", ":restore", body)
                #expect(refused.error?.code == 400, "\(body): \(refused.text)")
                #expect(refused.error?.message.hasPrefix(reason) == true, "\(body): \(refused.text)")
            }
        }

        @Test func indexes() async throws {
            let server = try TestServer()
            #expect(try await server.rest("POST", ":runQuery", MissingIndexTests.body).status == 400)
            let applied = try await emulator(server, "PUT", ":indexes", MissingIndexTests.file)
            #expect(applied.status == 200, "\(applied.text)")
            #expect(try await server.rest("POST", ":runQuery", MissingIndexTests.body).status == 200)
            #expect(MissingIndexTests.isFile(try await emulator(server, "GET", ":indexes").object))
            for body in ["{", "[]", #"{"indexes":[{"collectionGroup":"c"}]}"#] {
                #expect(try await emulator(server, "PUT", ":indexes", body).error?.status == "INVALID_ARGUMENT")
            }
            for body in ["{\n\n  x", "{\n\"indexes\":[\n{\"collectionGroup\":\"c\"}]}"] {
                let message = try await emulator(server, "PUT", ":indexes", body).error?.message
                #expect(message?.hasPrefix("The index file has errors: line 3: ") == true, "\(message ?? "")")
            }
            #expect(MissingIndexTests.isFile(try await emulator(server, "GET", ":indexes").object))
            let empty = #"{"indexes":[],"fieldOverrides":[]}"#
            #expect(try await emulator(server, "PUT", ":indexes", empty).status == 200)
            #expect(try await server.rest("POST", ":runQuery", MissingIndexTests.body).status == 400)
        }

        /// From refused queries as from those that were answered.
        @Test func advice() async throws {
            let server = try TestServer()
            _ = try await server.rest("POST", ":runQuery", MissingIndexTests.body)
            let advice = try await emulator(server, "GET", ":advise")
            #expect(MissingIndexTests.isFile(advice.object), "\(advice.text)")
            #expect(server.server.advice.map(\.missing.indexes.count) == [1])
            let usage = try await server.http(
                "GET", "/emulator/v1/projects/p:indexUsage?database=\(Names.database)")
            let reports = try #require(usage.object["reports"] as? [[String: Any]])
            #expect(reports.count == 1 && reports[0]["numQueries"] as? String == "1")
            let index = try #require(reports[0]["index"] as? [String: Any])
            #expect(index["name"] as? String == "\(Names.database)/collectionGroups/c/indexes/_")
            #expect((index["fields"] as? [[String: String]])?.map(\.count) == [2, 2, 2])
            #expect(try await server.http("GET", "/emulator/v1/projects/other:indexUsage").object.isEmpty)
        }

        @Test func usage() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 4)
            _ = try await connection.ids(.all("c"))
            _ = try await connection.exchange("RunQuery", ProtoRunQueryRequest(MissingIndexTests.query))
            try await connection.commit([.delete("c/d000000")])
            var batch = ProtoBatchWriteRequest()
            batch.database = Names.database
            batch.writes = [.set("c/x", [:]), .delete("c/d000001"), .set("c/none", [:]).ifExists(true)]
            let _: ProtoBatchWriteResponse = try await connection.unary("BatchWrite", batch)
            let counts = try await counts(server)
            #expect(counts["documentsRead"] == 4 && counts["queries"] == 2 && counts["queriesRefused"] == 1)
            #expect(counts["documentsWritten"] == 5 && counts["documentsDeleted"] == 2)
        }

        @Test(arguments: [
            ("PUT", "/emulator/v1/projects/p/triggers/t"), ("POST", "/emulator/v1/projects/p/eventarcTrigger"),
        ])
        func triggersAreAnswered(_ method: String, _ path: String) async throws {
            let server = try TestServer()
            #expect(try await server.http(method, path, "{}").status == 200)
        }
    }
#endif
