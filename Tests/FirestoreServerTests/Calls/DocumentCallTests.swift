// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import NIOHPACK
    import SwiftProtobuf
    import Testing

    /// GetDocument, CreateDocument, UpdateDocument, DeleteDocument and BatchGetDocuments over gRPC.
    @Suite struct DocumentCallTests {
        let server: TestServer
        let connection: GRPCConnection

        init() async throws {
            server = try TestServer()
            connection = try await GRPCConnection.open(server.port)
        }

        private func refusal(_ method: String, _ request: some Message) async throws -> GRPCFailure {
            GRPCFailure(try await connection.exchange(method, request))
        }

        private func get(_ path: String, mask: [String]? = nil) async throws -> ProtoDocument {
            var request = ProtoGetDocumentRequest()
            request.name = Names.document(path)
            if let mask { request.mask.fieldPaths = mask }
            return try await connection.unary("GetDocument", request)
        }

        /// Firestore compares names by their bytes: both forms of "é" are fields of one document. Of two entries with one name the last
        /// counts, as in every map of protobuf.
        @Test func namesAreBytes() async throws {
            var write = ProtoWrite()
            write.update.name = Names.document("c/d")
            write.update.fields = [("e\u{301}", 1), ("\u{E9}", 2), ("a", 3), ("a", 4)].map { name, number in
                .with {
                    $0.key = name
                    $0.value = ProtoValue(number)
                }
            }
            try await connection.commit([write])
            let document = try await get("c/d")
            #expect(document.fields.map { Array($0.key.utf8) } == [[0x61], [0x65, 0xCC, 0x81], [0xC3, 0xA9]])
            #expect(document.fields.map(\.value.integerValue) == [4, 1, 2])
        }

        @Test(arguments: ["c/a", "", Names.database, "projects/p/databases/(default)/x/c/a"])
        func referencesThatAreNoFullNames(_ name: String) async throws {
            let value = ProtoValue.with { $0.referenceValue = name }
            await #expect(throws: GRPCFailure.self) { try await connection.commit([.set("c/d", ["r": value])]) }
            let found = try await refusal("RunQuery", ProtoRunQueryRequest(.all("c").filtered("r", .equal, value)))
            #expect(found.status == .invalidArgument)
        }

        @Test func documentsWithTheirTimes() async throws {
            let first = try await connection.commit([.set("c/d", ["a": ProtoValue(1), "b": ProtoValue("x")])])
            #expect(first.writeResults.map(\.updateTime) == [first.commitTime])
            let second = try await connection.commit([.set("c/d", ["a": ProtoValue(2), "b": ProtoValue("x")])])
            let document = try await get("c/d")
            #expect(document.name == Names.document("c/d"))
            #expect(document.fields == [ProtoFieldEntry](["a": ProtoValue(2), "b": ProtoValue("x")]))
            #expect(document.createTime == first.commitTime)
            #expect(document.updateTime == second.commitTime)
            #expect(try await get("c/d", mask: ["b", "none"]).fields == [ProtoFieldEntry](["b": ProtoValue("x")]))
            #expect(try await get("c/d", mask: []).fields.isEmpty)
        }

        @Test func missingDocument() async throws {
            let missing = GRPCFailure(.notFound, "Document \"\(Names.document("c/x"))\" not found.")
            await #expect(throws: missing) { try await get("c/x") }
        }

        @Test(arguments: [
            "", "c/d", "projects/p/databases/(default)/documents", "projects/p/databases/(default)/documents/c",
            "projects/p/databases/(default)/documents/c/d/e", "projects/p/databases/(default)/documents/c//d",
            "projects//databases/x/documents/c/d", "projects/p/databases/(default)/documents/c/__x__",
            "projects/p/databases/(default)/documents/c/..",
        ])
        func namesThatAreNone(_ name: String) async throws {
            var request = ProtoUpdateDocumentRequest()
            request.document.name = name
            #expect(try await refusal("UpdateDocument", request).status == .invalidArgument)
            var delete = ProtoDeleteDocumentRequest()
            delete.name = name
            #expect(try await refusal("DeleteDocument", delete).status == .invalidArgument)
        }

        /// As Google's client tests want it, which are made for production; the words are the emulator's.
        @Test(arguments: [
            ("c/__x__", #"Resource id "__x__" is invalid because it is reserved."#),
            ("c/__x__/d/e", #"Resource id "__x__" is invalid because it is reserved."#),
            ("__x__/d", #"Collection id "__x__" is invalid because it is reserved."#),
        ])
        func reservedNamesCannotBeRead(_ path: String, message: String) async throws {
            let refused = GRPCFailure(.invalidArgument, message)
            await #expect(throws: refused) { try await get(path) }
            var batch = ProtoBatchGetDocumentsRequest()
            batch.database = Names.database
            batch.documents = [Names.document(path)]
            #expect(try await refusal("BatchGetDocuments", batch) == refused)
            var query = ProtoRunQueryRequest(.all("c"))
            query.parent = Names.document(path)
            #expect(try await refusal("RunQuery", query) == refused)
            var collections = ProtoListCollectionIdsRequest()
            collections.parent = Names.document(path)
            #expect(try await refusal("ListCollectionIds", collections) == refused)
        }

        @Test func create() async throws {
            var request = ProtoCreateDocumentRequest()
            request.parent = Names.root
            request.collectionID = "c"
            request.documentID = "d"
            request.document.fields = [ProtoFieldEntry](["a": ProtoValue(1), "b": ProtoValue(2)])
            request.mask.fieldPaths = ["b"]
            let created: ProtoDocument = try await connection.unary("CreateDocument", request)
            #expect(created.name == Names.document("c/d"))
            #expect(created.fields == [ProtoFieldEntry](["b": ProtoValue(2)]))
            #expect(created.createTime == created.updateTime)
            let again = try await refusal("CreateDocument", request)
            #expect(again == GRPCFailure(.alreadyExists, "Document already exists: \(Names.document("c/d"))"))
            request.documentID = ""
            let named: ProtoDocument = try await connection.unary("CreateDocument", request)
            #expect(named.name.wholeMatch(of: /.*\/c\/[A-Za-z0-9]{20}/) != nil)
            request.document.name = Names.document("c/e")
            #expect(try await refusal("CreateDocument", request).status == .invalidArgument)
            request.document.name = ""
            for id in ["a/b", "..", "__x__"] {
                request.documentID = id
                #expect(try await refusal("CreateDocument", request).status == .invalidArgument, "\(id)")
            }
            request.documentID = "d"
            request.collectionID = ""
            #expect(try await refusal("CreateDocument", request).status == .invalidArgument)
        }

        @Test func update() async throws {
            var request = ProtoUpdateDocumentRequest()
            request.document.name = Names.document("c/d")
            request.document.fields = [ProtoFieldEntry](["a": ProtoValue(1), "b": ProtoValue(2)])
            request.currentDocument.exists = true
            let missing = GRPCFailure(.notFound, "No document to update: \(Names.document("c/d"))")
            #expect(try await refusal("UpdateDocument", request) == missing)
            request.clearCurrentDocument()
            let made: ProtoDocument = try await connection.unary("UpdateDocument", request)
            #expect(made.fields.count == 2)
            request.document.fields = [ProtoFieldEntry](["a": ProtoValue(7)])
            request.updateMask.fieldPaths = ["a", "b"]
            request.mask.fieldPaths = ["a"]
            request.currentDocument.updateTime = made.updateTime
            let changed: ProtoDocument = try await connection.unary("UpdateDocument", request)
            #expect(changed.fields == [ProtoFieldEntry](["a": ProtoValue(7)]))
            #expect(try await get("c/d").fields == [ProtoFieldEntry](["a": ProtoValue(7)]))
            // The base version is gone.
            let stale = try await refusal("UpdateDocument", request)
            #expect(stale.status == .failedPrecondition)
            #expect(stale.message.contains("base version"), "\(stale)")
        }

        @Test func delete() async throws {
            var request = ProtoDeleteDocumentRequest()
            request.name = Names.document("c/d")
            let _: Google_Protobuf_Empty = try await connection.unary("DeleteDocument", request)
            request.currentDocument.exists = true
            #expect(try await refusal("DeleteDocument", request).status == .notFound)
            try await connection.commit([.set("c/d", [:])])
            let _: Google_Protobuf_Empty = try await connection.unary("DeleteDocument", request)
            #expect(try await refusal("DeleteDocument", request).status == .notFound)
        }

        @Test func batchGet() async throws {
            try await connection.commit([.set("c/a", ["n": ProtoValue(1)]), .set("c/b", ["n": ProtoValue(2)])])
            var request = ProtoBatchGetDocumentsRequest()
            request.database = Names.database
            request.documents = ["c/b", "c/x", "c/a", "c/b", "c/x"].map(Names.document)
            let responses: [ProtoBatchGetDocumentsResponse] = try await connection.stream("BatchGetDocuments", request)
            #expect(Set(responses.map(\.found.name)) == ["", Names.document("c/a"), Names.document("c/b")])
            #expect(responses.filter { $0.result == .missing(Names.document("c/x")) }.count == 1)
            #expect(responses.count == 3)
            #expect(responses.allSatisfy { $0.hasReadTime && $0.transaction.isEmpty })
            request.documents = []
            let none: [ProtoBatchGetDocumentsResponse] = try await connection.stream("BatchGetDocuments", request)
            #expect(none.isEmpty)
            request.documents = ["projects/p/databases/other/documents/c/a"]
            #expect(try await refusal("BatchGetDocuments", request).status == .invalidArgument)
        }

        /// The first response carries only the transaction, which is read-only unless the options say otherwise.
        @Test func batchGetBeginsTransaction() async throws {
            try await connection.commit([.set("c/a", [:])])
            var request = ProtoBatchGetDocumentsRequest()
            request.database = Names.database
            request.documents = [Names.document("c/a")]
            request.newTransaction = .init()
            let responses: [ProtoBatchGetDocumentsResponse] = try await connection.stream("BatchGetDocuments", request)
            #expect(responses.count == 2)
            let id = responses[0].transaction
            #expect(!id.isEmpty && responses[0].result == nil && !responses[0].hasReadTime)
            let refused = GRPCFailure(.invalidArgument, "Cannot modify entities in a read-only transaction.")
            await #expect(throws: refused) { try await connection.commit([.set("c/b", [:])], transaction: id) }
        }

        @Test func pipelinesAreRefused() async throws {
            let response = try await connection.exchange("ExecutePipeline", ProtoExecutePipelineRequest())
            #expect(response.status == StatusCode.failedPrecondition.rawValue)
            #expect(response.message == Self.pipelineText)
            let details = try #require(response.trailers.first(name: "grpc-status-details-bin"))
            let padded = details + String(repeating: "=", count: (4 - details.utf8.count % 4) % 4)
            let status = try ProtoStatus(serializedBytes: try #require(Base64.decode(padded)))
            #expect(status.code == 9 && status.message == Self.pipelineText)
            let info = try ProtoErrorInfo(unpackingAny: try #require(status.details.first))
            #expect(info.reason == "PIPELINE_REQUIRES_ENTERPRISE_EDITION")
            #expect(info.domain == "firestore.googleapis.com")
            let rest = try await server.rest("POST", ":executePipeline", "{}")
            let failure = HTTPFailure(code: 400, status: "FAILED_PRECONDITION", message: Self.pipelineText)
            #expect(rest.error == failure)
            let error = try #require(rest.array.first?["error"] as? [String: Any])
            let shown = try #require(error["details"] as? [[String: Any]])
            #expect(
                shown.map { $0["@type"] as? String } == [
                    "type.googleapis.com/google.rpc.ErrorInfo", "type.googleapis.com/google.rpc.Help",
                ])
            #expect(shown.first?["reason"] as? String == "PIPELINE_REQUIRES_ENTERPRISE_EDITION")
        }

        private static let pipelineText =
            "Pipeline Operations are only available for Firestore databases in Enterprise edition.\n\nPlease switch to an "
            + "Enterprise edition database to take advantage of such functionality."
    }
#endif
