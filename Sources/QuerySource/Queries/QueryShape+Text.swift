// SPDX-License-Identifier: Apache-2.0

extension QueryShape {
    /// As query text, with `?` for values that are not known.
    var text: String { text(filling: { _ in "?" }) }

    /// - Parameter value: the text for a value that is not known, by its name.
    func text(filling value: (String?) -> String) -> String {
        let calls = parts.map { $0.call { $0.text(filling: value) } }
        return head + calls.joined() + aggregationCall
    }

    /// Equal for queries that differ in values only.
    var key: String {
        let parts = parts.filter(\.decidesIndexes)
        return head + parts.map { $0.call(\.key) }.joined() + aggregationCall
    }

    func has(_ part: QueryPart) -> Bool {
        let call = part.call(\.text)
        return !call.isEmpty && parts.contains { $0.call(\.text) == call }
    }

    private var aggregationCall: String {
        guard !aggregations.isEmpty else { return "" }
        if aggregations.count == 1, case .count = aggregations[0] { return ".count()" }
        return ".aggregate(\(aggregations.map(\.aggregation).joined(separator: ",")))"
    }
}

extension QueryPart {
    fileprivate var decidesIndexes: Bool {
        switch self {
        case .offset, .cursor, .select: false
        default: true
        }
    }

    /// As a call of query text; empty for an aggregation, which is one call for all.
    fileprivate func call(_ operand: (Operand) -> String) -> String {
        switch self {
        case .filter(let filter):
            if case .compare = filter { return ".\(filter.text(operand))" }
            return ".where(\(filter.text(operand)))"
        case .order(let field, let isDescending): return ".orderBy(\(field.text)\(isDescending ? ",\"desc\"" : ""))"
        case .limit(let count): return ".limit(\(operand(count)))"
        case .limitToLast(let count): return ".limitToLast(\(operand(count)))"
        case .offset(let count): return ".offset(\(operand(count)))"
        case .cursor(let name, let values): return ".\(name)(\(values.map(operand).joined(separator: ",")))"
        case .select(let fields): return fields.map { ".select(\($0.map(\.text).joined(separator: ",")))" } ?? ""
        case .nearest(let field, _, let rest): return ".findNearest(\(field.text),\(rest))"
        case .count, .sum, .average, .several, .nothing, .problem: return ""
        }
    }

    fileprivate var aggregation: String {
        switch self {
        case .sum(let field): "sum(\(field.text))"
        case .average(let field): "average(\(field.text))"
        default: "count()"
        }
    }
}
