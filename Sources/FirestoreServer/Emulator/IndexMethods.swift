// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import JSONText
    internal import NIOCore
    internal import QueryPlanner
    internal import Synchronization

    extension EmulatorMethods {
        /// The smallest index file that the queries so far need, with the number of queries that were not looked at if there are any.
        func advise(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let database = try await service.databases.database(id)
            let file = indexes.configuration(of: id) ?? IndexConfiguration()
            let advice = try await onThread { database.traffic.advice(replacing: file) }
            var members = ConfigurationWriter.node(advice.configuration).members ?? []
            let leftOut = database.traffic.leftOut.count
            if leftOut > 0 { members.append(JSONMember(key: "queriesLeftOut", node: .integer(Int64(leftOut)))) }
            send(JSONNode(.object(members)), responder)
        }

        /// The indexes in force.
        func listIndexes(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let database = try await service.databases.database(id)
            do throws(EngineError) {
                let catalog = try database.engine.catalog()
                let configuration = IndexConfiguration(
                    indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides)
                send(ConfigurationWriter.node(configuration), responder)
            } catch {
                throw RequestError(error)
            }
        }

        /// Makes the indexes those of the body, a `firestore.indexes.json`.
        func applyIndexes(
            _ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let source = Array(request.body.readableBytesView)
            let (configuration, findings) = ConfigurationReader.read(source)
            if let error = findings.first(where: { $0.rule.severity == .error }) {
                let line = LineMap(source).position(of: error.offset).line
                throw .invalid("The index file has errors: line \(line): \(error.message)")
            }
            let database = try await service.databases.database(id)
            try await onThread {
                // Not while a file's indexes are applied: that is no write, but this is one.
                try database.notes.applying.withLock { (_) throws(EngineError) in
                    try database.engine.apply(configuration, prune: true)
                }
            }
            responder.sendEmptyObject()
        }

        private func send(_ file: JSONNode, _ responder: HTTPResponder) {
            responder.sendJSON(Array((file.text(.indented) + "\n").utf8))
        }
    }
#endif
