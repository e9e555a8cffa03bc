// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
internal import JSONText

/// Counts queries without their values and writes them as lines of a queries file,
/// `{"id","count","parent","structuredQuery"}`, which `check` and `advise` read. Counts of equal lines add up.
package struct QueryLog: Sendable {
    private var counts: [String: Int] = [:]
    /// The keys in order of first appearance.
    private var order: [String] = []
    private let database: DatabaseID

    package init(database: DatabaseID) {
        self.database = database
    }

    package var isEmpty: Bool { counts.isEmpty }

    /// - Returns: whether the query is new.
    @discardableResult
    package mutating func record(_ request: QueryRequest) -> Bool {
        let shape = request.withoutValues
        var writer = JSONWriter()
        QueryJSON.write(shape, to: &writer, database: database)
        let body = String(decoding: writer.bytes, as: UTF8.self)
        let key = "\"id\":\(JSONNode.string(shape.summary).text()),\(body.dropFirst())"
        let isNew = counts[key] == nil
        if isNew { order.append(key) }
        counts[key, default: 0] += 1
        return isNew
    }

    /// A line for each query recorded since the last call, with its count.
    package mutating func takeLines() -> [UInt8] {
        var lines: [UInt8] = []
        for key in order {
            guard let count = counts[key], count > 0 else { continue }
            lines += Array("{\"count\":\(count),\(key)\n".utf8)
            counts[key] = 0
        }
        return lines
    }
}

extension QueryRequest {
    /// A readable summary: `cities where state == "v0" order by population desc`.
    fileprivate var summary: String {
        let collection = query.from.collectionID?.string ?? "documents"
        var text = query.from.allDescendants ? "group \(collection)" : collection
        if let filter = query.filter { text += " where \(QueryText.text(of: filter))" }
        if !query.orders.isEmpty {
            let orders = query.orders.map { "\($0.path)\($0.direction == .descending ? " desc" : "")" }
            text += " order by \(orders.joined(separator: ", "))"
        }
        if query.limitToLast { text += " limit to last" }
        if let nearest = query.nearest { text += " nearest by \(nearest.path)" }
        if case .aggregation(let aggregation) = self {
            text += " aggregate \(aggregation.aggregations.map(\.kind.summary).joined(separator: ", "))"
        }
        return text
    }
}

extension Aggregation.Kind {
    fileprivate var summary: String {
        switch self {
        case .count: "count"
        case .sum(let path): "sum \(path)"
        case .average(let path): "average \(path)"
        }
    }
}
