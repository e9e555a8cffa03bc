// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import QueryPlanner

    extension EmulatorMethods {
        /// The field paths of the first documents of a collection, or with `collectionGroup` of all collections with its ID. Of large
        /// documents, a few tell enough.
        func listFields(
            _ id: DatabaseID, _ request: HTTPRequest, _ responder: HTTPResponder
        ) async throws(RequestError) {
            let path = ResourcePath(
                segments: (request.parameter("collection") ?? "").split(separator: "/").map { Text(String($0)) })
            guard path.count % 2 == 1, let last = path.segments.last else {
                throw .invalid("The parameter \"collection\" is no path of a collection.")
            }
            let isGroup = request.parameter("collectionGroup") != nil
            let query = Query(
                parent: isGroup || path.count == 1
                    ? nil : DocumentPath(ResourcePath(segments: path.segments.dropLast())),
                from: CollectionSelector(collectionID: last, allDescendants: isGroup), limit: FieldSample.size)
            let snapshot = try await service.snapshot(
                of: id, .latest, for: try request.credentials, reading: .metadata)
            var sample = FieldSample()
            do throws(QueryError) {
                let result = try snapshot.database.engine.run(
                    .documents(query), at: snapshot.time, byteGoal: FieldSample.byteGoal)
                for document in try result.documents { sample.add(document.fields, below: []) }
            } catch {
                throw RequestError(error, in: snapshot.database)
            }
            try responder.sendObject { (writer) throws(RequestError) in
                writer.key("fields")
                writer.beginArray()
                for path in sample.paths.sorted() { writer.string(path) }
                writer.endArray()
            }
        }
    }

    /// Field paths as they are written in queries.
    private struct FieldSample {
        /// The documents to look at.
        static let size = 50
        /// How many bytes of them are enough.
        static let byteGoal = 4 << 20
        /// Maps with IDs as keys have any number of fields.
        private static let limit = 500

        private(set) var paths: Set<String> = []

        mutating func add(_ fields: Fields, below parent: [Text]) {
            for field in fields where paths.count < FieldSample.limit {
                let path = parent + [field.name]
                paths.insert(FieldPath(path).wire)
                if case .map(let inner) = field.value { add(inner, below: path) }
            }
        }
    }
#endif
