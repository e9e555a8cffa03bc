// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    extension ListenTarget {
        /// What a target selects.
        enum Kind {
            case query(Query)
            case documents(Set<DocumentPath>)

            init(_ message: ProtoTarget, in database: DatabaseID) throws(RequestError) {
                switch message.targetType {
                case .query(let target):
                    let name = try ResourceName(parsing: target.parent)
                    guard name.database == database else { throw .invalid("A Listen stream has one database.") }
                    self = .query(
                        try Query(target.structuredQuery, under: try name.parent(target.parent), in: database))
                case .documents(let target):
                    var paths: Set<DocumentPath> = []
                    for name in target.documents {
                        paths.insert(try DocumentPath(named: name, writing: false, in: database))
                    }
                    self = .documents(paths)
                case nil: throw .invalid("A target is a query or a set of documents.")
                }
            }

            /// What rules judge.
            var read: ReadRequest {
                switch self {
                case .query(let query): .query(query)
                case .documents(let paths): .documents(paths.sorted { $0.description < $1.description })
                }
            }
        }
    }
#endif
