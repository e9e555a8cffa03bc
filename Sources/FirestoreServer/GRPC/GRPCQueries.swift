// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Foundation
    internal import QueryPlanner
    internal import SwiftProtobuf

    extension FirestoreService {
        func grpcRunQuery(_ request: ProtoRunQueryRequest, _ call: GRPCCall) async throws {
            let name = try ResourceName(parsing: request.parent)
            let query = try Query(
                request.structuredQuery, under: try name.parent(request.parent), in: name.database)
            let explain = request.hasExplainOptions ? ExplainMode(request.explainOptions) : nil
            let snapshot = try await snapshot(of: name.database, try request.consistency())
            try await runQuery(query, explain: explain, at: snapshot) { page in
                try await call.send(try page.messages(in: name.database))
            }
        }

        func grpcRunAggregationQuery(_ request: ProtoRunAggregationQueryRequest, _ call: GRPCCall) async throws {
            let name = try ResourceName(parsing: request.parent)
            let query = try AggregationQuery(
                request.structuredAggregationQuery, under: try name.parent(request.parent), in: name.database)
            let explain = request.hasExplainOptions ? ExplainMode(request.explainOptions) : nil
            let answer = try runAggregationQuery(
                query, explain: explain, at: try await snapshot(of: name.database, try request.consistency()))
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
                pageToken: request.pageToken, at: try await snapshot(of: name.database, try request.consistency()))
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
        /// A message for each document. What comes once has a message of its own if there is no document to carry it.
        fileprivate func messages(in database: DatabaseID) throws(RequestError) -> [ProtoRunQueryResponse] {
            var messages: [ProtoRunQueryResponse] = []
            if let transaction {
                var first = ProtoRunQueryResponse()
                first.transaction = Data(transaction)
                messages.append(first)
            }
            if skippedResults > 0 {
                var first = ProtoRunQueryResponse()
                first.skippedResults = Int32(skippedResults)
                first.readTime = readTime.message
                messages.append(first)
            }
            let paths = projection.map { $0.filter { !$0.isDocumentName } }
            for record in records {
                var response = ProtoRunQueryResponse()
                response.document = try record.message(paths, in: database)
                response.readTime = readTime.message
                messages.append(response)
            }
            if records.isEmpty, explanation?.statistics != nil || explanation == nil,
                messages.isEmpty || transaction != nil
            {
                var empty = ProtoRunQueryResponse()
                empty.readTime = readTime.message
                messages.append(empty)
            }
            if let explanation {
                var last = ProtoRunQueryResponse()
                last.explainMetrics = explanation.message
                messages.append(last)
            }
            return messages
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
