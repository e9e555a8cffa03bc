// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import QueryPlanner
    internal import SecurityRules

    /// What ListDocuments asks for.
    struct ListRequest: Sendable {
        let parent: DocumentPath?
        /// Nil for all collections directly under the parent.
        let collectionID: Text?
        var pageSize = 0
        var pageToken = ""
        /// In the text form of orders: `a desc, __name__ desc`.
        var orderBy = ""
        /// Whether to list names that only have documents below them.
        var showsMissing = false
    }

    /// A page of a list. A missing parent has no record.
    struct ListPage: Sendable {
        let documents: [(path: DocumentPath, record: DocumentRecord?)]
        /// Empty at the end.
        let nextPageToken: String

        init(_ documents: [(path: DocumentPath, record: DocumentRecord?)], isLast: Bool) {
            self.documents = documents
            nextPageToken = isLast ? "" : documents.last.map { PageToken.text($0.path) } ?? ""
        }
    }

    extension ListRequest {
        private static let largestPageSize = 10_000

        /// How many documents a page holds at most: what rules judge is what is served.
        fileprivate var limit: Int {
            pageSize == 0 ? RuleRequest.defaultPageSize : min(pageSize, ListRequest.largestPageSize)
        }

        /// What rules judge: the query that lists the collection.
        var read: ReadRequest {
            get throws(RequestError) {
                guard pageSize >= 0 else { throw .invalid("Page size must be nonnegative.") }
                if showsMissing { return .metadata }
                return .query(
                    Query(
                        parent: parent, from: CollectionSelector(collectionID: collectionID),
                        orders: try ListOrders(orderBy).orders, limit: limit))
            }
        }

        /// The last document of the page before, nil for the first page. Rules are not asked for it, so no document of another collection
        /// may be named.
        fileprivate func last(in database: DatabaseID) throws(RequestError) -> DocumentPath? {
            guard let path = try PageToken.name(pageToken, in: database) else { return nil }
            guard path.collection.parent == parent, collectionID == nil || collectionID == path.collection.group else {
                throw PageToken.invalid
            }
            return path
        }
    }

    extension FirestoreService {
        /// The bytes of documents that are enough for a page: it is made and sent as one, of about the 4 MB that clients of gRPC take
        /// unless they ask for more.
        fileprivate static let listByteGoal = 3 << 20

        /// ListDocuments. Its orders are served as those of a query are.
        func listDocuments(_ request: ListRequest, at snapshot: Snapshot) throws(RequestError) -> ListPage {
            guard request.pageSize >= 0 else { throw .invalid("Page size must be nonnegative.") }
            let size = request.limit
            let orders = try ListOrders(request.orderBy)
            guard !request.showsMissing || orders.orders.isEmpty else {
                throw .invalid("show_missing cannot be combined with order_by.")
            }
            return try request.showsMissing
                ? listWithMissing(request, size, at: snapshot) : listByQuery(request, orders, size, at: snapshot)
        }

        private func listWithMissing(
            _ request: ListRequest, _ size: Int, at snapshot: Snapshot
        ) throws(RequestError) -> ListPage {
            do throws(InvalidQueryError) {
                try QueryValidator.validate(
                    Query(parent: request.parent, from: CollectionSelector(collectionID: request.collectionID)),
                    database: snapshot.database.id)
            } catch {
                throw RequestError(error)
            }
            let after = try request.last(in: snapshot.database.id)
            let scope: DocumentScope
            if let id = request.collectionID {
                scope = .collection(CollectionPath((request.parent?.resource ?? .root).appending(id)))
            } else {
                scope = .children(of: request.parent)
            }
            let found = try snapshot.documentsAndParents(
                in: scope, parent: request.parent, after: after, limit: size + 1,
                byteGoal: FirestoreService.listByteGoal)
            let isCut = found.reduce(0) { $0 + ($1.record?.byteCount ?? 0) } >= FirestoreService.listByteGoal
            return ListPage(found.prefix(size).map { ($0.path, $0.record) }, isLast: found.count <= size && !isCut)
        }

        private func listByQuery(
            _ request: ListRequest, _ orders: ListOrders, _ size: Int, at snapshot: Snapshot
        ) throws(RequestError) -> ListPage {
            var query = Query(
                parent: request.parent, from: CollectionSelector(collectionID: request.collectionID),
                orders: orders.orders, limit: size + 1)
            if let after = try request.last(in: snapshot.database.id) {
                query.start = try cursor(behind: after, orders, at: snapshot)
                query.orders = orders.complete
            }
            let result = try snapshot.run(.documents(query), byteGoal: FirestoreService.listByteGoal)
            var documents: [(path: DocumentPath, record: DocumentRecord?)] = []
            for record in result.records.prefix(size) {
                documents.append((try record.name(), record))
            }
            return ListPage(documents, isLast: result.records.count <= size && !result.isCut)
        }

        /// - Throws: if the last document of the page before has no place in the order any more.
        private func cursor(
            behind path: DocumentPath, _ orders: ListOrders, at snapshot: Snapshot
        ) throws(RequestError) -> QueryPlanner.Cursor {
            let name = Value.reference(Reference(database: snapshot.database.id, path: path.resource))
            guard !orders.orders.isEmpty else { return QueryPlanner.Cursor([name], before: false) }
            let document = try snapshot.document(path)?.whole()
            var values: [Value] = []
            for order in orders.complete {
                guard let value = order.path.isDocumentName ? name : document?.fields[order.path] else {
                    throw .invalid("The page token is no longer valid: \(path) has changed.")
                }
                values.append(value)
            }
            return QueryPlanner.Cursor(values, before: false)
        }
    }

    /// The orders of a list.
    private struct ListOrders {
        let orders: [Order]

        /// Parses ``a desc, `b c`, __name__ asc``.
        init(_ text: String) throws(RequestError) {
            var orders: [Order] = []
            for part in text.isEmpty ? [] : ListOrders.split(text[...], at: UInt8(ascii: ",")) {
                let words = ListOrders.split(part, at: UInt8(ascii: " ")).filter { !$0.isEmpty }
                guard let path = words.first, words.count <= 2 else { throw ListOrders.invalid(text) }
                let direction: Direction
                switch words.count == 1 ? "asc" : words[1].lowercased() {
                case "asc": direction = .ascending
                case "desc": direction = .descending
                default: throw ListOrders.invalid(text)
                }
                do throws(FieldPathError) {
                    orders.append(Order(try FieldPath(wireSyntax: String(path)), direction))
                } catch {
                    throw RequestError(error)
                }
            }
            self.orders = orders
        }

        /// A separator within backquotes belongs to a name.
        private static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
            var parts: [Substring] = []
            var start = text.startIndex
            var (isQuoted, isEscaped) = (false, false)
            for index in text.utf8.indices {
                switch text.utf8[index] {
                case _ where isEscaped: isEscaped = false
                case UInt8(ascii: "\\") where isQuoted: isEscaped = true
                case UInt8(ascii: "`"): isQuoted.toggle()
                case separator where !isQuoted:
                    parts.append(text[start..<index])
                    start = text.utf8.index(after: index)
                default: break
                }
            }
            return parts + [text[start...]]
        }

        /// With the name at the end.
        var complete: [Order] {
            orders.contains { $0.path.isDocumentName }
                ? orders : orders + [Order(.documentName, orders.last?.direction ?? .ascending)]
        }

        private static func invalid(_ text: String) -> RequestError {
            .invalid("Invalid order by clause \"\(text)\".")
        }
    }
#endif
