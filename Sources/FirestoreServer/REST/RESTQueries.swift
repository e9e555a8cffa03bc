// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import QueryPlanner

    extension RESTMethods {
        private static let queryKeys = [
            "parent", "structuredQuery", "structuredAggregationQuery", "transaction", "newTransaction", "readTime",
            "explainOptions", "requestOptions",
        ]

        func runQuery(_ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let object = try request.object(keys: RESTMethods.queryKeys)
            guard case .documents(let query) = try RESTMethods.request(object, name) else {
                throw RequestError.invalid("runQuery takes a \"structuredQuery\".")
            }
            let explain = try object.explainMode()
            let snapshot = try await service.snapshot(
                of: name.database, try object.consistency(), for: try request.credentials, reading: .query(query))
            var array = JSONArrayStream(responder)
            try await service.runQuery(query, explain: explain, at: snapshot) { page in
                try await page.send(to: &array, in: name.database)
            }
            try await array.end()
        }

        func runAggregationQuery(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws {
            let object = try request.object(keys: RESTMethods.queryKeys)
            guard case .aggregation(let query) = try RESTMethods.request(object, name) else {
                throw RequestError.invalid("runAggregationQuery takes a \"structuredAggregationQuery\".")
            }
            let answer = try service.runAggregationQuery(
                query, explain: try object.explainMode(),
                at: try await service.snapshot(
                    of: name.database, try object.consistency(), for: try request.credentials,
                    reading: .query(query.query)))
            var array = JSONArrayStream(responder)
            try await array.send { writer in
                if let values = answer.values {
                    writer.key("result")
                    writer.beginObject()
                    writer.key("aggregateFields")
                    writer.beginObject()
                    for (alias, value) in values {
                        writer.key(alias.string)
                        ValueJSON.write(value, to: &writer, database: nil)
                    }
                    writer.endObject()
                    writer.endObject()
                    writer.write("readTime", answer.readTime.description)
                }
                if let transaction = answer.transaction { writer.write("transaction", transaction) }
                if let explanation = answer.explanation { writer.write(explanation) }
            }
            try await array.end()
        }

        func partitionQuery(
            _ name: ResourceName, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let object = try request.object(
                keys: [
                    "structuredQuery", "partitionCount", "pageToken", "pageSize", "readTime", "requestOptions",
                ])
            guard object["structuredQuery"] != nil, case .documents(let query) = try RESTMethods.request(object, name)
            else { throw .partitionsWithoutQuery }
            let (cursors, token) = try service.partitionQuery(
                query, count: try object.number("partitionCount") ?? 0, pageSize: try object.number("pageSize") ?? 0,
                pageToken: try object.text("pageToken") ?? "",
                at: try await service.snapshot(
                    of: name.database, try object.consistency(), for: try request.credentials, reading: .metadata))
            try responder.sendObject { (writer) throws(RequestError) in
                if !cursors.isEmpty {
                    writer.key("partitions")
                    writer.beginArray()
                    for cursor in cursors { writer.write(cursor) }
                    writer.endArray()
                }
                if !token.isEmpty { writer.write("nextPageToken", token) }
            }
        }

        private static func request(
            _ object: RequestObject, _ name: ResourceName
        ) throws(RequestError) -> QueryRequest {
            let parent = try name.parent(name.text)
            do throws(InvalidQueryError) {
                return try QueryJSON.read(object, under: parent, database: name.database)
            } catch {
                throw RequestError(error)
            }
        }
    }

    extension RequestObject {
        fileprivate func explainMode() throws(RequestError) -> ExplainMode? {
            guard let options = try member("explainOptions", keys: ["analyze"]) else { return nil }
            do throws(InvalidQueryError) {
                return try options.boolean("analyze") ? .analyze : .plan
            } catch {
                throw RequestError(error)
            }
        }
    }

    extension QueryPage {
        fileprivate func send(to array: inout JSONArrayStream, in database: DatabaseID) async throws {
            try await forEachElement { element in
                try await array.send { writer in
                    switch element {
                    case .transaction(let id): writer.write("transaction", id)
                    case .position(let skippedResults):
                        writer.write("readTime", readTime.description)
                        guard skippedResults > 0 else { return }
                        writer.key("skippedResults")
                        writer.integer(Int64(skippedResults))
                    case .document(let document):
                        writer.key("document")
                        writer.write(document, in: database)
                        writer.write("readTime", readTime.description)
                    case .explanation(let explanation): writer.write(explanation)
                    }
                }
            }
        }
    }

    extension JSONWriter {
        fileprivate mutating func write(_ cursor: QueryPlanner.Cursor) {
            beginObject()
            key("values")
            beginArray()
            for value in cursor.values { ValueJSON.write(value, to: &self, database: nil) }
            endArray()
            key("before")
            boolean(cursor.before)
            endObject()
        }

        fileprivate mutating func write(_ explanation: QueryExplanation) {
            key("explainMetrics")
            beginObject()
            key("planSummary")
            beginObject()
            key("indexesUsed")
            beginArray()
            for use in explanation.indexesUsed {
                beginObject()
                write("query_scope", use.queryScope)
                write("properties", use.properties)
                endObject()
            }
            endArray()
            endObject()
            if let statistics = explanation.statistics { write(statistics) }
            endObject()
        }

        private mutating func write(_ statistics: QueryExplanation.Statistics) {
            key("executionStats")
            beginObject()
            write("resultsReturned", String(statistics.resultsReturned))
            write("executionDuration", "\(statistics.duration / .seconds(1))s")
            write("readOperations", String(statistics.readOperations))
            key("debugStats")
            beginObject()
            for (name, count) in statistics.debug { write(name, String(count)) }
            key("billing_details")
            beginObject()
            for (name, count) in statistics.billing { write(name, String(count)) }
            endObject()
            endObject()
            endObject()
        }
    }
#endif
