// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import SwiftProtobuf
    import Testing

    /// Masks whose paths are longer than a document's may be (D-8) are refused in the emulator's words, before anything is read or
    /// written.
    @Suite struct LongMaskTests {
        let server: TestServer
        let connection: GRPCConnection

        init() async throws {
            server = try TestServer()
            connection = try await GRPCConnection.open(server.port)
            try await connection.commit([.set("c/d", ["a": ProtoValue(1)])])
        }

        private static let refusal = "property path is longer than 1500 bytes."

        private func path(names count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }

        private func refuse(_ method: String, _ request: some Message) async throws {
            let failure = GRPCFailure(try await connection.exchange(method, request))
            #expect(failure == GRPCFailure(.invalidArgument, Self.refusal), "\(method)")
        }

        /// A path of so many names would not fit on the stack, if work were done for each.
        @Test(arguments: [751, 200_000]) func overGRPC(_ count: Int) async throws {
            let mask = ProtoDocumentMask.with { $0.fieldPaths = ["a", path(names: count)] }
            var get = ProtoGetDocumentRequest()
            get.name = Names.document("c/d")
            get.mask = mask
            try await refuse("GetDocument", get)
            var list = ProtoListDocumentsRequest()
            list.parent = Names.root
            list.collectionID = "c"
            list.mask = mask
            try await refuse("ListDocuments", list)
            var batch = ProtoBatchGetDocumentsRequest()
            batch.database = Names.database
            batch.documents = [Names.document("c/d")]
            batch.mask = mask
            try await refuse("BatchGetDocuments", batch)
            var create = ProtoCreateDocumentRequest()
            create.parent = Names.root
            create.collectionID = "c"
            create.mask = mask
            try await refuse("CreateDocument", create)
            var update = ProtoUpdateDocumentRequest()
            update.document.name = Names.document("c/e")
            update.mask = mask
            try await refuse("UpdateDocument", update)
            #expect(try await connection.ids(.all("c")) == ["d"])
        }

        /// It is the write's own, which fails alone over REST and gRPC alike.
        @Test func ofAWriteOfABatch() async throws {
            var write = ProtoWrite.set("c/d", ["a": ProtoValue(2)])
            write.updateMask.fieldPaths = [path(names: 200_000)]
            var request = ProtoBatchWriteRequest()
            request.database = Names.database
            request.writes = [write, .set("c/e", [:])]
            let response: ProtoBatchWriteResponse = try await connection.unary("BatchWrite", request)
            #expect(response.status.map(\.code) == [3, 0] && response.status[0].message == Self.refusal)
            #expect(try await connection.ids(.all("c")) == ["d", "e"])
        }

        @Test func theLongestPath() async throws {
            var request = ProtoGetDocumentRequest()
            request.name = Names.document("c/d")
            request.mask.fieldPaths = [String(repeating: "a", count: 1_500)]
            let document: ProtoDocument = try await connection.unary("GetDocument", request)
            #expect(document.fields.isEmpty)
        }

        @Test func overREST() async throws {
            let path = path(names: 751)
            let refused = HTTPFailure(code: 400, status: "INVALID_ARGUMENT", message: Self.refusal)
            for place in ["/c/d", "/c"] {
                #expect(try await server.rest("GET", "\(place)?mask.fieldPaths=\(path)").error == refused)
            }
            for name in ["mask", "updateMask"] {
                #expect(try await server.rest("PATCH", "/c/e?\(name).fieldPaths=\(path)", "{}").error == refused)
            }
            let body = #"{"documents":["\#(Names.document("c/d"))"],"mask":{"fieldPaths":["\#(path)"]}}"#
            #expect(try await server.rest("POST", ":batchGet", body).error == refused)
            #expect(try await connection.ids(.all("c")) == ["d"])
        }
    }
#endif
