// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Finds filters and limits that a query lacks to be allowed, by reading them off the conditions.
struct MissingConstraints {
    private let outline: RulesOutline

    init(_ outline: RulesOutline) { self.outline = outline }

    /// What is added to a query, and how it is written.
    private struct Addition {
        var filter: Filter?
        var limit: Int?
        let text: String
    }

    /// The shortest addition with which the query is allowed, as it is written in code.
    /// - Parameter isAllowed: decides a query. Nothing is returned that it did not allow.
    func find(_ query: Query, uid: Text, isAllowed: (Query) -> Bool) -> String? {
        var best: [Addition]?
        let compared = query.filter.map(MissingConstraints.comparedFields) ?? []
        for statement in outline.statements(allowing: MethodSet(.list)) {
            guard let condition = statement.condition else { continue }
            for terms in outline.conditions.alternatives(condition) ?? [] {
                var additions: [Addition] = []
                for term in terms {
                    guard let addition = addition(term, uid), !additions.contains(where: { $0.text == addition.text }),
                        addition.filter.map({ compared.isDisjoint(with: MissingConstraints.comparedFields($0)) })
                            != false
                    else { continue }
                    additions.append(addition)
                }
                guard !additions.isEmpty, additions.count < best?.count ?? 10,
                    isAllowed(MissingConstraints.adding(additions, to: query))
                else { continue }
                // Terms that hold already need nothing.
                for place in additions.indices.reversed() {
                    var fewer = additions
                    fewer.remove(at: place)
                    if isAllowed(MissingConstraints.adding(fewer, to: query)) { additions = fewer }
                }
                best = additions
            }
        }
        return best.map { $0.map(\.text).joined(separator: ".") }
    }

    /// Fields that a filter compares by equality: another comparison would leave nothing to return.
    private static func comparedFields(_ filter: Filter) -> Set<FieldPath> {
        switch filter {
        case .field(let path, .equal, _): [path]
        case .field, .unary, .or: []
        case .and(let filters): filters.reduce(into: []) { $0.formUnion(comparedFields($1)) }
        }
    }

    private static func adding(_ additions: [Addition], to query: Query) -> Query {
        var query = query
        query.filter = Filter.all([query.filter].compactMap(\.self) + additions.compactMap(\.filter))
        for addition in additions { query.limit = addition.limit ?? query.limit }
        return query
    }

    /// The filters and the limit that conditions ask a query for.
    func filters(_ terms: [Site], uid: Text) -> (filter: Filter?, limit: Int?) {
        let additions = terms.compactMap { addition($0, uid) }
        return (Filter.all(additions.compactMap(\.filter)), additions.compactMap(\.limit).first)
    }

    // MARK: Reading conditions

    private var conditions: ConditionReader { outline.conditions }

    private func addition(_ term: Site, _ uid: Text) -> Addition? {
        switch conditions.kind(term) {
        case .binary(.in, let left, let right):
            return membership(conditions.sibling(left, of: term), conditions.sibling(right, of: term), uid)
        case .binary(let binary, let left, let right):
            let (left, right) = (conditions.sibling(left, of: term), conditions.sibling(right, of: term))
            return comparison(binary, left, right, uid) ?? comparison(binary.mirrored, right, left, uid)
        case .not(let inner):
            guard let path = field(conditions.sibling(inner, of: term)) else { return nil }
            return written(path, .equal, (.boolean(false), "false"))
        case .method(let receiver, "hasAny", let arguments) where arguments.count == 1:
            guard let path = field(conditions.sibling(receiver, of: term)),
                let value = value(conditions.sibling(arguments[0], of: term), uid)
            else { return nil }
            return written(path, .arrayContainsAny, value)
        default:
            guard let path = field(term) else { return nil }
            return written(path, .equal, (.boolean(true), "true"))
        }
    }

    private func membership(_ left: Site, _ right: Site, _ uid: Text) -> Addition? {
        if let path = field(right), let value = value(left, uid) { return written(path, .arrayContains, value) }
        if let path = field(left), let value = value(right, uid) { return written(path, .in, value) }
        return nil
    }

    private func comparison(_ binary: BinaryOperator, _ left: Site, _ right: Site, _ uid: Text) -> Addition? {
        guard let value = value(right, uid) else { return nil }
        if let path = conditions.path(left), path.root == .request, path.members == ["query", "limit"],
            case .integer(let number) = value.value, let limit = Int(exactly: number)
        {
            let most = binary == .less ? limit - 1 : limit
            guard [.less, .lessOrEqual, .equal].contains(binary), most > 0 else { return nil }
            return Addition(limit: most, text: "limit(\(most))")
        }
        guard let path = field(left) else { return nil }
        return FieldOperator(binary).flatMap { written(path, $0, value) }
    }

    private func field(_ site: Site) -> FieldPath? {
        guard let path = conditions.field(site, isNew: false), !path.isEmpty else { return nil }
        return FieldPath(path)
    }

    private func value(_ site: Site, _ uid: Text) -> (value: Value, text: String)? {
        let site = conditions.resolved(site)
        if conditions.isUserID(site) { return (.string(uid), "uid") }
        if let path = conditions.path(site), path.root == .request, path.members == ["auth", "token", "email"] {
            return (.string(Text(QueryJudge.email)), "email")
        }
        switch conditions.kind(site) {
        case .constant(let value):
            guard let stored = Value(scalar: value) else { return nil }
            return (stored, QueryText.text(of: stored))
        case .list(let elements):
            var values: [Value] = []
            var texts: [String] = []
            for element in elements {
                let element = conditions.resolved(conditions.sibling(element, of: site))
                // No document has a list in a list, and variables may nest them without an end.
                if case .list = conditions.kind(element) { return nil }
                guard let (value, text) = value(element, uid) else { return nil }
                values.append(value)
                texts.append(text)
            }
            return values.isEmpty ? nil : (.array(values), "[\(texts.joined(separator: ","))]")
        default: return nil
        }
    }

    private func written(_ path: FieldPath, _ comparison: FieldOperator, _ value: (value: Value, text: String))
        -> Addition
    {
        // A comparison with null is a filter of its own.
        var filter = Filter.field(path, comparison, value.value)
        if value.value.isNull, comparison == .equal { filter = .unary(path, .isNull) }
        if value.value.isNull, comparison == .notEqual { filter = .unary(path, .isNotNull) }
        let name = QueryText.text(of: Value.string(Text(path.wire)))
        return Addition(filter: filter, text: "where(\(name),\"\(comparison.symbol)\",\(value.text))")
    }
}
