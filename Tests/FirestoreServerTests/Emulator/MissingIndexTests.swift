// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import FirestoreServer
    import Foundation
    import NIOHPACK
    import SwiftProtobuf
    import Testing

    /// Queries without their index, over gRPC and REST, in each mode.
    @Suite struct MissingIndexTests {
        static let query = ProtoStructuredQuery.all("c").filtered("a", .equal, ProtoValue(1)).ordered("b", .descending)
        static let body =
            #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"#
            + #""a"},"op":"EQUAL","value":{"integerValue":"1"}}},"orderBy":[{"field":{"fieldPath":"b"},"direction":2}]}}"#
        static let index =
            #"{"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"a","order":"ASCENDING"},"#
            + #"{"fieldPath":"b","order":"DESCENDING"}]}"#
        static let file = #"{"indexes":[\#(index)],"fieldOverrides":[]}"#

        /// The same file, compared as JSON.
        static func isFile(_ object: [String: Any]) -> Bool {
            NSDictionary(dictionary: object)
                == (try? JSONSerialization.jsonObject(with: Data(file.utf8))) as? NSDictionary
        }

        /// Production's line is unchanged, so that clients and tests find their link; then what to paste.
        @Test func refusal() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            let response = try await connection.exchange("RunQuery", ProtoRunQueryRequest(Self.query))
            #expect(response.status == StatusCode.failedPrecondition.rawValue)
            #expect(response.blocks.count == 1)
            #expect(response.trailers.first(name: "grpc-status-details-bin") == nil)
            let parts = response.message.split(separator: "\n\n", maxSplits: 1)
            let first = try #require(parts.first)
            let start = "The query requires an index. You can create it here: "
            let link = "https://console.firebase.google.com/v1/r/project/p/firestore/indexes?create_composite="
            #expect(first.hasPrefix(start + link), "\(first)")
            let payload = try #require(Base64.decode(String(first.dropFirst((start + link).count))))
            let text = String(decoding: payload, as: UTF8.self)
            #expect(text.contains("projects/p/databases/(default)/collectionGroups/c/indexes/_"))
            #expect(text.contains("__name__"))
            let paste = try #require(parts.last)
            #expect(paste.hasPrefix("Add to firestore.indexes.json:\n{"))
            let json = paste.dropFirst(paste.prefix { $0 != "{" }.count)
            let pasted = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            #expect(Self.isFile(try #require(pasted)))
            let rest = try await server.rest("POST", ":runQuery", Self.body)
            #expect(rest.error == HTTPFailure(code: 400, status: "FAILED_PRECONDITION", message: response.message))
        }

        @Test func nearestIndex() async throws {
            let near = Self.file.replacing("DESCENDING", with: "ASCENDING")
            let server = try TestServer(indexes: near)
            let connection = try await GRPCConnection.open(server.port)
            let response = try await connection.exchange("RunQuery", ProtoRunQueryRequest(Self.query))
            #expect(response.message.contains("\nThe closest index does not serve the query: c (a ASC, b ASC"))
        }

        @Test func projectOfLinks() async throws {
            let server = try TestServer { $0.linkedProject = "real-project" }
            let reply = try await server.rest("POST", ":runQuery", Self.body)
            #expect(reply.error?.message.contains("/project/real-project/firestore/") == true)
        }

        @Test func aggregationsAndPlans() async throws {
            let server = try TestServer()
            let connection = try await GRPCConnection.open(server.port)
            var aggregation = ProtoRunAggregationQueryRequest()
            aggregation.parent = Names.root
            aggregation.structuredAggregationQuery.structuredQuery = Self.query
            aggregation.structuredAggregationQuery.aggregations = [.with { $0.count = .init() }]
            let response = try await connection.exchange("RunAggregationQuery", aggregation)
            #expect(response.status == StatusCode.failedPrecondition.rawValue)
            var planned = ProtoRunQueryRequest(Self.query)
            planned.explainOptions = .init()
            let plan = try await connection.exchange("RunQuery", planned)
            #expect(plan.status == StatusCode.failedPrecondition.rawValue)
            #expect(plan.message == "no matching index found.")
        }

        /// Clients raise an error where an analyzed query has no statistics (P-9, P-13). The documents are those that pass the filter.
        @Test(arguments: [IndexMode.record, .permissive], [9, 0])
        func statisticsOfScans(_ mode: IndexMode, count: Int) async throws {
            let server = try TestServer { $0.mode = mode }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(
                (0..<count).map { .set("c/d\($0)", ["a": ProtoValue($0 % 2), "b": ProtoValue($0)]) })
            let read = count / 2
            func check(_ metrics: ProtoExplainMetrics?, results: Int) throws {
                let statistics = try #require(metrics).executionStats
                #expect(statistics.hasExecutionDuration && statistics.resultsReturned == results)
                #expect(statistics.readOperations == max(1, read))
                #expect(statistics.debugStats.fields["documents_scanned"]?.stringValue == "\(read)")
                #expect(statistics.debugStats.fields["index_entries_scanned"]?.stringValue == "0")
                let billing = statistics.debugStats.fields["billing_details"]?.structValue.fields
                #expect(billing?["documents_billable"]?.stringValue == "\(read)")
                #expect(billing?["min_query_cost"]?.stringValue == (read == 0 ? "1" : "0"))
            }
            var request = ProtoRunQueryRequest(Self.query)
            request.explainOptions.analyze = true
            let found: [ProtoRunQueryResponse] = try await connection.stream("RunQuery", request)
            #expect(found.filter(\.hasDocument).count == read)
            try check(found.last?.explainMetrics, results: read)
            var aggregation = ProtoRunAggregationQueryRequest()
            aggregation.parent = Names.root
            aggregation.structuredAggregationQuery.structuredQuery = Self.query
            aggregation.structuredAggregationQuery.aggregations = [.with { $0.count = .init() }]
            aggregation.explainOptions.analyze = true
            let counted: [ProtoRunAggregationQueryResponse] = try await connection.stream(
                "RunAggregationQuery", aggregation)
            try check(counted.last?.explainMetrics, results: 1)
        }

        @Test(arguments: [IndexMode.record, .permissive]) func otherModesAnswer(_ mode: IndexMode) async throws {
            let server = try TestServer { $0.mode = mode }
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(
                (0..<9).map { .set("c/d\($0)", ["a": ProtoValue($0 % 2), "b": ProtoValue($0)]) })
            #expect(try await connection.ids(Self.query) == ["d7", "d5", "d3", "d1"])
            let advice = try await server.http("GET", "/emulator/v1/\(Names.database):advise")
            #expect(Self.isFile(advice.object), "\(advice.text)")
        }
    }
#endif
