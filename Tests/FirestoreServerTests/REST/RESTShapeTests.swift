// SPDX-License-Identifier: Apache-2.0

#if Server
    import Foundation
    import Testing

    /// The JSON of requests and answers, as production's REST interface has it.
    @Suite struct RESTShapeTests {
        let server: TestServer

        init() throws {
            server = try TestServer()
        }

        private static let fields = #"{"fields":{"a":{"integerValue":"1"},"b":{"stringValue":"x"}}}"#

        private func failure(_ code: Int, _ status: String, _ message: String) -> HTTPFailure {
            HTTPFailure(code: code, status: status, message: message)
        }

        @Test func documents() async throws {
            let created = try await server.rest("POST", "/c?documentId=d&mask.fieldPaths=a", Self.fields)
            #expect(created.status == 200, "\(created.text)")
            #expect(Set(created.object.keys) == ["name", "fields", "createTime", "updateTime"])
            #expect((created.object["fields"] as? [String: Any])?.keys.sorted() == ["a"])
            let got = try await server.rest("GET", "/c/d")
            #expect(got.header("content-type")?.hasPrefix("application/json") == true)
            #expect(got.object["name"] as? String == Names.document("c/d"))
            let a = (got.object["fields"] as? [String: Any])?["a"] as? [String: Any]
            #expect(a?["integerValue"] as? String == "1")
            let patched = try await server.rest(
                "PATCH",
                "/c/d?updateMask.fieldPaths=b&updateMask.fieldPaths=a&mask.fieldPaths=a&currentDocument.exists=true",
                #"{"fields":{"a":{"nullValue":null}}}"#)
            #expect(patched.status == 200, "\(patched.text)")
            let left = try await server.rest("GET", "/c/d")
            #expect((left.object["fields"] as? [String: Any])?.keys.sorted() == ["a"])
            let deleted = try await server.rest("DELETE", "/c/d?currentDocument.exists=true")
            #expect(deleted.status == 200)
            #expect(deleted.object.isEmpty)
            let missing = "Document \"\(Names.document("c/d"))\" not found."
            #expect(try await server.rest("GET", "/c/d").error == failure(404, "NOT_FOUND", missing))
        }

        /// Without fields there is no `fields`.
        @Test func emptyDocuments() async throws {
            let created = try await server.rest("POST", "/c", "")
            #expect(created.status == 200)
            #expect(Set(created.object.keys) == ["name", "createTime", "updateTime"])
            let id = (created.object["name"] as? String)?.split(separator: "/").last ?? ""
            #expect(id.utf8.count == 20)
        }

        @Test func errors() async throws {
            _ = try await server.rest("POST", "/c?documentId=d", Self.fields)
            let exists = try await server.rest("POST", "/c?documentId=d", Self.fields)
            let existing = "Document already exists: \(Names.document("c/d"))"
            #expect(exists.error == failure(409, "ALREADY_EXISTS", existing))
            let absent = try await server.rest("PATCH", "/c/x?currentDocument.exists=true", Self.fields)
            #expect(absent.error == failure(404, "NOT_FOUND", "No document to update: \(Names.document("c/x"))"))
            let stale = try await server.rest("DELETE", "/c/d?currentDocument.updateTime=2020-01-01T00:00:00Z")
            #expect(stale.error?.code == 400)
            #expect(stale.error?.status == "FAILED_PRECONDITION")
            for query in [
                "currentDocument.exists=maybe", "currentDocument.updateTime=now", "updateMask.fieldPaths=a..b",
            ] {
                let reply = try await server.rest("PATCH", "/c/d?\(query)", Self.fields)
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(query)")
            }
            for query in ["pageSize=-1", "pageSize=x", "pageToken=x", "orderBy=a%20up", "showMissing=1", "readTime=x"] {
                #expect(try await server.rest("GET", "/c?\(query)").error?.code == 400, "\(query)")
            }
        }

        /// An odd number of segments is a collection.
        @Test func lists() async throws {
            for path in ["c/a", "c/b", "c/a/s/x", "e/gone/s/y"] {
                _ = try await server.rest("PATCH", "/\(path)", "{}")
            }
            func names(_ reply: HTTPReply) -> [String] {
                (reply.object["documents"] as? [[String: Any]] ?? []).compactMap { document in
                    (document["name"] as? String).map { String($0.dropFirst(Names.root.count + 1)) }
                }
            }
            let page = try await server.rest("GET", "/c?pageSize=1")
            #expect(names(page) == ["c/a"])
            let token = try #require(page.object["nextPageToken"] as? String)
            let escaped = try #require(token.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let next = try await server.rest("GET", "/c?page_size=1&pageToken=\(escaped)")
            #expect(names(next) == ["c/b"] && next.object["nextPageToken"] == nil)
            #expect(names(try await server.rest("GET", "/c/a/s")) == ["c/a/s/x"])
            #expect(names(try await server.rest("GET", "/e?showMissing=true")) == ["e/gone"])
            #expect(names(try await server.rest("GET", "")) == ["c/a", "c/b"])
            #expect(try await server.rest("GET", "/none").object.isEmpty)
            let ids = try await server.rest("POST", ":listCollectionIds", "{}")
            #expect(ids.object["collectionIds"] as? [String] == ["c", "e"])
            let below = try await server.rest("POST", "/e/gone:listCollectionIds", #"{"pageSize":1}"#)
            #expect(below.object["collectionIds"] as? [String] == ["s"])
        }

        /// A colon or a slash of an ID is encoded; verbs are behind the last colon.
        @Test(arguments: [
            ("a%3Ab", "a:b"), ("a:b", "a:b"), ("x%3Acommit", "x:commit"), ("x:events", "x:events"),
            ("x:query", "x:query"), ("%25", "%"), ("%C3%A9%20+", "é +"),
        ])
        func unusualIDs(_ written: String, _ id: String) async throws {
            let made = try await server.rest("PATCH", "/c/\(written)", Self.fields)
            #expect(made.status == 200, "\(made.text)")
            #expect(made.object["name"] as? String == Names.document("c/\(id)"))
            let ids = try await server.rest("POST", "/c/\(written):listCollectionIds", "{}")
            #expect(ids.status == 200)
            #expect(try await server.rest("GET", "/c/\(written)").status == 200)
        }

        @Test(arguments: ["/c/a%2Fb", "/c//d", "/c/d/", "/c/..", "/c/__x__"]) func badPaths(_ path: String) async throws
        {
            let reply = try await server.rest("PATCH", path, Self.fields)
            #expect(reply.error?.status == "INVALID_ARGUMENT", "\(reply.text)")
        }

        @Test(arguments: [
            ("PUT", "/c/d"), ("GET", ":commit"), ("POST", "/c/d:commit"), ("POST", ":listen"), ("POST", ":nonsense"),
            ("POST", ""),
        ])
        func routesThatAreNone(_ method: String, _ path: String) async throws {
            let reply = try await server.rest(method, path, "{}")
            #expect(reply.status == 404, "\(reply.text)")
        }

        @Test(arguments: [("POST", "/c/d"), ("DELETE", "/c"), ("PATCH", "/c")])
        func namesOfTheWrongKind(_ method: String, _ path: String) async throws {
            let reply = try await server.rest(method, path, "{}")
            #expect(reply.error?.status == "INVALID_ARGUMENT", "\(reply.text)")
        }

        @Test func emptyNames() async throws {
            for path in ["/v1/projects//databases/d/documents/c/d", "/v1/projects/p/databases//documents/c/d"] {
                #expect(try await server.http("GET", path).error?.status == "INVALID_ARGUMENT")
            }
            let long = String(repeating: "x", count: 500)
            let reply = try await server.http("GET", "/v1/projects/\(long)/databases/d/documents/c/d")
            #expect(reply.error?.status == "INVALID_ARGUMENT")
        }

        /// Web pages send JSON as text, to avoid a preflight; curl sends it as a form.
        @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/json"])
        func contentTypes(_ type: String) async throws {
            let reply = try await server.http(
                "POST", "/v1/\(Names.root):runQuery", #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#,
                headers: [("content-type", type)])
            #expect(reply.status == 200)
        }

        @Test func malformedBodies() async throws {
            for verb in ["runQuery", "commit", "batchGet", "beginTransaction", "listCollectionIds"] {
                let unknown = try await server.rest("POST", ":\(verb)", #"{"nonsense":1}"#)
                let text = "Invalid JSON payload received. Unknown name \"nonsense\": Cannot find field."
                #expect(unknown.error == failure(400, "INVALID_ARGUMENT", text), "\(verb)")
                for body in ["{", "nonsense", "[]", "1", "{}{}"] {
                    let reply = try await server.rest("POST", ":\(verb)", body)
                    #expect(reply.error?.status == "INVALID_ARGUMENT", "\(verb) \(body): \(reply.text)")
                }
            }
            let nested = try await server.rest("POST", ":runQuery", #"{"structuredQuery":{"wher":{}}}"#)
            #expect(
                nested.error?.message
                    == "Invalid JSON payload received. Unknown name \"wher\" at 'structured_query': Cannot find field.")
        }

        /// The methods that answer by streams have their errors in arrays, and others do not.
        @Test func errorsOfStreams() async throws {
            for verb in ["runQuery", "runAggregationQuery", "batchGet"] {
                #expect(try await server.rest("POST", ":\(verb)?alt=json", "{").array.count == 1, "\(verb)")
            }
            for verb in ["commit", "beginTransaction", "rollback", "partitionQuery", "batchWrite", "listCollectionIds"]
            {
                #expect(try await server.rest("POST", ":\(verb)", "{").object["error"] != nil, "\(verb)")
            }
        }

        @Test func queries() async throws {
            let empty = try await server.rest(
                "POST", ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#)
            #expect(empty.array.count == 1)
            #expect(empty.array[0].keys.sorted() == ["readTime"])
            for id in ["a", "b", "c"] { _ = try await server.rest("PATCH", "/c/\(id)", Self.fields) }
            let skipped = try await server.rest(
                "POST", ":runQuery",
                #"{"structured_query":{"from":[{"collection_id":"c"}],"offset":2},"newTransaction":{"readOnly":{}}}"#)
            #expect(
                skipped.array.map { $0.keys.sorted() } == [
                    ["transaction"], ["readTime", "skippedResults"], ["document", "readTime"],
                ])
            let body =
                #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"#
                + #""aggregations":[{"count":{}},{"alias":"s","sum":{"field":{"fieldPath":"a"}}}]}}"#
            let sums = try await server.rest("POST", ":runAggregationQuery", body)
            let result = sums.array.first?["result"] as? [String: Any]
            let values = result?["aggregateFields"] as? [String: [String: String]]
            #expect(values == ["field_1": ["integerValue": "3"], "s": ["integerValue": "3"]])
        }

        /// Those of one time do not depend on what changes later. With a limit of 0, nothing is skipped.
        @Test func skippedResultsOfThePast() async throws {
            for id in ["a", "b"] { _ = try await server.rest("PATCH", "/c/\(id)", Self.fields) }
            let filters = [1, 2].map {
                #"{"fieldFilter":{"field":{"fieldPath":"a"},"op":"EQUAL","value":{"integerValue":"\#($0)"}}}"#
            }
            for filter in [
                filters[0], #"{"compositeFilter":{"op":"OR","filters":[\#(filters.joined(separator: ","))]}}"#,
            ] {
                let query =
                    #""structuredQuery":{"from":[{"collectionId":"c"}],"where":\#(filter),"offset":2,"limit":0}"#
                _ = try await server.rest("PATCH", "/c/a", Self.fields)
                let first = try await server.rest("POST", ":runQuery", "{\(query)}")
                #expect(first.array.map { $0.keys.sorted() } == [["readTime"]])
                let time = try #require(first.array[0]["readTime"] as? String)
                _ = try await server.rest("DELETE", "/c/a")
                let again = try await server.rest("POST", ":runQuery", "{\(query),\"readTime\":\"\(time)\"}")
                #expect(again.text == first.text)
            }
        }

        @Test func explain() async throws {
            _ = try await server.rest("PATCH", "/c/a", Self.fields)
            let body = #"{"structuredQuery":{"from":[{"collectionId":"c"}]},"explainOptions":{"analyze":ANALYZE}}"#
            let plan = try await server.rest("POST", ":runQuery", body.replacing("ANALYZE", with: "false"))
            #expect(plan.array.map { $0.keys.sorted() } == [["explainMetrics"]])
            let analyzed = try await server.rest("POST", ":runQuery", body.replacing("ANALYZE", with: "true"))
            #expect(analyzed.array.count == 2)
            let metrics = analyzed.array.last?["explainMetrics"] as? [String: Any]
            let statistics = metrics?["executionStats"] as? [String: Any]
            #expect(statistics?["resultsReturned"] as? String == "1")
            #expect(statistics?["readOperations"] as? String == "1")
        }

        @Test func commits() async throws {
            let name = Names.document("c/d")
            let reply = try await server.rest(
                "POST", ":commit",
                #"{"writes":[{"update":{"name":"\#(name)"},"updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"2"}}]},"#
                    + #"{"delete":"\#(name)"}]}"#)
            let results = try #require(reply.object["writeResults"] as? [[String: Any]])
            #expect(results.count == 2)
            #expect(results[0].keys.sorted() == ["transformResults", "updateTime"])
            // The time of a deleted document stays unset.
            #expect(results[1].isEmpty)
            #expect(results[0]["updateTime"] as? String == reply.object["commitTime"] as? String)
        }

        @Test func batchWrites() async throws {
            let (a, b) = (Names.document("c/a"), Names.document("c/b"))
            let body =
                #"{"writes":[{"update":{"name":"\#(a)"}},{"update":{"name":"\#(b)"},"currentDocument":{"exists":true}}],"labels":{"k":"v"}}"#
            let reply = try await server.rest("POST", ":batchWrite", body)
            let results = try #require(reply.object["writeResults"] as? [[String: Any]])
            #expect(results.map { $0["updateTime"] != nil } == [true, false])
            let status = try #require(reply.object["status"] as? [[String: Any]])
            #expect(status[0].isEmpty && status[1]["code"] as? Int == 5)
            #expect(status[1]["message"] as? String == "No document to update: \(b)")
            let twice = try await server.rest(
                "POST", ":batchWrite", #"{"writes":[{"delete":"\#(a)"},{"delete":"\#(a)"}]}"#)
            let text = "the same document cannot be written more than once in a single request"
            #expect(twice.error == failure(400, "INVALID_ARGUMENT", text))
            #expect(try await server.rest("GET", "/c/a").status == 200)
        }

        @Test func transactions() async throws {
            let begun = try await server.rest("POST", ":beginTransaction", #"{"options":{"readWrite":{}}}"#)
            let id = try #require(begun.object["transaction"] as? String)
            let read = try await server.rest(
                "POST", ":batchGet", #"{"documents":["\#(Names.document("c/d"))"],"transaction":"\#(id)"}"#)
            #expect(read.array.map { $0.keys.sorted() } == [["missing", "readTime"]])
            _ = try await server.rest("PATCH", "/c/d", Self.fields)
            let commit = try await server.rest(
                "POST", ":commit", #"{"writes":[{"delete":"\#(Names.document("c/d"))"}],"transaction":"\#(id)"}"#)
            let contention = "Too much contention on these documents. Please try again."
            #expect(commit.error == failure(409, "ABORTED", contention))
            #expect(try await server.rest("POST", ":rollback", #"{"transaction":"\#(id)"}"#).status == 200)
            for body in [#"{"transaction":"AAAA"}"#, "{}", #"{"transaction":"!"}"#] {
                let reply = try await server.rest("POST", ":rollback", body)
                #expect(reply.error?.code == 400, "\(body): \(reply.text)")
            }
        }
    }
#endif
