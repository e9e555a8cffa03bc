// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf
    import TestSupport
    import Testing

    /// Valid requests with changed bytes. Clients retry INTERNAL and UNKNOWN for a minute, so no request may cause them.
    @Suite struct MutatedRequestTests {
        let server: TestServer

        init() async throws {
            server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 10)
            try await connection.close()
        }

        @Test func overGRPC() async throws {
            var random = SeededGenerator.printingSeed()
            let connection = try await GRPCConnection.open(server.port)
            let requests = try Self.messages()
            for _ in 0..<Rounds.of(2_000) {
                let (method, bytes) = random.pick(requests)
                let mutated = Self.mutated(bytes, &random)
                let stream = try await connection.begin(method)
                await stream.send(frame(mutated), isLast: true)
                let response = await stream.response()
                let status = response.status.flatMap { StatusCode(rawValue: $0) }
                let isClientsFault = status != nil && status != .unknown && status != .internal && status != .dataLoss
                #expect(isClientsFault, "seed \(random.seed): \(method) \(mutated): \(response.message)")
            }
            #expect(server.loggedFailures == [])
        }

        @Test func overREST() async throws {
            var random = SeededGenerator.printingSeed()
            for _ in 0..<Rounds.of(2_000) {
                let (method, path, body) = random.pick(Self.requests)
                let changesPath = random.chance(0.4)
                let changed = changesPath ? Self.printable(Self.mutated(Array(path.utf8), &random)) : path
                let sent = changesPath ? Array(body.utf8) : Self.mutated(Array(body.utf8), &random)
                let connection = try await HTTPConnection.open(server.port)
                let head = "\(method) /v1/\(changed) HTTP/1.1\r\ncontent-length: \(sent.count)\r\n\r\n"
                try await connection.send(Array(head.utf8) + sent)
                let reply = try await connection.response()
                #expect(
                    reply.status < 500 || reply.status == 501,
                    "seed \(random.seed): \(head) \(String(decoding: sent, as: UTF8.self)): \(reply.text)")
                try await connection.close()
            }
            #expect(server.loggedFailures == [])
        }

        private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<random.int(1..<4) where !bytes.isEmpty {
                let place = random.int(0..<bytes.count)
                switch random.int(0..<5) {
                case 0: bytes[place] ^= 1 << UInt8(random.int(0..<8))
                case 1: bytes[place] = UInt8(random.int(0..<256))
                case 2: bytes.remove(at: place)
                case 3: bytes.insert(random.pick(bytes), at: place)
                default: bytes.replaceSubrange(place..., with: bytes[random.int(0..<bytes.count)...])
                }
            }
            return bytes
        }

        /// Without what ends a request line.
        private static func printable(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.filter { (0x21..<0x7F).contains($0) }, as: UTF8.self)
        }

        private static let query = ProtoStructuredQuery.all("c").filtered("n", .greaterThan, ProtoValue(3)).ordered("n")

        private static func messages() throws -> [(String, [UInt8])] {
            var get = ProtoGetDocumentRequest()
            get.name = Names.document("c/d000001")
            get.mask.fieldPaths = ["n", "a.b"]
            var list = ProtoListDocumentsRequest()
            list.parent = Names.root
            list.collectionID = "c"
            list.pageSize = 3
            list.orderBy = "n desc"
            var batchGet = ProtoBatchGetDocumentsRequest()
            batchGet.database = Names.database
            batchGet.documents = [Names.document("c/d000001"), Names.document("c/x")]
            batchGet.readTime = .init(seconds: 1_700_000_000)
            var commit = ProtoCommitRequest()
            commit.database = Names.database
            var write = ProtoWrite.set("c/w", ["a": ProtoValue(1), "b": ProtoValue("text")]).ifExists(true)
            write.updateMask.fieldPaths = ["a", "`x y`"]
            commit.writes = [write, .delete("c/w")]
            var batchWrite = ProtoBatchWriteRequest()
            batchWrite.database = Names.database
            batchWrite.writes = commit.writes
            var aggregation = ProtoRunAggregationQueryRequest()
            aggregation.parent = Names.root
            aggregation.structuredAggregationQuery.structuredQuery = query
            aggregation.structuredAggregationQuery.aggregations = [.with { $0.count.upTo.value = 5 }]
            var partition = ProtoPartitionQueryRequest()
            partition.parent = Names.root
            partition.partitionCount = 3
            partition.structuredQuery = .all("c")
            partition.structuredQuery.from[0].allDescendants = true
            var ids = ProtoListCollectionIdsRequest()
            ids.parent = Names.document("c/d000001")
            ids.pageSize = 2
            var begin = ProtoBeginTransactionRequest()
            begin.database = Names.database
            begin.options.readWrite.retryTransaction = Data([1, 2, 3])
            var create = ProtoCreateDocumentRequest()
            create.parent = Names.root
            create.collectionID = "c"
            create.documentID = "made"
            create.document.fields = [ProtoFieldEntry](["a": ProtoValue(1)])
            return [
                ("GetDocument", try get.serializedBytes()), ("ListDocuments", try list.serializedBytes()),
                ("BatchGetDocuments", try batchGet.serializedBytes()), ("Commit", try commit.serializedBytes()),
                ("BatchWrite", try batchWrite.serializedBytes()),
                ("RunQuery", try ProtoRunQueryRequest(query).serializedBytes()),
                ("RunAggregationQuery", try aggregation.serializedBytes()),
                ("PartitionQuery", try partition.serializedBytes()),
                ("ListCollectionIds", try ids.serializedBytes()),
                ("BeginTransaction", try begin.serializedBytes()),
                ("CreateDocument", try create.serializedBytes()),
                ("Rollback", try begin.serializedBytes()),
            ]
        }

        private static let requests = [
            ("GET", "\(Names.root)/c/d000001?mask.fieldPaths=n&readTime=2026-01-01T00:00:00Z", ""),
            ("GET", "\(Names.root)/c?pageSize=3&orderBy=n%20desc&showMissing=false", ""),
            (
                "PATCH", "\(Names.root)/c/w?updateMask.fieldPaths=a&currentDocument.exists=false",
                #"{"fields":{"a":{"integerValue":"1"}}}"#
            ),
            ("DELETE", "\(Names.root)/c/w?currentDocument.updateTime=2026-01-01T00:00:00Z", ""),
            (
                "POST", "\(Names.root):runQuery",
                #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"#
                    + #""op":"EQUAL","value":{"integerValue":"1"}}},"orderBy":[{"field":{"fieldPath":"n"}}],"limit":3}}"#
            ),
            (
                "POST", "\(Names.root):commit",
                #"{"writes":[{"update":{"name":"\#(Names.root)/c/w","fields":{"a":{"doubleValue":1.5}}},"#
                    + #""updateMask":{"fieldPaths":["a"]},"updateTransforms":[{"fieldPath":"b","increment":{"integerValue":"1"}}]}]}"#
            ),
            (
                "POST", "\(Names.root):batchGet",
                #"{"documents":["\#(Names.root)/c/w"],"newTransaction":{"readOnly":{}}}"#
            ),
            ("POST", "\(Names.root):beginTransaction", #"{"options":{"readWrite":{"retryTransaction":"AAAA"}}}"#),
        ]
    }
#endif
