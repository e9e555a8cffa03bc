// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import SwiftProtobuf
    import Testing

    @testable import FirestoreServer

    /// Partitions of groups that are too large to be read at once.
    @Suite struct PartitionTests {
        private func path(_ number: Int) throws -> DocumentPath {
            try DocumentPath(parsing: "g/d\(1_000_000 + number)")
        }

        private func sample(_ count: Int, limit: Int) throws -> NameSample {
            var sample = NameSample(limit: limit)
            for number in 0..<count { sample.add(try path(number)) }
            return sample
        }

        /// All names up to a number, and beyond it names at equal distances.
        @Test(arguments: [(0, 1), (1, 1), (7, 1), (8, 1), (9, 2), (16, 2), (17, 4), (1_000, 128)])
        func keptNames(_ count: Int, _ distance: Int) throws {
            let kept = try stride(from: 0, to: count, by: distance).map { try path($0) }
            #expect(try sample(count, limit: 8).names == kept)
        }

        @Test func cuts() throws {
            let few = try sample(6, limit: 8)
            #expect(few.cuts(into: 1) == [])
            #expect(try few.cuts(into: 3) == [path(2), path(4)])
            #expect(try few.cuts(into: .max) == (1..<6).map { try path($0) })
            #expect(NameSample().cuts(into: 3) == [])
            #expect(try sample(64, limit: 8).cuts(into: 4) == [path(16), path(32), path(48)])
        }

        /// Pages end where they have enough bytes; the cuts are those of all names.
        @Test func aGroupOfManyPages() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            try await connection.fill("g", 350, size: 10_000)
            try await connection.commit([.set("a/b/g/c", [:])])
            var request = ProtoPartitionQueryRequest()
            request.parent = Names.root
            request.structuredQuery = .all("g")
            request.structuredQuery.from[0].allDescendants = true
            request.structuredQuery.select.fields = [.with { $0.fieldPath = "n" }]
            request.partitionCount = 3
            let response: ProtoPartitionQueryResponse = try await connection.unary("PartitionQuery", request)
            let names = response.partitions.compactMap { $0.values.first?.referenceValue }
            #expect(names == ["g/d000116", "g/d000233"].map { Names.document($0) })
        }
    }
#endif
