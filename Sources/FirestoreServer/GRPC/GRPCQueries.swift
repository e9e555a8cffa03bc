// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner
    internal import SwiftProtobuf

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension FirestoreService {
        func grpcRunQuery(_ request: ProtoRunQueryRequest, _ call: GRPCCall) async throws {
            guard request.queryType != nil else { throw RequestError.invalid("only structured queries are supported") }
            let name = try ResourceName(parsing: request.parent)
            let query = try Query(
                request.structuredQuery, under: try name.parent(request.parent), in: name.database)
            let explain = request.hasExplainOptions ? ExplainMode(request.explainOptions) : nil
            let snapshot = try await snapshot(
                of: name.database, try request.consistency(), for: call.credentials, reading: .query(query))
            try await runQuery(query, explain: explain, at: snapshot) { page in
                try await page.send(to: call, in: name.database)
            }
        }

        func grpcRunAggregationQuery(_ request: ProtoRunAggregationQueryRequest, _ call: GRPCCall) async throws {
            let name = try ResourceName(parsing: request.parent)
            let query = try AggregationQuery(
                request.structuredAggregationQuery, under: try name.parent(request.parent), in: name.database)
            let explain = request.hasExplainOptions ? ExplainMode(request.explainOptions) : nil
            let answer = try runAggregationQuery(
                query, explain: explain,
                at: try await snapshot(
                    of: name.database, try request.consistency(), for: call.credentials, reading: .query(query.query)))
            var response = ProtoRunAggregationQueryResponse()
            if let values = answer.values {
                response.result = ProtoAggregationResult()
                for (alias, value) in values { response.result.aggregateFields[alias.string] = value.message }
                response.readTime = answer.readTime.message
            }
            if let transaction = answer.transaction { response.transaction = Data(transaction) }
            if let explanation = answer.explanation { response.explainMetrics = explanation.message }
            try await call.send([response])
        }

        func grpcPartitionQuery(
            _ request: ProtoPartitionQueryRequest, _ call: GRPCCall
        ) async throws(RequestError) -> ProtoPartitionQueryResponse {
            guard request.queryType != nil else { throw .partitionsWithoutQuery }
            let name = try ResourceName(parsing: request.parent)
            let query = try Query(
                request.structuredQuery, under: try name.parent(request.parent), in: name.database)
            let (cursors, token) = try partitionQuery(
                query, count: Int(request.partitionCount), pageSize: Int(request.pageSize),
                pageToken: request.pageToken,
                at: try await snapshot(
                    of: name.database, try request.consistency(), for: call.credentials, reading: .metadata))
            var response = ProtoPartitionQueryResponse()
            response.partitions = cursors.map(\.message)
            response.nextPageToken = token
            return response
        }
    }

    extension ExplainMode {
        fileprivate init(_ message: ProtoExplainOptions) { self = message.analyze ? .analyze : .plan }
    }

    extension QueryPage {
        fileprivate func send(to call: GRPCCall, in database: DatabaseID) async throws {
            var parts = GRPCMessageParts(call)
            try await forEachElement { element in
                var message = ProtoRunQueryResponse()
                switch element {
                case .transaction(let id): message.transaction = Data(id)
                case .position(let skippedResults):
                    message.skippedResults = Int32(skippedResults)
                    message.readTime = readTime.message
                case .document(let document):
                    message.document = document.message(in: database)
                    message.readTime = readTime.message
                case .explanation(let explanation): message.explainMetrics = explanation.message
                }
                try await parts.add(message)
            }
            try await parts.flush()
        }
    }

    extension QueryExplanation {
        var message: ProtoExplainMetrics {
            var metrics = ProtoExplainMetrics()
            metrics.planSummary.indexesUsed = indexesUsed.map { use in
                Google_Protobuf_Struct(fields: [
                    "query_scope": .init(stringValue: use.queryScope),
                    "properties": .init(stringValue: use.properties),
                ])
            }
            guard let statistics else { return metrics }
            metrics.executionStats.resultsReturned = Int64(statistics.resultsReturned)
            metrics.executionStats.readOperations = Int64(statistics.readOperations)
            metrics.executionStats.executionDuration = Google_Protobuf_Duration(rounding: statistics.duration)
            var debug: [String: Google_Protobuf_Value] = [:]
            for (name, count) in statistics.debug { debug[name] = .init(stringValue: String(count)) }
            var billing: [String: Google_Protobuf_Value] = [:]
            for (name, count) in statistics.billing { billing[name] = .init(stringValue: String(count)) }
            debug["billing_details"] = Google_Protobuf_Value(structValue: Google_Protobuf_Struct(fields: billing))
            metrics.executionStats.debugStats = Google_Protobuf_Struct(fields: debug)
            return metrics
        }
    }
#endif
