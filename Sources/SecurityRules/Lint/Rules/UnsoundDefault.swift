// SPDX-License-Identifier: Apache-2.0

/// Conditions on what `get()` gives for a document without the field.
extension SecurityLintRule {
    static let defaultForm = "the default of get()"

    /// The conditions that a statement's is made of, each with the answer that it should give.
    static func wantedAnswers(_ statement: OutlinedStatement, _ conditions: ConditionReader) -> [Site: Bool] {
        var wanted: [Site: Bool] = [:]
        var open: [(site: Site, answer: Bool)] = []
        if let condition = statement.condition { open.append((condition, true)) }
        while let next = open.popLast(), wanted.count < 20_000 {
            let site = conditions.resolved(next.site)
            guard wanted[site] == nil else { continue }
            wanted[site] = next.answer
            switch conditions.kind(site) {
            case .not(let inner): open.append((conditions.sibling(inner, of: site), !next.answer))
            case .binary(.and, let left, let right), .binary(.or, let left, let right),
                .conditional(_, let left, let right):
                open.append((conditions.sibling(right, of: site), next.answer))
                open.append((conditions.sibling(left, of: site), next.answer))
            default: break
            }
        }
        return wanted
    }

    /// Whether the answer that a condition should give is the one that it gives for a document without the fields that it
    /// gives a default.
    static func holdsByDefault(_ site: Site, _ wanted: [Site: Bool], _ conditions: ConditionReader) -> Bool {
        guard let answer = wanted[site] else { return false }
        switch conditions.kind(site) {
        case .method, .typeTest, .binary, .member, .index: break
        default: return false
        }
        var reader = DefaultReader(conditions)
        guard let reading = reader.read(site), case .bool(answer) = reading.value else { return false }
        return reading.isDefault
    }
}
