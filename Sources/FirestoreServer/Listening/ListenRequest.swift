// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// A request of a Listen stream, whether it came as a message or as JSON.
    struct ListenRequest: Sendable {
        enum Change: Sendable {
            case add(Target)
            case remove(Int32)
        }

        struct Target: Sendable {
            /// 0 for one that the server gives.
            var id: Int32
            var isOnce: Bool
            var resumption: Resumption
            /// Nil if the request names neither a query nor documents.
            var selection: Selection?
        }

        /// What the client says of the state that it has. A time that is none is an error of the target.
        enum Resumption: Sendable {
            case none
            case token([UInt8])
            case readTime(Result<Timestamp, RequestError>)
        }

        /// What a target selects. A query is read when its database is known: its errors end the target, not the stream.
        enum Selection: Sendable {
            case query(parent: String, @Sendable (DocumentPath?, DatabaseID) throws(RequestError) -> Query)
            case documents([String])
        }

        var database: String
        /// Nil if the request adds and removes nothing, which is an error.
        var change: Change?
    }

    extension ListenRequest {
        init(_ message: ProtoListenRequest) {
            database = message.database
            switch message.targetChange {
            case .addTarget(let target): change = .add(Target(target))
            case .removeTarget(let id): change = .remove(id)
            case nil: change = nil
            }
        }
    }

    extension ListenRequest.Target {
        fileprivate init(_ message: ProtoTarget) {
            id = message.targetID
            isOnce = message.once
            switch message.resumeType {
            case nil: resumption = .none
            case .resumeToken(let bytes): resumption = bytes.isEmpty ? .none : .token(Array(bytes))
            case .readTime(let time):
                // A bundle's may be finer than microseconds, and is cut.
                resumption = .readTime(Result { () throws(RequestError) in try Timestamp(time) })
            }
            switch message.targetType {
            case .query(let target):
                let query = target.structuredQuery
                selection = .query(parent: target.parent) { (parent, database) throws(RequestError) in
                    try Query(query, under: parent, in: database)
                }
            case .documents(let target): selection = .documents(target.documents)
            case nil: selection = nil
            }
        }
    }
#endif
