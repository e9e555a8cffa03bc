// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import JSONText
    internal import NIOHTTP1
    internal import QueryPlanner
    internal import QuerySource

    extension EmulatorMethods {
        /// Runs a query that is text, `{"query":"cities.where(…)"}`, for an administrator: rows, plan, and what it took. A query
        /// without a limit gets one.
        func runQueryText(_ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder) async throws {
            let object = try request.object(keys: ["query"])
            let text = try object.text("query") ?? ""
            let snapshot = try await service.snapshot(
                of: id, .latest, for: try request.credentials, reading: .metadata)
            let query = try TextQuery(text, snapshot.database.id)
            do throws(RequestError) {
                let answer = try await onThread { try query.run(at: snapshot) }
                try responder.sendObject { (writer) throws(RequestError) in try writer.write(answer, at: snapshot) }
            } catch {
                guard let missing = query.missingIndex(in: snapshot.database) else { throw error }
                responder.sendJSON(EmulatorMethods.refusal(missing, in: snapshot.database), .badRequest)
            }
        }

        /// Production's error, and beside it what to add to the index file.
        private static func refusal(_ error: MissingIndexError, in database: ServedDatabase) -> [UInt8] {
            let catalog = (try? database.engine.catalog().indexes) ?? IndexCatalog(IndexConfiguration())
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("error")
            writer.beginObject()
            writer.key("code")
            writer.integer(400)
            writer.write("message", error.message(in: database.linked))
            writer.write("status", StatusCode.failedPrecondition.name)
            writer.endObject()
            writer.write("fix", ConfigurationWriter.text(error.fix(for: catalog)))
            if let closest = error.closestIndex(in: catalog) {
                writer.write("closest", "\(closest.index.collectionGroup) \(closest.index.properties)")
                writer.write("reason", closest.reason)
            }
            writer.endObject()
            return writer.bytes
        }
    }

    /// A query that was written by hand.
    private struct TextQuery: Sendable {
        let request: QueryRequest
        /// Whether the query has no limit of its own.
        private let isCut: Bool

        /// The rows of a query without a limit.
        private static let limit = 100

        struct Answer: Sendable {
            let result: QueryResult
            let time: Duration
            /// Nil if production would have refused it.
            let production: ProductionCounters?
            /// Whether there may be more rows than these.
            let isCut: Bool
        }

        init(_ text: String, _ database: DatabaseID) throws(RequestError) {
            let requests: [QueryRequest]
            do throws(PastedText.Failure) {
                requests = try PastedText.read(text, database, areRequired: true)
            } catch {
                switch error {
                case .unreadable(let reason): throw .invalid(reason)
                case .unknownValues(let query, _):
                    throw .invalid("\(query) has values that are not known; write them in place of ?")
                }
            }
            guard case .documents(var query) = requests[0], query.limit == nil, query.nearest == nil else {
                (request, isCut) = (requests[0], false)
                return
            }
            query.limit = TextQuery.limit
            (request, isCut) = (.documents(query), true)
        }

        func run(at snapshot: Snapshot) throws(RequestError) -> Answer {
            let start = ContinuousClock.now
            let result = try snapshot.run(request)
            let time = ContinuousClock.now - start
            return Answer(
                result: result, time: time,
                production: result.wasScanned ? nil : try snapshot.productionCounters(of: request),
                isCut: isCut && result.records.count == TextQuery.limit)
        }

        func missingIndex(in database: ServedDatabase) -> MissingIndexError? {
            do throws(QueryError) {
                _ = try database.engine.plan(request)
                return nil
            } catch {
                if case .planning(.missingIndex(let missing)) = error { return missing }
                return nil
            }
        }
    }

    extension JSONWriter {
        fileprivate mutating func write(_ answer: TextQuery.Answer, at snapshot: Snapshot) throws(RequestError) {
            let result = answer.result
            if result.plan.query.aggregations.isEmpty {
                key("documents")
                beginArray()
                for record in result.records {
                    write(try record.document(nil), in: snapshot.database.id)
                }
                endArray()
            } else {
                key("aggregates")
                beginObject()
                for (alias, value) in result.aggregates {
                    key(alias.string)
                    ValueJSON.write(value, to: &self, database: nil)
                }
                endObject()
            }
            key("isCut")
            boolean(answer.isCut)
            key("wasScanned")
            boolean(result.wasScanned)
            key("plan")
            result.execution.writeExplanation(to: &self, isServed: !result.wasScanned)
            key("stats")
            result.writeStatistics(answer.time, answer.production, to: &self)
        }
    }
#endif
