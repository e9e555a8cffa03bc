// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
package import JSONText

extension ExecutionPlan {
    /// What runs, as a tree: offset and limit, then the combination of disjuncts, then the access to their rows.
    package var explanation: PlanNode {
        let parts = plan.disjuncts.indices.map { position in
            strategies[position].node(of: plan.disjuncts[position], plan.query.disjuncts[position].filters, plan.query)
        }
        if case .sequence(let positions) = union {
            return plan.explanation(of: positions.map { parts[$0] }, together: PlanNode("Sequence"))
        }
        return plan.explanation(of: parts, together: plan.merge)
    }

    /// `{"production":{"indexesUsed":[…],"plan":{…}},"executed":{…},"version":1}`, as docs/explain.md describes it.
    ///
    /// - Parameter isServed: whether production runs the query; else there is no plan of its own.
    package func writeExplanation(to writer: inout JSONWriter, isServed: Bool = true) {
        writer.beginObject()
        if isServed {
            writer.key("production")
            writer.beginObject()
            writer.key("indexesUsed")
            plan.writeIndexesUsed(to: &writer)
            writer.key("plan")
            plan.explanation.write(to: &writer)
            writer.endObject()
        }
        writer.key("executed")
        explanation.write(to: &writer)
        writer.key("version")
        writer.integer(1)
        writer.endObject()
    }
}

extension AccessStrategy {
    fileprivate func node(of disjunct: DisjunctPlan, _ filters: [Filter], _ query: NormalizedQuery) -> PlanNode {
        switch self {
        case .planned: disjunct.access.node(filters)
        case .backwards(let backwards): backwards.access.node(filters)
        case .sorted(let alternatives): query.sortNode(alternatives, filters)
        case .adaptive(let alternatives, _):
            PlanNode(
                "Whichever is shorter",
                children: [disjunct.access.node(filters), query.sortNode(alternatives, filters)])
        }
    }
}

extension NormalizedQuery {
    fileprivate var orderText: String {
        orders.map { "\($0.path) \($0.direction == .ascending ? "ASC" : "DESC")" }.joined(separator: ", ")
    }

    fileprivate func sortNode(_ alternatives: [AccessPath], _ filters: [Filter]) -> PlanNode {
        let scans = alternatives.map { $0.node([]) }
        let documents = PlanNode(
            "Documents", PlanNode.Particular.filter(filters),
            children: scans.count > 1 ? [PlanNode("Shortest", children: scans)] : scans)
        return PlanNode("Sort", [.init("by", orderText)], children: [documents])
    }
}

extension QueryPlan {
    /// What production runs, as a tree.
    package var explanation: PlanNode {
        explanation(of: zip(disjuncts, query.disjuncts).map { $0.access.node($1.filters) }, together: merge)
    }

    fileprivate var merge: PlanNode { PlanNode("Merge", [.init("by", query.orderText)]) }

    /// - Parameter together: the node that combines several parts.
    fileprivate func explanation(of parts: [PlanNode], together: PlanNode) -> PlanNode {
        guard !disjuncts.isEmpty else {
            return PlanNode(
                "Nothing", [.init("because", query.limit == 0 ? "limit is 0" : "the filters contradict each other")])
        }
        var node = parts[0]
        if parts.count > 1 { node = PlanNode(together.name, together.particulars, children: parts) }
        if let nearest = query.query.nearest {
            node = PlanNode(
                "Nearest",
                [
                    .init("to", "a vector of dimension \(nearest.vector.count)"),
                    .init("measure", nearest.measure.rawValue),
                    .init("limit", "\(nearest.limit)"),
                ], children: [node])
        }
        return paged(node)
    }

    private func paged(_ inner: PlanNode) -> PlanNode {
        var node = inner
        var particulars: [PlanNode.Particular] = []
        if query.offset > 0 { particulars.append(.init("offset", "\(query.offset)")) }
        if let limit = query.limit { particulars.append(.init("limit", "\(limit)")) }
        if query.reversesRows { particulars.append(.init("rows", "reversed")) }
        if !particulars.isEmpty { node = PlanNode("Page", particulars, children: [node]) }
        guard !query.aggregations.isEmpty else { return node }
        let aggregations = query.aggregations.map { "\($0.alias) = \($0.kind.text)" }.joined(separator: ", ")
        return PlanNode("Aggregate", [.init("results", aggregations, .text)], children: [node])
    }

    /// `[{"queryScope","properties"},…]`
    package func writeIndexesUsed(to writer: inout JSONWriter) {
        writer.beginArray()
        for use in indexesUsed {
            writer.beginObject()
            writer.key("queryScope")
            writer.string(use.queryScope)
            writer.key("properties")
            writer.string(use.properties)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension Aggregation.Kind {
    fileprivate var text: String {
        switch self {
        case .count(nil): "count()"
        case .count(let upTo?): "count(up to \(upTo))"
        case .sum(let path): "sum(\(path))"
        case .average(let path): "average(\(path))"
        }
    }
}

extension AccessPath {
    fileprivate func node(_ filters: [Filter]) -> PlanNode {
        let filter = PlanNode.Particular.filter(filters)
        return switch self {
        case .documents(let scan):
            PlanNode(
                "Document scan", [.init("of", scan.scope.text, .text), .direction(backwards: scan.backwards)] + filter)
        case .fullScan(let scan): PlanNode("Full scan", [.init("of", scan.scope.text, .text)] + filter)
        case .index(let scan): scan.node("Index scan", filter)
        case .nearest(let scan): scan.node("Vector scan", filter)
        case .join(let scans):
            PlanNode("Zig-zag join", filter, children: scans.map { $0.node("Index scan", []) })
        }
    }
}

extension PlanNode.Particular {
    fileprivate static func direction(backwards: Bool) -> PlanNode.Particular {
        PlanNode.Particular("direction", backwards ? "backwards" : "forwards", backwards ? .text : .omitted)
    }

    /// Empty without filters.
    fileprivate static func filter(_ filters: [Filter]) -> [PlanNode.Particular] {
        let text = filters.map { QueryText.text(of: $0) }.joined(separator: " and ")
        return filters.isEmpty ? [] : [PlanNode.Particular("filter", text, .condition)]
    }
}

extension IndexScan {
    fileprivate func node(_ name: String, _ filter: [PlanNode.Particular]) -> PlanNode {
        var particulars: [PlanNode.Particular] = [
            .init("of", scope.text, .text), .init("index", properties, .textJoined),
        ]
        if prefixCount > 0 { particulars.append(.init("equality fields", "\(prefixCount)", .omitted)) }
        if ranges != [.all] {
            particulars.append(.init("ranges", "\(ranges.count)", ranges.count == 1 ? .omitted : .nameAndText))
        }
        particulars.append(.direction(backwards: backwards))
        return PlanNode(name, particulars + filter)
    }
}

extension DocumentScope {
    fileprivate var text: String {
        switch self {
        case .collection(let path): "\(path)"
        case .collectionGroup(let id, nil): "all collections \(id)"
        case .collectionGroup(let id, let parent?): "all collections \(id) under \(parent)"
        case .children(nil): "every collection at the root"
        case .children(let parent?): "every collection of \(parent)"
        case .descendants(nil): "every collection"
        case .descendants(let parent?): "every collection under \(parent)"
        }
    }
}
