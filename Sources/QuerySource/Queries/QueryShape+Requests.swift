// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

extension QueryShape {
    /// The query with stand-ins for what is not known. What the stand-ins are decides nothing, except that a list has one
    /// element or several, and that a comparison with null is one of its own.
    var query: SourceQuery {
        var requests = [request(StandIns(listLength: 1, isNull: false))]
        if hasOpenList, disjunctCount(2) <= 30 { requests.append(request(StandIns(listLength: 2, isNull: false))) }
        if hasPlaceholder { requests.append(request(StandIns(listLength: 1, isNull: true))) }
        return SourceQuery(
            text: text, requests: requests, isPlaceKnown: isPlaceKnown, isModular: isModular,
            fill: { value in text(filling: value) })
    }

    /// Whether all collections of its path are known. Documents in the path need not be.
    private var isPlaceKnown: Bool {
        guard case .collection(_, let path) = source else { return true }
        let segments = path.split(separator: "/")
        let collections = segments.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        return isRooted && segments.count % 2 == 1 && !collections.contains { $0.contains("?") }
    }

    private struct StandIns {
        let listLength: Int
        let isNull: Bool
    }

    private var hasOpenList: Bool {
        leaves.contains { if case .openList = $0 { true } else { false } }
    }

    private var hasPlaceholder: Bool {
        leaves.contains { if case .placeholder = $0 { true } else { false } }
    }

    private var leaves: [Operand] {
        func leaves(_ filter: SourceFilter) -> [Operand] {
            switch filter {
            case .compare(_, _, let operand): [operand]
            case .and(let filters), .or(let filters): filters.flatMap(leaves)
            }
        }
        return filters.flatMap(leaves)
    }

    /// How many disjuncts the lists make at most.
    private func disjunctCount(_ length: Int) -> Int {
        var count = 1
        for operand in leaves {
            switch operand {
            case .openList: count *= length
            case .list(let elements): count *= max(1, elements.count)
            default: break
            }
            if count > 1_000 { return count }
        }
        return count
    }

    /// The segments of its collection's path, with a stand-in for each `?`; of a collection group its ID alone. The
    /// stand-in is that of values, since a document in the path is often the user's, whose ID is also a value.
    private var segments: [Text] {
        switch source {
        case .collection(let id, let path):
            let segments = path.split(separator: "/").map { Text(String($0).replacing("?", with: "v0")) }
            return segments.count % 2 == 1 ? segments : [Text(id)]
        case .group(let id): return [Text(id)]
        case .unknown: return [""]
        }
    }

    private func request(_ standIns: StandIns) -> QueryRequest {
        let isGroup = if case .group = source { true } else { false }
        let collection = segments
        let parent = ResourcePath(segments: collection.dropLast())
        var query = Query(
            parent: parent.isEmpty ? nil : DocumentPath(parent),
            from: CollectionSelector(collectionID: collection[collection.count - 1], allDescendants: isGroup))
        let filters = filters.map { filter($0, collection, standIns) }
        if !filters.isEmpty { query.filter = filters.count == 1 ? filters[0] : .and(filters) }
        query.orders = orders.map { Order($0.field.path, $0.isDescending ? .descending : .ascending) }
        query.limit = limit ?? (hasLimitToLast ? 1 : nil)
        query.limitToLast = hasLimitToLast
        query.offset = offset ?? 0
        query.nearest = nearest.map {
            FindNearest(
                path: $0.field.path, vector: Array(repeating: 1, count: $0.dimension), measure: .euclidean, limit: 1)
        }
        guard !aggregations.isEmpty else { return .documents(query) }
        let kinds = aggregations.compactMap { part -> Aggregation? in
            switch part {
            case .count: Aggregation(alias: nil, .count(upTo: nil))
            case .sum(let field): Aggregation(alias: nil, .sum(field.path))
            case .average(let field): Aggregation(alias: nil, .average(field.path))
            default: nil
            }
        }
        return .aggregation(AggregationQuery(query, kinds))
    }

    private func filter(_ filter: SourceFilter, _ collection: [Text], _ standIns: StandIns) -> Filter {
        switch filter {
        case .and(let filters): return .and(filters.map { self.filter($0, collection, standIns) })
        case .or(let filters): return .or(filters.map { self.filter($0, collection, standIns) })
        case .compare(let field, let op, let operand):
            let isName = field.path.isDocumentName
            if !isName, isNull(operand, standIns) {
                if op == .equal { return .unary(field.path, .isNull) }
                if op == .notEqual { return .unary(field.path, .isNotNull) }
            }
            return .field(field.path, op, value(operand, isName ? collection : nil, standIns, 0))
        }
    }

    private func isNull(_ operand: Operand, _ standIns: StandIns) -> Bool {
        switch operand {
        case .null: true
        case .placeholder: standIns.isNull
        default: false
        }
    }

    /// - Parameter names: the collection of documents whose names are compared.
    private func value(_ operand: Operand, _ names: [Text]?, _ standIns: StandIns, _ number: Int) -> Value {
        switch operand {
        case .list(let elements):
            return .array(elements.enumerated().map { value($1, names, standIns, $0) })
        case .openList:
            return .array((0..<standIns.listLength).map { value(.placeholder(nil), names, standIns, $0) })
        default: break
        }
        if let names {
            let path = ResourcePath(segments: names + [Text("v\(number)")])
            return .reference(Reference(database: DatabaseID(project: "hearth"), path: path))
        }
        switch operand {
        case .text(let text): return .string(Text(text))
        case .number(let text): return Int64(text).map { .integer($0) } ?? .double(Double(text) ?? 0)
        case .flag(let flag): return .boolean(flag)
        case .null: return .null
        default: return .string(Text("v\(number)"))
        }
    }
}
