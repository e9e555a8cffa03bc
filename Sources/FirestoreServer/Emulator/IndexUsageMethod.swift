// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import JSONText
    internal import QueryPlanner

    extension EmulatorMethods {
        /// The composite index that serves each query alone, with the number of such queries.
        func indexUsage(_ id: DatabaseID, _ responder: HTTPResponder) async throws(RequestError) {
            let uses = try await service.databases.database(id).traffic.uses
            try responder.sendObject { (writer) throws(RequestError) in
                guard !uses.isEmpty else { return }
                writer.key("reports")
                writer.beginArray()
                for (definition, count) in uses { writer.write(definition, count, in: id) }
                writer.endArray()
            }
        }
    }

    extension JSONWriter {
        fileprivate mutating func write(_ definition: IndexDefinition, _ count: Int, in database: DatabaseID) {
            beginObject()
            key("index")
            beginObject()
            write("name", "\(database.resourceName)/collectionGroups/\(definition.collectionGroup)/indexes/_")
            let node = ConfigurationWriter.missingIndex(definition)
            for name in ["queryScope", "fields"] {
                key(name)
                self.node(node[name] ?? .array([]))
            }
            endObject()
            write("numQueries", String(count))
            endObject()
        }
    }
#endif
