// SPDX-License-Identifier: Apache-2.0

#if Server
    import Testing

    /// Which writes the REST interface refuses and takes, as the emulator does.
    @Suite struct RESTWriteTests {
        let server: TestServer

        init() async throws {
            server = try TestServer()
            let made = try await server.rest("PATCH", "/c/a", #"{"fields":{"n":{"integerValue":"1"}}}"#)
            try #require(made.status == 200)
        }

        private static let name = Names.document("c/a")

        /// The write must be refused, and leave nothing behind, whichever call it is sent by.
        private func refuse(_ write: String) async throws {
            for verb in ["commit", "batchWrite"] {
                let reply = try await server.rest("POST", ":\(verb)", #"{"writes":[\#(write)]}"#)
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(verb) \(write): \(reply.text)")
            }
            let left = try await server.rest("GET", "/c/a")
            #expect(left.text.contains(#""n":{"integerValue":"1"}"#), "\(write): \(left.text)")
            #expect(left.object["createTime"] as? String == left.object["updateTime"] as? String, "\(write)")
        }

        @Test(arguments: [#""n""#, #"{"0":"n"}"#, "{}", "5"]) func masksThatAreNone(_ paths: String) async throws {
            try await refuse(
                #"{"update":{"name":"\#(Self.name)","fields":{"n":{"integerValue":"2"}}},"updateMask":{"fieldPaths":\#(paths)}}"#
            )
        }

        @Test(arguments: [
            #"{"arrayValue":{"values":[{"integerValue":"1"}]}}"#, #"{"values":{"integerValue":"1"}}"#,
            #"{"integerValue":1}"#,
        ])
        func elementsThatAreNone(_ array: String) async throws {
            for operation in ["appendMissingElements", "removeAllFromArray"] {
                try await refuse(
                    #"{"transform":{"document":"\#(Self.name)","fieldTransforms":[{"fieldPath":"n","\#(operation)":\#(array)}]}}"#
                )
            }
        }

        @Test(arguments: [
            #"{"delete":"c/a"}"#, #"{"verify":"c/a"}"#, #"{"update":{"name":"c/a"}}"#,
            #"{"transform":{"document":"c/a","fieldTransforms":[{"fieldPath":"n","setToServerValue":"REQUEST_TIME"}]}}"#,
        ])
        func relativeNames(_ write: String) async throws {
            try await refuse(write)
            let reply = try await server.rest("POST", ":commit", #"{"writes":[\#(write)]}"#)
            #expect(reply.error?.message == #"Document name "c/a" lacks "projects" at index 0."#)
        }

        /// The emulator's words, where it and production have them.
        static let referenceErrors: [String: String?] = [
            "c/a": #"Resource name "c/a" lacks "projects" at index 0."#,
            "": #"Resource name "" lacks "projects" at index 0."#,
            Names.root: nil, Names.database: nil, "projects/p/databases/(default)/x/c/a": nil,
            Names.document("c"): #"Document name "\#(Names.document("c"))" lacks "/" at index 42."#,
        ]

        @Test(arguments: referenceErrors.keys) func references(_ name: String) async throws {
            let value = #"{"referenceValue":"\#(name)"}"#
            try await refuse(#"{"update":{"name":"\#(Self.name)","fields":{"n":\#(value)}}}"#)
            try await refuse(
                #"{"update":{"name":"\#(Self.name)"},"updateTransforms":[{"fieldPath":"n","appendMissingElements":{"values":[\#(value)]}}]}"#
            )
            let written = try await server.rest(
                "PATCH", "/c/a", #"{"fields":{"n":{"arrayValue":{"values":[\#(value)]}}}}"#)
            #expect(written.error?.status == "INVALID_ARGUMENT")
            if let message = Self.referenceErrors[name] ?? nil { #expect(written.error?.message == message) }
            for field in ["__name__", "n"] {
                let filter = #"{"fieldFilter":{"field":{"fieldPath":"\#(field)"},"op":"EQUAL","value":\#(value)}}"#
                let query = #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":\#(filter)}}"#
                let found = try await server.rest("POST", ":runQuery", query)
                #expect(found.error?.status == "INVALID_ARGUMENT", "\(found.text)")
            }
        }

        @Test func referencesToOtherDatabases() async throws {
            let value = #"{"referenceValue":"projects/q/databases/x/documents/a/b"}"#
            let written = try await server.rest("PATCH", "/c/a", #"{"fields":{"n":\#(value)}}"#)
            #expect(written.text.contains(value), "\(written.text)")
        }

        @Test(arguments: [
            #""updateMask":null,"currentDocument":null,"updateTransforms":null"#, #""currentDocument":{}"#,
        ])
        func whatIsNotSet(_ members: String) async throws {
            let update = #""update":{"name":"\#(Self.name)","fields":{"n":{"integerValue":"2"}}}"#
            let reply = try await server.rest("POST", ":commit", "{\"writes\":[{\(update),\(members)}]}")
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await server.rest("GET", "/c/a").text.contains(#""n":{"integerValue":"2"}"#))
        }

        @Test func nullBesideTheOperation() async throws {
            try await refuse(#"{"delete":"\#(Self.name)","update":null}"#)
        }

        /// As Python's `MessageToJson` writes it with the names of the protocol.
        @Test func namesInSnakeCase() async throws {
            let write =
                #"{"update":{"name":"\#(Self.name)","fields":{"n":{"integer_value":"2"}}},"update_mask":{"field_paths":["n"]},"#
                + #""update_transforms":[{"field_path":"t","set_to_server_value":1}],"current_document":{"exists":true}}"#
            let reply = try await server.rest("POST", ":commit", #"{"writes":[\#(write)]}"#)
            #expect(reply.status == 200, "\(reply.text)")
            let fields = try await server.rest("GET", "/c/a").object["fields"] as? [String: [String: Any]]
            #expect(fields?["n"]?["integerValue"] as? String == "2")
            #expect(fields?["t"]?.keys.first == "timestampValue")
        }

        private static let fields = #""fields":{"n":{"integerValue":"2"}}"#

        /// Only a commit may leave its transaction empty.
        @Test func emptyTransactions() async throws {
            let write = "{\"update\":{\"name\":\"\(Self.name)\",\(Self.fields)}}"
            let commit = try await server.rest("POST", ":commit", #"{"writes":[\#(write)],"transaction":""}"#)
            #expect(commit.status == 200, "\(commit.text)")
            for (verb, body) in [("rollback", "{"), ("batchGet", #"{"documents":["\#(Self.name)"],"#)] {
                let reply = try await server.rest("POST", ":\(verb)", "\(body)\"transaction\":\"\"}")
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(verb): \(reply.text)")
            }
        }

        /// As production and the emulator answer.
        @Test(arguments: [":commit", ":batchWrite"]) func noWrites(_ method: String) async throws {
            for body in ["{}", #"{"writes":[]}"#] {
                let reply = try await server.rest("POST", method, body)
                #expect(reply.status == 200)
                #expect(reply.object.isEmpty, "\(reply.text)")
            }
        }

        /// As the emulator answers: an empty path is no empty mask.
        @Test(arguments: [
            ("PATCH", "updateMask.fieldPaths="), ("GET", "mask.fieldPaths=n&mask.fieldPaths="), ("PATCH", "updateMask"),
            ("PATCH", "update_mask="), ("PATCH", "updateMask&updateMask.fieldPaths=n"), ("PATCH", "mask"),
            ("GET", "mask"),
        ])
        func emptyPathsOfMasks(_ method: String, _ mask: String) async throws {
            let reply = try await server.rest(method, "/c/a?\(mask)", method == "GET" ? "" : "{\(Self.fields)}")
            #expect(reply.status == 400)
            #expect(reply.error?.message == "Invalid empty property path string.")
        }

        /// As the emulator answers.
        @Test func shortFormsOfMasks() async throws {
            _ = try await server.rest(
                "PATCH", "/c/m", #"{"fields":{"a":{"booleanValue":false},"b":{"booleanValue":false}}}"#)
            let both = #"{"fields":{"a":{"booleanValue":true},"b":{"booleanValue":true}}}"#
            let first = try await server.rest("PATCH", "/c/m?updateMask=a&mask=a&mask.fieldPaths=b", both)
            #expect(
                first.object["fields"] as? [String: [String: Bool]] == [
                    "a": ["booleanValue": true], "b": ["booleanValue": false],
                ])
            let second = try await server.rest("GET", "/c/m?mask=a")
            #expect(second.object["fields"] as? [String: [String: Bool]] == ["a": ["booleanValue": true]])
        }

        /// The emulator's answers. A client may repeat what an earlier run of the server has aborted.
        @Test(arguments: [
            ("\"junk\"", 400), ("\"!!\"", 400), ("\"AAAAAAAA\"", 400), ("\"\"", 200), ("null", 200),
            ("\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\"", 200),
        ])
        func formerTransactions(_ id: String, _ status: Int) async throws {
            let body = #"{"options":{"readWrite":{"retryTransaction":\#(id)}}}"#
            let reply = try await server.rest("POST", ":beginTransaction", body)
            #expect(reply.status == status, "\(reply.text)")
        }

        /// The emulator refuses the first, and never answers the others.
        @Test func namesThatDifferFromTheURL() async throws {
            let other = Names.document("c/b")
            for (method, path, name) in [
                ("POST", "/c", Self.name), ("POST", "/c?documentId=b", other), ("PATCH", "/c/a", other),
                ("PATCH", "/c/a", "junk"),
            ] {
                let reply = try await server.rest(method, path, #"{"name":"\#(name)",\#(Self.fields)}"#)
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(method) \(path) \(name): \(reply.text)")
            }
            #expect(try await server.rest("GET", "/c").text.contains(#""integerValue":"2""#) == false)
            for (method, path, name) in [
                ("POST", "/c?documentId=b", ""), ("PATCH", "/c/a", ""), ("PATCH", "/c/a", Self.name),
            ] {
                let reply = try await server.rest(method, path, #"{"name":"\#(name)",\#(Self.fields)}"#)
                #expect(reply.status == 200, "\(method) \(path) \(name): \(reply.text)")
            }
        }

        @Test(arguments: [
            "projects/q/databases/(default)", "projects/p/databases/other", "junk", "\(Names.database)/x",
        ])
        func databasesThatDifferFromTheURL(_ database: String) async throws {
            let write = "{\"update\":{\"name\":\"\(Self.name)\",\(Self.fields)}}"
            let begun = try await server.rest("POST", ":beginTransaction", "{}").object["transaction"] as? String
            let calls = [
                ("commit", #""writes":[\#(write)]"#), ("batchWrite", #""writes":[\#(write)]"#),
                ("beginTransaction", #""options":{}"#),
                ("batchGet", #""documents":["\#(Self.name)"]"#), ("rollback", #""transaction":"\#(begun ?? "")""#),
            ]
            for (verb, body) in calls {
                let reply = try await server.rest("POST", ":\(verb)", "{\"database\":\"\(database)\",\(body)}")
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(verb): \(reply.text)")
            }
            #expect(try await server.rest("GET", "/c/a").text.contains(#""n":{"integerValue":"1"}"#))
            for name in ["", Names.database] {
                for (verb, body) in calls {
                    let reply = try await server.rest("POST", ":\(verb)", "{\"database\":\"\(name)\",\(body)}")
                    #expect(reply.status == 200, "\(verb): \(reply.text)")
                }
            }
        }

        /// As the emulator, in production's words.
        @Test(arguments: [
            (
                ":runAggregationQuery",
                #""structuredAggregationQuery":{"aggregations":[{"count":{}}]},"structuredQuery":{}"#, "query_type"
            ),
            (
                ":runAggregationQuery", #""structuredAggregationQuery":{"aggregations":[{"count":{},"sum":{}}]}"#,
                "operator"
            ),
            (
                ":runQuery",
                #""structuredQuery":{"from":[{"collectionId":"c"}]},"newTransaction":{},"readTime":"2024-01-01T00:00:00Z""#,
                "consistency_selector"
            ),
            (":batchGet", #""newTransaction":{},"transaction":"AAAA""#, "consistency_selector"),
            (":beginTransaction", #""options":{"readOnly":{},"readWrite":{}}"#, "mode"),
        ])
        func twoAlternatives(_ method: String, _ members: String, _ oneof: String) async throws {
            let reply = try await server.rest("POST", method, "{\(members)}")
            #expect(reply.error?.status == "INVALID_ARGUMENT")
            #expect(reply.error?.message.contains("oneof field '\(oneof)' is already set") == true, "\(reply.text)")
        }

        /// One would be passed over without a word.
        @Test(arguments: ["/c/a", "/c"]) func twoStatesInTheURL(_ path: String) async throws {
            let reply = try await server.rest("GET", "\(path)?transaction=AAAA&readTime=2024-01-01T00:00:00Z")
            #expect(reply.error?.message.contains("oneof field 'consistency_selector' is already set") == true)
        }

        /// One would be passed over without a word.
        @Test(arguments: ["PATCH", "DELETE"]) func twoPreconditionsInTheURL(_ method: String) async throws {
            let time = "currentDocument.updateTime=2024-01-01T00:00:00Z"
            for query in ["currentDocument.exists=true&\(time)", "\(time)&currentDocument.exists=true"] {
                let reply = try await server.rest(method, "/c/a?\(query)", method == "PATCH" ? "{\(Self.fields)}" : "")
                #expect(reply.error?.status == "INVALID_ARGUMENT", "\(reply.text)")
            }
            #expect(try await server.rest("GET", "/c/a").text.contains(#""n":{"integerValue":"1"}"#))
        }
    }
#endif
