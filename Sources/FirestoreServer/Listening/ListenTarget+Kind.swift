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

            init(_ selection: ListenRequest.Selection?, in database: DatabaseID) throws(RequestError) {
                switch selection {
                case .query(let parent, let read):
                    let name = try ResourceName(parsing: parent)
                    guard name.database == database else { throw .invalid("A Listen stream has one database.") }
                    self = .query(try read(try name.parent(parent), database))
                case .documents(let names):
                    var paths: Set<DocumentPath> = []
                    for name in names {
                        paths.insert(try DocumentPath(named: name, in: database))
                    }
                    self = .documents(paths)
                case nil: throw .invalid("A target is a query or a set of documents.")
                }
            }

            /// What rules judge.
            var read: ReadRequest {
                switch self {
                case .query(let query): .query(query)
                case .documents(let paths): .documents(paths.sorted())
                }
            }
        }
    }
#endif
