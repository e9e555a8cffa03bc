// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// Shrinks failing inputs, so that a person can read them.
package enum Shrinker {
    /// Follows the first candidate that still fails until none does, or until 2,000 candidates were tried.
    package static func smallest<Input>(
        from input: Input, candidates: (Input) -> [Input], stillFails: (Input) throws -> Bool
    ) rethrows -> Input {
        var current = input
        var budget = 2_000
        var progress = true
        while progress, budget > 0 {
            progress = false
            for candidate in candidates(current) where budget > 0 {
                budget -= 1
                if try stillFails(candidate) {
                    current = candidate
                    progress = true
                    break
                }
            }
        }
        return current
    }

    /// Without its halves, then without each element.
    package static func array<Element>(_ elements: [Element]) -> [[Element]] {
        guard !elements.isEmpty else { return [] }
        let middle = elements.count / 2
        let halves = elements.count > 3 ? [Array(elements[middle...]), Array(elements[..<middle])] : []
        return halves + removingEach(elements)
    }

    /// Without half of the documents, then without each of them, then without each field of each, then with shorter texts.
    package static func documents(_ documents: [DocumentPath: Fields]) -> [[DocumentPath: Fields]] {
        let sorted = documents.sorted { $0.key.description < $1.key.description }
        let fewer = array(sorted).map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }) }
        guard sorted.count <= 8 else { return fewer }
        let thinner = sorted.flatMap { path, fields in
            removingEach(fields.storage).map { rest in
                documents.merging([path: Fields(sorted: rest)]) { _, new in new }
            }
        }
        let shorter = sorted.flatMap { path, fields in
            fields.storage.compactMap { field -> [DocumentPath: Fields]? in
                guard case .string(let text) = field.value, text.utf8Count > 16 else { return nil }
                var changed = fields
                changed[field.name] = .string(Text(String(text.string.dropFirst(text.string.count / 2))))
                return documents.merging([path: changed]) { _, new in new }
            }
        }
        return fewer + thinner + shorter
    }

    /// Without one of its clauses, or with a simpler filter.
    package static func query(_ query: Query) -> [Query] {
        var simpler: [Query] = []
        func add(_ change: (inout Query) -> Void) {
            var copy = query
            change(&copy)
            simpler.append(copy)
        }
        if query.filter != nil { add { $0.filter = nil } }
        if query.start != nil { add { $0.start = nil } }
        if query.end != nil { add { $0.end = nil } }
        if query.offset != 0 { add { $0.offset = 0 } }
        if query.limit != nil, !query.limitToLast { add { $0.limit = nil } }
        if query.limitToLast { add { $0.limitToLast = false } }
        if query.projection != nil { add { $0.projection = nil } }
        for orders in removingEach(query.orders) { add { $0.orders = orders } }
        for filter in query.filter.map(filters) ?? [] { add { $0.filter = filter } }
        return simpler
    }

    private static func filters(_ filter: Filter) -> [Filter] {
        switch filter {
        case .field(let path, let fieldOperator, .array(let values)):
            removingEach(values).filter { !$0.isEmpty }.map { .field(path, fieldOperator, .array($0)) }
        case .field, .unary: []
        case .and(let parts): parts + partsChanged(parts).map { .and($0) }
        case .or(let parts): parts + partsChanged(parts).map { .or($0) }
        }
    }

    private static func partsChanged(_ parts: [Filter]) -> [[Filter]] {
        let fewer = parts.count > 1 ? removingEach(parts) : []
        let simpler = parts.indices.flatMap { index in
            filters(parts[index]).map { part in
                var copy = parts
                copy[index] = part
                return copy
            }
        }
        return fewer + simpler
    }

    private static func removingEach<Element>(_ elements: [Element]) -> [[Element]] {
        elements.indices.map { index in
            var copy = elements
            copy.remove(at: index)
            return copy
        }
    }
}
