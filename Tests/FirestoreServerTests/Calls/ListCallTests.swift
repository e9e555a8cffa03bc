// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import SwiftProtobuf
    import Testing

    /// ListDocuments, ListCollectionIds and PartitionQuery over gRPC.
    @Suite struct ListCallTests {
        let server: TestServer
        let connection: GRPCConnection

        init() async throws {
            server = try TestServer()
            connection = try await GRPCConnection.open(server.port)
            try await connection.commit(
                ["c/a", "c/b", "c/d", "c/gone/s/x", "c/a/s/y", "e/f"].enumerated()
                    .map { .set($1, ["n": ProtoValue($0), "m": ProtoValue(1)]) })
        }

        private func list(_ change: (inout ProtoListDocumentsRequest) -> Void) async throws
            -> ProtoListDocumentsResponse
        {
            var request = ProtoListDocumentsRequest()
            request.parent = Names.root
            request.collectionID = "c"
            change(&request)
            return try await connection.unary("ListDocuments", request)
        }

        private func names(_ change: (inout ProtoListDocumentsRequest) -> Void) async throws -> [String] {
            try await list(change).documents.map { String($0.name.dropFirst(Names.root.count + 1)) }
        }

        private func refusal(_ change: (inout ProtoListDocumentsRequest) -> Void) async throws -> GRPCFailure? {
            do { _ = try await list(change) } catch let failure as GRPCFailure { return failure }
            return nil
        }

        @Test func collections() async throws {
            #expect(try await names { _ in } == ["c/a", "c/b", "c/d"])
            #expect(try await names { $0.collectionID = "" } == ["c/a", "c/b", "c/d", "e/f"])
            #expect(
                try await names {
                    $0.parent = Names.document("c/gone")
                    $0.collectionID = "s"
                } == ["c/gone/s/x"])
            #expect(try await names { $0.collectionID = "none" } == [])
            #expect(try await names { $0.orderBy = "n desc" } == ["c/d", "c/b", "c/a"])
            #expect(try await names { $0.orderBy = "__name__" } == ["c/a", "c/b", "c/d"])
        }

        /// Backquotes keep commas and spaces in names together. The emulator orders by these, too.
        @Test(arguments: [
            ("`b c`", ["x", "y"]), ("`b c` desc", ["y", "x"]), ("`b,c`", ["y", "x"]), ("`b,c` desc", ["x", "y"]),
            ("  `b c`   desc ", ["y", "x"]), ("`b\\`c,` desc", ["y", "x"]),
        ])
        func quotedNames(_ order: String, _ expected: [String]) async throws {
            try await connection.commit([
                .set("q/x", ["b c": ProtoValue(1), "b,c": ProtoValue(2), "b`c,": ProtoValue(1)]),
                .set("q/y", ["b c": ProtoValue(2), "b,c": ProtoValue(1), "b`c,": ProtoValue(2)]),
            ])
            let found = try await names {
                $0.collectionID = "q"
                $0.orderBy = order
            }
            #expect(found == expected.map { "q/\($0)" })
        }

        /// The emulator's answers.
        @Test(arguments: ["n,,m", ",n", "n,", "n, ,m", ",", " ", "n desc,", "`b c`,", "n asc m", "n descending"])
        func malformedOrders(_ order: String) async throws {
            let refused = try await refusal { $0.orderBy = order }
            #expect(refused?.status == .invalidArgument)
            #expect(refused?.message == "Invalid order by clause \"\(order)\".")
        }

        /// As Python lists names: with an empty mask.
        @Test func missingParents() async throws {
            let listed = try await list {
                $0.showMissing = true
                $0.mask = .init()
            }
            #expect(listed.documents.map { $0.name.split(separator: "/").last } == ["a", "b", "d", "gone"])
            #expect(listed.documents.map(\.hasUpdateTime) == [true, true, true, false])
            #expect(listed.documents.allSatisfy { $0.fields.isEmpty })
            let refused = try await refusal {
                $0.showMissing = true
                $0.orderBy = "n"
            }
            #expect(refused?.status == .invalidArgument)
        }

        /// What a transaction has listed may not change until its commit, the contents neither.
        @Test(arguments: [false, true]) func listsOfTransactions(_ showsMissing: Bool) async throws {
            let begun = try await server.rest("POST", ":beginTransaction", "{}")
            let transaction = try #require(begun.object["transaction"] as? String)
            let encoded = try #require(transaction.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let listed = try await server.rest("GET", "/c?showMissing=\(showsMissing)&transaction=\(encoded)")
            try #require((listed.object["documents"] as? [Any])?.count == (showsMissing ? 4 : 3))
            try #require(try await server.rest("PATCH", "/c/a", #"{"fields":{}}"#).status == 200)
            let write = #"{"update":{"name":"\#(Names.document("e/f"))","fields":{}}}"#
            let end = try await server.rest(
                "POST", ":commit", #"{"transaction":"\#(transaction)","writes":[\#(write)]}"#)
            #expect(end.status == 409)
            #expect(end.error?.status == "ABORTED")
        }

        @Test(arguments: ["", "n", "n desc", "m, n desc", "__name__"], [1, 2, 3, 4]) func pages(
            _ orderBy: String, _ size: Int
        ) async throws {
            // `m, n desc` needs an index.
            let server = try TestServer { $0.mode = .permissive }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 7)
            for showsMissing in orderBy.isEmpty ? [false, true] : [false] {
                var request = ProtoListDocumentsRequest()
                request.parent = Names.root
                request.collectionID = "c"
                request.orderBy = orderBy.replacing("m, ", with: "")
                request.showMissing = showsMissing
                let whole: ProtoListDocumentsResponse = try await connection.unary("ListDocuments", request)
                request.pageSize = Int32(size)
                var found: [ProtoDocument] = []
                repeat {
                    let page: ProtoListDocumentsResponse = try await connection.unary("ListDocuments", request)
                    #expect(page.documents.count <= size)
                    found += page.documents
                    request.pageToken = page.nextPageToken
                } while !request.pageToken.isEmpty
                #expect(found == whole.documents)
                #expect(found.count == 7)
            }
        }

        /// A page of large documents ends early, and the next begins behind it.
        @Test(arguments: [(6, 900_000), (24, 250_000)])
        func largePages(_ count: Int, _ size: Int) async throws {
            let bytes = ProtoValue.with { $0.bytesValue = Data(repeating: 120, count: size) }
            for start in stride(from: 0, to: count, by: 10) {
                try await connection.commit(
                    (start..<min(start + 10, count)).map { number in
                        .set("l/\(1_000 + number)", ["n": ProtoValue(number), "bytes": bytes])
                    })
            }
            for (orderBy, showsMissing) in [("", false), ("", true), ("n desc", false)] {
                var found: [String] = []
                var sizes: [Int] = []
                var token = ""
                repeat {
                    let page = try await list {
                        $0.collectionID = "l"
                        $0.pageSize = 1_000
                        $0.orderBy = orderBy
                        $0.showMissing = showsMissing
                        $0.pageToken = token
                    }
                    found += page.documents.map { String($0.name.suffix(4)) }
                    sizes.append(page.documents.count * size)
                    token = page.nextPageToken
                } while !token.isEmpty
                let expected = (0..<count).map { String(1_000 + $0) }
                #expect(found == (orderBy.isEmpty ? expected : expected.reversed()))
                #expect(sizes.allSatisfy { $0 < 4 << 20 }, "\(sizes)")
                #expect(sizes.count <= count * size / (3 << 20) + 2)
            }
            let rest = try await server.rest("GET", "/l?pageSize=1000")
            #expect(rest.object["nextPageToken"] != nil)
        }

        @Test func refusals() async throws {
            #expect(
                try await refusal { $0.pageSize = -1 }
                    == GRPCFailure(.invalidArgument, "Page size must be nonnegative."))
            for token in ["x", "====", "AAAA", "Yw==", "//79"] {
                #expect(try await refusal { $0.pageToken = token }?.status == .invalidArgument, "\(token)")
            }
            // The rules are asked for the list, not for the document that a token names.
            for path in ["secrets/x", "c/a/c/x"] {
                for order in ["", "n"] {
                    let failure = try await refusal {
                        $0.pageToken = Base64.encode(Array(path.utf8))
                        $0.orderBy = order
                    }
                    #expect(failure == GRPCFailure(.invalidArgument, "The page token is invalid."), "\(path) \(order)")
                }
            }
            for showsMissing in [false, true] {
                for id in ["a/b", "__x__", "..", ".", String(repeating: "x", count: 1_600)] {
                    let failure = try await refusal {
                        $0.collectionID = id
                        $0.showMissing = showsMissing
                    }
                    #expect(failure?.status == .invalidArgument, "\(id) \(showsMissing)")
                }
            }
            for order in ["n up", "n desc x", "a..b", "`", "`b c", "`b c`desc"] {
                #expect(try await refusal { $0.orderBy = order }?.status == .invalidArgument, "\(order)")
            }
            #expect(try await refusal { $0.parent = "projects/p" }?.status == .invalidArgument)
            #expect(try await refusal { $0.orderBy = "m, n desc" }?.status == .failedPrecondition)
        }

        private func collectionIDs(_ parent: String, pageSize: Int32 = 0) async throws -> [String] {
            var request = ProtoListCollectionIdsRequest()
            request.parent = parent
            request.pageSize = pageSize
            var ids: [String] = []
            repeat {
                let page: ProtoListCollectionIdsResponse = try await connection.unary("ListCollectionIds", request)
                ids += page.collectionIds
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            return ids
        }

        @Test func collectionIDs() async throws {
            #expect(try await collectionIDs(Names.root) == ["c", "e"])
            #expect(try await collectionIDs(Names.root, pageSize: 1) == ["c", "e"])
            #expect(try await collectionIDs(Names.document("c/gone")) == ["s"])
            #expect(try await collectionIDs(Names.document("c/none")) == [])
            for parent in ["", "projects/p", Names.document("c")] {
                await #expect(throws: GRPCFailure.self) { try await collectionIDs(parent) }
            }
        }

        /// The parts between the cursors are the whole group, each document once.
        @Test(arguments: [1, 2, 3, 7, 100], [0, 1, 2]) func partitions(_ count: Int, _ pageSize: Int) async throws {
            try await connection.fill("g", 9)
            try await connection.commit([.set("c/a/g/x", [:]), .set("z/z/g/y", [:])])
            var request = ProtoPartitionQueryRequest()
            request.parent = Names.root
            request.structuredQuery = .all("g").ordered("__name__")
            request.structuredQuery.from[0].allDescendants = true
            request.partitionCount = Int64(count)
            request.pageSize = Int32(pageSize)
            var cursors: [ProtoCursor] = []
            repeat {
                let page: ProtoPartitionQueryResponse = try await connection.unary("PartitionQuery", request)
                cursors += page.partitions
                request.pageToken = page.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(cursors.count < count)
            var found: [String] = []
            for (start, end) in zip([nil] + cursors.map(Optional.some), cursors.map(Optional.some) + [nil]) {
                var query = request.structuredQuery
                if let start { query.startAt = start }
                if let end { query.endAt = end }
                found += try await connection.ids(query)
            }
            #expect(found.count == 11)
            #expect(Set(found).count == 11)
        }

        @Test func partitionRefusals() async throws {
            func refusal(_ change: (inout ProtoPartitionQueryRequest) -> Void) async throws -> GRPCFailure {
                var request = ProtoPartitionQueryRequest()
                request.parent = Names.root
                request.structuredQuery = .all("g")
                request.structuredQuery.from[0].allDescendants = true
                request.partitionCount = 2
                change(&request)
                return GRPCFailure(try await connection.exchange("PartitionQuery", request))
            }
            for count in [Int64(0), -1] {
                let failure = try await refusal { $0.partitionCount = count }
                #expect(failure == GRPCFailure(.invalidArgument, "Partition count must be greater than zero."))
            }
            let below = try await refusal { $0.parent = Names.document("c/a") }
            #expect(below == GRPCFailure(.invalidArgument, "Ancestor queries are not supported."))
            let started = try await refusal { $0.structuredQuery.startAt.values = [ProtoValue(1)] }
            #expect(started == GRPCFailure(.invalidArgument, "Query start cursors are not supported."))
            #expect(try await refusal { $0.clearQueryType() } == GRPCFailure(.invalidArgument, "Query is required."))
            #expect(try await refusal { $0.structuredQuery.from[0].allDescendants = false }.status == .invalidArgument)
            #expect(try await refusal { $0.structuredQuery.limit.value = 1 }.status == .invalidArgument)
        }
    }

    extension ProtoPartitionQueryRequest {
        fileprivate mutating func clearQueryType() { queryType = nil }
    }
#endif
