// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import JSONText
    internal import QueryPlanner

    extension EmulatorMethods {
        /// The composite indexes in force with their states and the queries that used them, the field overrides, and the indexes that
        /// queries so far lack, with the number of queries that were not looked at.
        func listIndexStates(
            _ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let database = try await service.databases.database(id)
            let catalog: CatalogSnapshot
            do throws(EngineError) { catalog = try database.engine.catalog() } catch { throw RequestError(error) }
            let known = IndexConfiguration(
                indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides)
            let served = database.traffic.served
            let (wanted, missing) = try await onThread {
                (database.traffic.uses, database.traffic.additions(to: known).inCanonicalOrder)
            }
            try responder.sendObject { (writer) throws(RequestError) in
                writer.array("indexes", catalog.composites) { writer, composite in
                    writer.write("state", composite.state == .ready ? "READY" : "CREATING")
                    writer.count("queries", served[composite.definition] ?? 0)
                    writer.definition(ConfigurationWriter.node(composite.definition))
                }
                writer.array("fieldOverrides", known.inCanonicalOrder.fieldOverrides) { writer, override in
                    writer.definition(ConfigurationWriter.node(override))
                }
                writer.array("missing", missing.indexes) { writer, definition in
                    writer.count("queries", wanted.first { $0.definition == definition }?.count ?? 0)
                    writer.definition(ConfigurationWriter.node(definition))
                }
                writer.array("missingOverrides", missing.fieldOverrides) { writer, override in
                    writer.definition(ConfigurationWriter.node(override))
                }
                writer.count("queriesLeftOut", database.traffic.leftOut.count)
            }
        }
    }

    extension JSONWriter {
        fileprivate mutating func array<Element>(
            _ name: String, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
        ) {
            key(name)
            beginArray()
            for element in elements {
                beginObject()
                body(&self, element)
                endObject()
            }
            endArray()
        }

        fileprivate mutating func count(_ name: String, _ count: Int) {
            key(name)
            integer(Int64(count))
        }

        /// The entry of an index file.
        fileprivate mutating func definition(_ node: JSONNode) {
            key("definition")
            self.node(node)
        }
    }
#endif
