// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// One document of a request, or all that a query's disjunct may return.
struct RequestItem {
    let path: RequestPath
    let document: ResourcePath?
    /// What `request.path` is of.
    let requestPath: ResourcePath?
    let members: [RuleMap.Entry]
    /// The methods that come into question before the document is read.
    let methods: [RequestMethod]
    /// The `resource` of a disjunct.
    var resource: RuleValue?
    var write: RuleWrite?

    /// A document that is read by its name.
    init(get path: ResourcePath, _ database: Text) {
        self.path = RequestPath(document: path, database: database)
        document = path
        requestPath = path
        members = RequestItem.readMembers
        methods = RequestItem.getOnly
    }

    private init(_ write: RuleWrite, _ database: Text) {
        path = RequestPath(document: write.path, database: database)
        document = write.path
        requestPath = write.path
        members = RequestItem.members(write)
        methods = write.methods
        self.write = write
    }

    init(
        path: RequestPath, document: ResourcePath?, requestPath: ResourcePath?, members: [RuleMap.Entry],
        resource: RuleValue? = nil
    ) {
        self.path = path
        self.document = document
        self.requestPath = requestPath
        self.members = members
        methods = RequestItem.listOnly
        self.resource = resource
    }

    static func all(_ request: RuleRequest) -> [RequestItem] {
        switch request.operation {
        case .get(let paths): paths.map { RequestItem(get: $0, request.database) }
        case .commit(let writes): writes.map { RequestItem($0, request.database) }
        case .list(let query): all(query, request.database)
        }
    }

    private static let readMembers: [RuleMap.Entry] = [("fields", .null)]
    private static let plainMembers: [RuleMap.Entry] = [
        ("readFields", .null), ("writeFields", .null), ("transforms", .null),
    ]
    private static let getOnly: [RequestMethod] = [.get]
    private static let listOnly: [RequestMethod] = [.list]

    private static func members(_ write: RuleWrite) -> [RuleMap.Entry] {
        if write.isVerification { return readMembers + plainMembers }
        if write.writeFields == nil, write.transforms == nil { return plainMembers }
        func list(_ paths: [Text]?) -> RuleValue { paths.map { .list(RuleList($0.map(RuleValue.string))) } ?? .null }
        return [
            ("readFields", .null), ("writeFields", list(write.writeFields)), ("transforms", list(write.transforms)),
        ]
    }

    private static func all(_ query: Query, _ database: Text) -> [RequestItem] {
        let members = QueryValue.members(query, database: database)
        let parent = query.parent?.resource ?? .root
        var collection: ResourcePath?
        let path: RequestPath
        if query.from.allDescendants {
            path = RequestPath(group: query.from.collectionID, below: parent, database: database)
        } else if let id = query.from.collectionID {
            collection = parent.appending(id)
            path = RequestPath(collection: parent.appending(id), database: database)
        } else {
            path = RequestPath(allCollections: database)
        }
        // A query with too many disjuncts is no valid query: nothing is known of its documents.
        return (QueryResource.all(query.filter) ?? []).map { resource in
            switch resource {
            case .document(let document):
                RequestItem(
                    path: RequestPath(document: document, database: database), document: document,
                    requestPath: document, members: members)
            case .constrained(let value):
                RequestItem(
                    path: path, document: nil, requestPath: collection, members: members, resource: value)
            }
        }
    }
}
