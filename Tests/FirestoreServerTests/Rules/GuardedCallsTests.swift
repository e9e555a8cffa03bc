// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// Every way to data goes through the rules.
    @Suite struct GuardedCallsTests {
        private static let closed = """
            rules_version = '2';
            service cloud.firestore {
              match /{path=**} { allow read, write: if false; }
            }
            """

        /// Requests by method that are valid and touch data.
        private static let requests: [String: any Message & Sendable] = [
            "GetDocument": ProtoGetDocumentRequest.with { $0.name = Names.document("c/a") },
            "ListDocuments": ProtoListDocumentsRequest.with {
                $0.parent = Names.root
                $0.collectionID = "c"
            },
            "CreateDocument": ProtoCreateDocumentRequest.with {
                $0.parent = Names.root
                $0.collectionID = "c"
            },
            "UpdateDocument": ProtoUpdateDocumentRequest.with { $0.document.name = Names.document("c/a") },
            "DeleteDocument": ProtoDeleteDocumentRequest.with { $0.name = Names.document("c/a") },
            "BatchGetDocuments": ProtoBatchGetDocumentsRequest.with {
                $0.database = Names.database
                $0.documents = [Names.document("c/a")]
            },
            "Commit": ProtoCommitRequest.with {
                $0.database = Names.database
                $0.writes = [.set("c/a", [:])]
            },
            "RunQuery": ProtoRunQueryRequest(.all("c")),
            "RunAggregationQuery": ProtoRunAggregationQueryRequest.with {
                $0.parent = Names.root
                $0.structuredAggregationQuery.structuredQuery = .all("c")
                $0.structuredAggregationQuery.aggregations = [.with { $0.count = .init() }]
            },
            "PartitionQuery": ProtoPartitionQueryRequest.with {
                $0.parent = Names.root
                $0.structuredQuery = .all("c")
                $0.structuredQuery.from[0].allDescendants = true
                $0.partitionCount = 2
            },
            "ListCollectionIds": ProtoListCollectionIdsRequest.with { $0.parent = Names.root },
            "BatchWrite": ProtoBatchWriteRequest.with {
                $0.database = Names.database
                $0.writes = [.set("c/a", [:])]
            },
            "Write": ProtoWriteRequest.with { $0.database = Names.database },
            "Listen": ProtoListenRequest.with { $0.database = Names.database },
        ]

        /// They touch no data, or refuse every caller.
        private static let harmless: Set = ["BeginTransaction", "Rollback", "ExecutePipeline"]
        private static let streams: Set = ["Write", "Listen"]

        @Test func everyMethodAsksTheRules() async throws {
            let server = try TestServer(rules: Self.closed)
            let connection = try await GRPCConnection.open(server.port)
            let methods = GRPCMethods(
                FirestoreService(try DatabaseRegistry(ServerOptions(), IndexSource(), RulesSource())))
            let names = methods.paths.map { String($0.split(separator: "/").last ?? "") }
            #expect(Set(names) == Self.harmless.union(Self.requests.keys))
            for (method, request) in Self.requests.sorted(by: { $0.key < $1.key })
            where !Self.streams.contains(method) {
                for authorization in [nil, Tokens.of("alice")] {
                    let response = try await connection.exchange(method, request, authorization)
                    #expect(response.status == StatusCode.permissionDenied.rawValue, "\(method): \(response.message)")
                    #expect(response.messages.isEmpty)
                }
                let response = try await connection.exchange(method, request, "Bearer owner")
                #expect(response.status != StatusCode.permissionDenied.rawValue, "\(method)")
            }
        }

        @Test func writesOfAStream() async throws {
            let server = try TestServer(rules: Self.closed)
            let connection = try await GRPCConnection.open(server.port)
            let stream = try await connection.begin("Write", headers: [("authorization", Tokens.of("alice"))])
            await stream.send(try frame(ProtoWriteRequest.with { $0.database = Names.database }))
            await stream.send(try frame(ProtoWriteRequest.with { $0.writes = [.set("c/a", [:])] }))
            let response = await stream.response()
            #expect(response.status == StatusCode.permissionDenied.rawValue)
            #expect(response.message.hasPrefix("\nfalse for 'create' @ L3"))
        }

        /// The outcomes of its writes are more text than a block of headers has room for.
        @Test func aRefusedBatchLeavesTheConnectionOpen() async throws {
            let server = try TestServer(
                rules: ServedRules.frame("    match /c/{d} { allow write: if resource.data.n == 1; }"))
            let writes = (0..<500).map { #"{"update":{"name":"\#(Names.document("c/d\($0)"))"}}"# }
            let whole = try await server.rest("POST", ":commit", #"{"writes":[\#(writes.joined(separator: ","))]}"#)
            let words = try #require(whole.error).message
            try #require(words.utf8.count > 20_000)
            let connection = try await GRPCConnection.open(server.port)
            let request = ProtoCommitRequest.with {
                $0.database = Names.database
                $0.writes = (0..<500).map { .set("c/d\($0)", [:]) }
            }
            let refused = try await connection.exchange("Commit", request, Tokens.of("alice"))
            #expect(refused.status == StatusCode.permissionDenied.rawValue)
            let kept = refused.message.utf8.count
            #expect((3_000...4_100).contains(kept) && words.hasPrefix(refused.message.dropLast(2)), "\(kept)")
            #expect(try await connection.exchange("Commit", request, "Bearer owner").status == 0)
        }

        /// Ways to documents other than by their names and by queries.
        @Test func namesAreForAdministrators() async throws {
            let server = try TestServer(rules: Self.closed.replacing("false", with: "true"))
            let metadata = "Metadata operations require admin authentication."
            let missing = try await server.rest("GET", "/c?showMissing=true")
            #expect(missing.error?.message == metadata)
            #expect(try await server.rest("POST", ":listCollectionIds").error?.message == metadata)
            let batch = try await server.rest("POST", ":batchWrite", #"{"writes":[]}"#)
            #expect(batch.error?.message == "Batch writes require admin authentication.")
            #expect(try await server.rest("GET", "/c").status == 200)
        }

        /// A list without a page size is a query with the limit of 30, as at the emulator, and serves no more.
        @Test(arguments: [(29, 0), (30, 30), (50, 30)])
        func listsAreJudgedByWhatTheyServe(_ limit: Int, _ served: Int) async throws {
            let server = try TestServer(rules: Self.closed.replacing("false", with: "request.query.limit <= \(limit)"))
            let writes = (10..<50).map { #"{"update":{"name":"\#(Names.document("c/\($0)"))"}}"# }
            let commit = #"{"writes":[\#(writes.joined(separator: ","))]}"#
            _ = try await server.http(
                "POST", "/v1/\(Names.root):commit", commit, headers: [("authorization", "Bearer owner")])
            let list = try await server.rest("GET", "/c?mask.fieldPaths=n")
            #expect(list.text.components(separatedBy: #""name""#).count - 1 == served)
            #expect((list.status == 200) == (served > 0))
        }

        /// A refused request neither begins a transaction nor tells whether the document exists.
        @Test func refusalsTellNothing() async throws {
            let server = try TestServer(rules: Self.closed)
            _ = try await server.http(
                "PATCH", "/v1/\(Names.root)/c/there", "{}", headers: [("authorization", "Bearer owner")])
            let there = try await server.rest("GET", "/c/there")
            #expect(try await server.rest("GET", "/c/missing").text == there.text)
            #expect(
                there.error == HTTPFailure(code: 403, status: "PERMISSION_DENIED", message: "\nfalse for 'get' @ L3"))
            let create =
                #"{"writes":[{"update":{"name":"\#(Names.document("c/there"))"},"currentDocument":{"exists":false}}]}"#
            #expect(try await server.rest("POST", ":commit", create).error?.status == "PERMISSION_DENIED")
        }
    }

    enum Tokens {
        /// An unsigned token, as emulators take it.
        static func of(_ user: String) -> String { of(Data(#"{"sub":"\#(user)"}"#.utf8)) }

        static func of(_ claims: Data) -> String {
            let text = claims.base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
            return "Bearer eyJhbGciOiJub25lIn0.\(text.replacing("/", with: "_"))."
        }
    }

    extension GRPCConnection {
        fileprivate func exchange(
            _ method: String, _ request: any Message, _ authorization: String?
        ) async throws -> GRPCResponse {
            let stream = try await begin(method, headers: authorization.map { [("authorization", $0)] } ?? [])
            await stream.send(frame(try request.serializedBytes() as [UInt8]), isLast: true)
            return await stream.response()
        }
    }
#endif
