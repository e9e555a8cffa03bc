// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import SwiftProtobuf
    import Testing

    /// RunQuery and RunAggregationQuery over gRPC: what their responses carry besides the documents.
    @Suite struct QueryCallTests {
        let server: TestServer
        let connection: GRPCConnection

        init() async throws {
            server = try TestServer()
            connection = try await GRPCConnection.open(server.port)
            try await connection.fill("c", 5)
        }

        private func run(_ request: ProtoRunQueryRequest) async throws -> [ProtoRunQueryResponse] {
            try await connection.stream("RunQuery", request)
        }

        @Test func oneDocumentAResponse() async throws {
            let responses = try await run(ProtoRunQueryRequest(.all("c").ordered("n", .descending)))
            #expect(responses.map(\.document.fields["n"]) == [4, 3, 2, 1, 0].map { ProtoValue($0) })
            #expect(responses.allSatisfy { $0.hasReadTime && $0.transaction.isEmpty && $0.skippedResults == 0 })
            #expect(Set(responses.map { $0.readTime.seconds }).count == 1)
        }

        /// One response with a read time only.
        @Test func noDocument() async throws {
            let responses = try await run(ProtoRunQueryRequest(.all("none")))
            #expect(responses.count == 1)
            #expect(!responses[0].hasDocument && responses[0].hasReadTime)
        }

        @Test func skippedResults() async throws {
            var request = ProtoRunQueryRequest(.all("c"))
            request.structuredQuery.offset = 3
            let some = try await run(request)
            #expect(some.map(\.skippedResults).reduce(0, +) == 3)
            #expect(some[0].skippedResults == 3)
            #expect(some.filter(\.hasDocument).count == 2)
            request.structuredQuery.offset = 9
            let none = try await run(request)
            #expect(none.count == 1 && none[0].skippedResults == 5 && none[0].hasReadTime)
        }

        /// Its first response carries only the transaction.
        @Test func newTransactions() async throws {
            var request = ProtoRunQueryRequest(.all("c"))
            request.newTransaction.readWrite = .init()
            let responses = try await run(request)
            #expect(responses.count == 6)
            let first = try #require(responses.first)
            #expect(!first.transaction.isEmpty && !first.hasDocument && !first.hasReadTime)
            try await connection.commit([.delete("c/d000000")], transaction: first.transaction)
            request.structuredQuery = .all("none")
            let none = try await run(request)
            #expect(none.count == 2 && !none[0].transaction.isEmpty && none[1].hasReadTime)
        }

        @Test func projections() async throws {
            var request = ProtoRunQueryRequest(.all("c"))
            request.structuredQuery.select.fields = [.with { $0.fieldPath = "__name__" }]
            let names = try await run(request)
            #expect(names.count == 5)
            #expect(names.allSatisfy { $0.document.fields.isEmpty && $0.document.name.hasPrefix(Names.root) })
        }

        @Test func explain() async throws {
            var request = ProtoRunQueryRequest(.all("c").ordered("n"))
            request.explainOptions = .init()
            let planned = try await run(request)
            #expect(planned.count == 1 && !planned[0].hasDocument && !planned[0].explainMetrics.hasExecutionStats)
            let use = try #require(planned[0].explainMetrics.planSummary.indexesUsed.first)
            #expect(use.fields["query_scope"]?.stringValue == "Collection")
            #expect(use.fields["properties"]?.stringValue == "(n ASC, __name__ ASC)")
            request.explainOptions.analyze = true
            let analyzed = try await run(request)
            #expect(analyzed.filter(\.hasDocument).count == 5)
            #expect(analyzed.map(\.hasExplainMetrics) == Array(repeating: false, count: 5) + [true])
            let statistics = try #require(analyzed.last).explainMetrics.executionStats
            #expect(statistics.resultsReturned == 5 && statistics.readOperations == 5)
            #expect(statistics.debugStats.fields["documents_scanned"]?.stringValue == "5")
        }

        private func aggregate(
            _ aggregations: [ProtoStructuredAggregationQuery.Aggregation], _ query: ProtoStructuredQuery = .all("c")
        ) async throws -> [ProtoRunAggregationQueryResponse] {
            var request = ProtoRunAggregationQueryRequest()
            request.parent = Names.root
            request.structuredAggregationQuery.structuredQuery = query
            request.structuredAggregationQuery.aggregations = aggregations
            return try await connection.stream("RunAggregationQuery", request)
        }

        private static func count(
            _ alias: String = "", upTo: Int64? = nil
        ) -> ProtoStructuredAggregationQuery.Aggregation {
            .with {
                $0.alias = alias
                $0.count = .init()
                if let upTo { $0.count.upTo.value = upTo }
            }
        }

        @Test func aggregations() async throws {
            let sum = ProtoStructuredAggregationQuery.Aggregation.with { $0.sum.field.fieldPath = "n" }
            let average = ProtoStructuredAggregationQuery.Aggregation.with { $0.avg.field.fieldPath = "n" }
            let responses = try await aggregate([Self.count("all"), sum, Self.count(upTo: 2), average])
            #expect(responses.count == 1 && responses[0].hasReadTime)
            // Only the unnamed ones are numbered.
            let fields = responses[0].result.aggregateFields
            #expect(fields["all"] == ProtoValue(5) && fields["field_1"] == ProtoValue(10))
            #expect(fields["field_2"] == ProtoValue(2) && fields["field_3"] == .with { $0.doubleValue = 2 })
            #expect(fields.count == 4)
        }

        @Test func aggregationRefusals() async throws {
            let cases: [([ProtoStructuredAggregationQuery.Aggregation], String)] = [
                ([], "Aggregations can not be empty."),
                ([Self.count("x"), Self.count("x")], "Aggregation aliases contain duplicate alias: x."),
                ([Self.count(), Self.count("field_1")], "Aggregation aliases contain duplicate alias: field_1."),
                (
                    Array(repeating: Self.count(), count: 6),
                    "The maximum number of aggregations allowed in an aggregation query is 5. Received: 6"
                ), ([.init()], "Operator field in Aggregation is not set."),
                (
                    [Self.count(upTo: -1)],
                    "The `up_to` value in a COUNT aggregation must be greater than or equal to zero."
                ),
            ]
            for (aggregations, message) in cases {
                await #expect(throws: GRPCFailure(.invalidArgument, message)) { try await aggregate(aggregations) }
            }
        }

        @Test func queryRefusals() async throws {
            var twice = ProtoStructuredQuery.all("c")
            twice.from.append(twice.from[0])
            var negative = ProtoStructuredQuery.all("c")
            negative.limit.value = -1
            var skipping = ProtoStructuredQuery.all("c")
            skipping.offset = -1
            let cases = [
                (twice, "StructuredQuery.from cannot have more than one collection selector."),
                (negative, "limit is negative"), (skipping, "offset is negative"),
                (
                    .all("c").ordered("__name__").ordered("n"),
                    "order by clause cannot contain more fields after the key"
                ),
                (.all("c").filtered("n", .unspecified, ProtoValue(1)), "Unknown FieldFilter operator."),
                (.all("c").filtered("n", .UNRECOGNIZED(99), ProtoValue(1)), "Unknown FieldFilter operator."),
                (.all("c").ordered("n", .UNRECOGNIZED(-1)), "Unrecognized ordering."),
                (.all("c").filtered("n", .equal, .init()), "Cannot convert firestore.v1.Value with type unset."),
                (.all("c").filtered("", .equal, ProtoValue(1)), "Invalid empty property path string."),
            ]
            for (query, message) in cases {
                await #expect(throws: GRPCFailure(.invalidArgument, message)) {
                    try await run(ProtoRunQueryRequest(query))
                }
            }
            await #expect(throws: GRPCFailure.self) { try await run(.init()) }
        }

        /// As recursive deletes send it: names between two documents, in all collections below.
        @Test func queriesWithoutCollection() async throws {
            try await connection.commit([.set("c/d000001/s/x", [:]), .set("z/z", [:])])
            var query = ProtoStructuredQuery()
            #expect(try await connection.ids(query) == (0..<5).map { "d00000\($0)" } + ["z"])
            query.from = [.with { $0.allDescendants = true }]
            query = query.ordered("__name__")
            query.startAt.values = [.with { $0.referenceValue = Names.document("c/d000001") }]
            query.startAt.before = true
            query.endAt.values = [.with { $0.referenceValue = Names.document("c/d000001\0") }]
            query.endAt.before = true
            #expect(try await connection.ids(query) == ["d000001", "x"])
        }
    }
#endif
