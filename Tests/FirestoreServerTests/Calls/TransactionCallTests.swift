// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import SwiftProtobuf
    import Testing

    /// BeginTransaction, Commit and Rollback over gRPC, as recorded from production.
    @Suite struct TransactionCallTests {
        private let clock = ServerClock()
        let server: TestServer
        let connection: GRPCConnection

        init() async throws {
            server = try TestServer { [clock] in $0.clock = clock }
            connection = try await GRPCConnection.open(server.port)
            try await connection.commit([.set("c/counter", ["n": ProtoValue(0)])])
        }

        private static let gone = "The referenced transaction has expired or is no longer valid."

        private func begin(_ change: (inout ProtoTransactionOptions) -> Void = { _ in }) async throws -> Data {
            var request = ProtoBeginTransactionRequest()
            request.database = Names.database
            change(&request.options)
            let response: ProtoBeginTransactionResponse = try await connection.unary("BeginTransaction", request)
            return response.transaction
        }

        private func read(_ transaction: Data) async throws -> Int {
            var request = ProtoBatchGetDocumentsRequest()
            request.database = Names.database
            request.documents = [Names.document("c/counter")]
            request.transaction = transaction
            let responses: [ProtoBatchGetDocumentsResponse] = try await connection.stream("BatchGetDocuments", request)
            return Int(responses.first?.found.fields["n"]?.integerValue ?? -1)
        }

        private func set(_ number: Int, _ transaction: Data? = nil) async throws {
            try await connection.commit([.set("c/counter", ["n": ProtoValue(number)])], transaction: transaction)
        }

        private func rollback(_ transaction: Data) async throws {
            var request = ProtoRollbackRequest()
            request.database = Names.database
            request.transaction = transaction
            let _: Google_Protobuf_Empty = try await connection.unary("Rollback", request)
        }

        @Test func commitEndsIt() async throws {
            let id = try await begin()
            #expect(try await read(id) == 0)
            try await set(1, id)
            await #expect(throws: GRPCFailure(.aborted, Self.gone)) { try await read(id) }
            await #expect(throws: GRPCFailure(.aborted, Self.gone)) { try await set(2, id) }
        }

        /// Clients roll back after a commit that failed, and report the error of a rollback instead of the commit's.
        @Test func rollbackOfOneThatIsOver() async throws {
            let committed = try await begin()
            try await set(1, committed)
            let failed = try await begin()
            let write = ProtoWrite.set("c/missing", [:]).ifExists(true)
            await #expect(throws: GRPCFailure.self) { try await connection.commit([write], transaction: failed) }
            let contended = try await begin()
            #expect(try await read(contended) == 1)
            try await set(2)
            await #expect(throws: GRPCFailure.self) { try await set(3, contended) }
            for id in [committed, failed, contended, try await begin()] {
                try await rollback(id)
                try await rollback(id)
            }
        }

        /// What a transaction has read at a time that can no longer be read, by whatever cause, it reads again from the beginning.
        @Test func anEndedHistoryAbortsIt() async throws {
            try await set(1)
            let (writing, reading) = (try await begin(), try await begin { $0.readOnly = .init() })
            for transaction in [writing, reading] { #expect(try await read(transaction) == 1) }
            clock.set(Timestamp(microseconds: clock.now.microseconds + 7_200_000_000)!)
            for number in [2, 3] { try await set(number) }
            await #expect(throws: GRPCFailure(.aborted, Self.gone)) { try await read(writing) }
            let tooOld = "The requested 'read_time' is too old."
            await #expect(throws: GRPCFailure(.failedPrecondition, tooOld)) { try await read(reading) }
        }

        @Test func commitAfterRollback() async throws {
            let id = try await begin()
            try await rollback(id)
            await #expect(throws: GRPCFailure(.aborted, Self.gone)) { try await set(1, id) }
        }

        /// What is committed between the beginning and the first read is read, as in the emulator, and aborts nothing.
        @Test func commitBeforeTheFirstRead() async throws {
            let id = try await begin()
            try await set(100)
            #expect(try await read(id) == 100)
            try await set(101, id)
            let other = try await begin()
            #expect(try await read(other) == 101)
        }

        /// Nothing is held: the other commit succeeds, and this one fails at once.
        @Test func conflict() async throws {
            let id = try await begin()
            #expect(try await read(id) == 0)
            try await set(100)
            #expect(try await read(id) == 0, "it reads at its own time")
            let contention = "Too much contention on these documents. Please try again."
            await #expect(throws: GRPCFailure(.aborted, contention)) { try await set(1, id) }
            let again = try await begin { $0.readWrite.retryTransaction = id }
            #expect(try await read(again) == 100)
            try await set(101, again)
        }

        @Test func blindWritesDoNotConflict() async throws {
            let id = try await begin()
            try await set(200)
            try await set(4, id)
        }

        /// A new document in a range that was queried.
        @Test func queriesConflict() async throws {
            let id = try await begin()
            var request = ProtoRunQueryRequest(.all("c").filtered("n", .lessThan, ProtoValue(10)))
            request.transaction = id
            let _: [ProtoRunQueryResponse] = try await connection.stream("RunQuery", request)
            try await connection.commit([.set("c/far", ["n": ProtoValue(50)])])
            try await connection.commit([.set("c/other", ["n": ProtoValue(5)])])
            let refused = try? await connection.commit([.set("c/mine", [:])], transaction: id)
            #expect(refused == nil)
        }

        @Test(arguments: [[], [1, 2, 3], Array(repeating: 0, count: 17), Array(repeating: 0, count: 25)] as [[UInt8]])
        func unknownTransactions(_ bytes: [UInt8]) async throws {
            let unknown = GRPCFailure(.invalidArgument, "Invalid transaction.")
            await #expect(throws: unknown) { try await rollback(Data(bytes)) }
            guard !bytes.isEmpty else { return }
            await #expect(throws: unknown) { try await read(Data(bytes)) }
            await #expect(throws: unknown) { try await set(1, Data(bytes)) }
        }

        @Test func transactionsOfOtherDatabases() async throws {
            var request = ProtoBeginTransactionRequest()
            request.database = "projects/p/databases/other"
            let other: ProtoBeginTransactionResponse = try await connection.unary("BeginTransaction", request)
            await #expect(throws: GRPCFailure(.invalidArgument, "Invalid transaction.")) {
                try await set(1, other.transaction)
            }
        }

        /// Clients commit nothing to end them. A commit of writes is refused, and ends them too.
        @Test func readOnly() async throws {
            let id = try await begin { $0.readOnly = .init() }
            #expect(try await read(id) == 0)
            try await set(1)
            #expect(try await read(id) == 0)
            try await connection.commit([], transaction: id)
            await #expect(throws: GRPCFailure(.invalidArgument, Self.gone)) { try await read(id) }
            let other = try await begin { $0.readOnly = .init() }
            let refused = GRPCFailure(.invalidArgument, "Cannot modify entities in a read-only transaction.")
            await #expect(throws: refused) { try await set(2, other) }
            await #expect(throws: GRPCFailure(.invalidArgument, Self.gone)) {
                try await connection.commit([], transaction: other)
            }
        }

        @Test func readTimes() async throws {
            let before = try await connection.commit([.set("other/d", [:])]).commitTime
            try await set(1)
            let id = try await begin { $0.readOnly.readTime = before }
            #expect(try await read(id) == 0)
            var request = ProtoGetDocumentRequest()
            request.name = Names.document("c/counter")
            request.readTime = before
            let past: ProtoDocument = try await connection.unary("GetDocument", request)
            #expect(past.fields == [ProtoFieldEntry](["n": ProtoValue(0)]))
            var query = ProtoRunQueryRequest(.all("c"))
            query.readTime = before
            let responses: [ProtoRunQueryResponse] = try await connection.stream("RunQuery", query)
            #expect(responses.map(\.document.fields) == [[ProtoFieldEntry](["n": ProtoValue(0)])])
            #expect(responses.allSatisfy { $0.readTime == before })
        }

        @Test func readTimesThatCannotBeRead() async throws {
            let precision = "timestamp cannot have more than microseconds precision"
            let creation = "The requested 'read_time' cannot be before database creation time."
            let cases: [(Google_Protobuf_Timestamp, String)] = [
                (.init(seconds: 1_577_836_800), creation), (.init(seconds: 1_577_836_800, nanos: 1), precision),
                (.init(seconds: 4_000_000_000), "The requested 'read_time' cannot be in the future."),
            ]
            for (time, message) in cases {
                await #expect(throws: GRPCFailure(.invalidArgument, message)) {
                    try await begin { $0.readOnly.readTime = time }
                }
                var request = ProtoGetDocumentRequest()
                request.name = Names.document("c/counter")
                request.readTime = time
                let refused = GRPCFailure(try await connection.exchange("GetDocument", request))
                #expect(refused == GRPCFailure(.invalidArgument, message))
            }
        }

        /// As Python and Go repeat theirs: at most five attempts each, the first one's ID at every retry. A turn ends after a second:
        /// who was slower, as a thread stood still, may need one more.
        @Test func fiftyIncrementsAtOnce() async throws {
            let port = server.port
            let start = ContinuousClock.now
            let attempts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await Increment(try await GRPCConnection.open(port)).run() }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let seconds = (ContinuousClock.now - start).components.seconds
            #expect(attempts.count == 50)
            #expect((attempts.max() ?? 0) <= 5 + Int(seconds), "\(attempts) in \(seconds) seconds")
            #expect(try await read(try await begin()) == 50)
        }
    }

    /// A client's transaction that adds one.
    private struct Increment {
        let connection: GRPCConnection

        init(_ connection: GRPCConnection) {
            self.connection = connection
        }

        /// Returns the number of attempts.
        func run() async throws -> Int {
            var first = Data()
            for attempt in 1...1_000 {
                var request = ProtoBeginTransactionRequest()
                request.database = Names.database
                if !first.isEmpty { request.options.readWrite.retryTransaction = first }
                let begun: ProtoBeginTransactionResponse = try await connection.unary("BeginTransaction", request)
                if first.isEmpty { first = begun.transaction }
                do {
                    try await add(begun.transaction)
                    return attempt
                } catch let failure as GRPCFailure where failure.status == .aborted {}
            }
            return .max
        }

        private func add(_ transaction: Data) async throws {
            var request = ProtoBatchGetDocumentsRequest()
            request.database = Names.database
            request.documents = [Names.document("c/counter")]
            request.transaction = transaction
            let read: [ProtoBatchGetDocumentsResponse] = try await connection.stream("BatchGetDocuments", request)
            let number = Int(read.first?.found.fields["n"]?.integerValue ?? 0)
            try await connection.commit([.set("c/counter", ["n": ProtoValue(number + 1)])], transaction: transaction)
        }
    }
#endif
