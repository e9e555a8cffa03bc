// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Evaluates a statement's condition for all requests of one method at once.
struct PossibilityReader {
    private let conditions: ConditionReader
    private let method: RequestMethod
    /// The place of the documents' wildcard in the whole path; nil if it has none.
    private let namePlace: Int?
    /// What every expression that is reached may give.
    private(set) var truths: [Site: Possibility.Truths] = [:]
    /// Why expressions always fail.
    private(set) var failures: [(site: Site, failure: Possibility.Failure)] = []
    private var known: [Site: Possibility] = [:]
    private static let mostSites = 20_000

    init(_ statement: OutlinedStatement, _ method: RequestMethod, _ conditions: ConditionReader) {
        self.conditions = conditions
        self.method = method
        let last = statement.pattern.last.map { if case .capture = $0.kind { true } else { false } }
        namePlace = last == true ? statement.pattern.count - 1 : nil
    }

    /// What the condition of a statement may give.
    static func read(
        _ statement: OutlinedStatement, _ method: RequestMethod, _ conditions: ConditionReader
    ) -> (truths: Possibility.Truths, reader: PossibilityReader) {
        var reader = PossibilityReader(statement, method, conditions)
        guard let condition = statement.condition else {
            return (Possibility.bool(true).truths, reader)
        }
        return (reader.read(condition).truths, reader)
    }

    mutating func read(_ site: Site) -> Possibility {
        if let result = known[site] { return result }
        guard known.count < PossibilityReader.mostSites else { return .unknown }
        known[site] = .unknown
        let resolved = conditions.resolved(site)
        let result = resolved == site ? value(site) : read(resolved)
        known[site] = result
        truths[site] = result.truths
        return result
    }

    private mutating func operand(_ id: SyntaxTree.ExpressionID, _ site: Site) -> Possibility {
        read(conditions.sibling(id, of: site))
    }

    private mutating func value(_ site: Site) -> Possibility {
        switch conditions.kind(site) {
        case .constant(let value): return .constant(value)
        case .variable(let name): return variable(name, site)
        case .member(let inner, let name): return member(operand(inner, site), name, site)
        case .index(let inner, let index):
            let whole = operand(inner, site)
            if case .constant(.string(let name)) = operand(index, site) { return member(whole, name, site) }
            return passing(whole)
        case .not(let inner):
            return .condition(operand(inner, site).truths.negated)
        case .binary(let binary, let left, let right):
            return self.binary(binary, conditions.sibling(left, of: site), conditions.sibling(right, of: site))
        case .conditional(let condition, let whenTrue, let whenFalse):
            let truths = operand(condition, site).truths
            guard truths.mayBeTrue else { return truths.mayBeFalse ? operand(whenFalse, site) : .unknown }
            guard truths.mayBeFalse else { return operand(whenTrue, site) }
            return operand(whenTrue, site).union(operand(whenFalse, site))
        case .call(let name, _) where conditions.isAccess(site):
            for child in conditions.children(site) { _ = read(child) }
            return ["exists", "existsAfter"].contains(name) ? .condition(.any) : .document
        case .typeTest, .method, .path, .list, .map, .range, .negated, .call, .packageCall:
            var first: Possibility?
            for child in conditions.children(site) {
                let result = read(child)
                if first == nil { first = result }
                if case .fails(let failure) = result { return .fails(failure) }
            }
            if case .method = conditions.kind(site), let first { return passing(first) }
            if case .typeTest(_, let type) = conditions.kind(site), case .constant(let value) = first {
                return .bool(value.isOf(type))
            }
            return .unknown
        case .parenthesized(let inner): return operand(inner, site)
        }
    }

    /// What methods and indexes make of a value.
    private func passing(_ value: Possibility) -> Possibility {
        switch value {
        case .fails(let failure): .fails(failure)
        case .constant(.null): .fails(.other)
        case .queriedName: .fails(.nameInQuery)
        default: .unknown
        }
    }

    private mutating func variable(_ name: String, _ site: Site) -> Possibility {
        if let place = conditions.capture(name, site) {
            return method == .list && place == namePlace ? .queriedName : .unknown
        }
        switch name {
        case "request": return .request
        case "resource":
            switch method {
            case .create: return .constant(.null)
            case .list: return .queriedDocument
            case .update: return .document
            case .get, .delete: return .unknown
            }
        default: return .unknown
        }
    }

    private mutating func member(_ whole: Possibility, _ name: Text, _ site: Site) -> Possibility {
        switch whole {
        case .request: return requestMember(name, site)
        case .fails(let failure): return .fails(failure)
        case .constant(.null):
            let root = conditions.path(site)?.root
            if root == .resource, method == .create { return failing(.resourceOnCreate, site) }
            if root == .request, method == .delete { return failing(.newResourceOnDelete, site) }
            return .fails(.other)
        case .queriedDocument where name != "data": return failing(.nameInQuery, site)
        case .queriedName: return failing(.nameInQuery, site)
        default: return .unknown
        }
    }

    private mutating func requestMember(_ name: Text, _ site: Site) -> Possibility {
        let isRead = method == .get || method == .list
        switch name.string {
        case "method": return .constant(.string(Text(method.rawValue)))
        case "resource":
            if isRead { return failing(.newResourceInRead, site) }
            return method == .delete ? .constant(.null) : .document
        case let key: return RequestValues.keys.contains(key) ? .unknown : .fails(.other)
        }
    }

    private mutating func failing(_ failure: Possibility.Failure, _ site: Site) -> Possibility {
        failures.append((site, failure))
        return .fails(failure)
    }

    // MARK: Operators

    private mutating func binary(_ binary: BinaryOperator, _ left: Site, _ right: Site) -> Possibility {
        switch binary {
        case .and, .or: return logic(binary, left, right)
        case .equal, .notEqual:
            let result = equality(read(left), read(right), right)
            guard binary == .notEqual, case .condition(let truths) = result else {
                if binary == .notEqual, case .constant(.bool(let bool)) = result { return .bool(!bool) }
                return result
            }
            return .condition(truths.negated)
        default:
            let (first, second) = (read(left), read(right))
            if case .fails(let failure) = first { return .fails(failure) }
            if case .fails(let failure) = second { return .fails(failure) }
            return .unknown
        }
    }

    private mutating func logic(_ binary: BinaryOperator, _ left: Site, _ right: Site) -> Possibility {
        let isAnd = binary == .and
        let first = read(left).truths
        let decides = isAnd ? !first.mayBeTrue && !first.mayFail : !first.mayBeFalse && !first.mayFail
        if decides { return .bool(!isAnd) }
        let second = read(right).truths
        if isAnd {
            return .condition(
                Possibility.Truths(
                    mayBeTrue: first.mayBeTrue && second.mayBeTrue, mayBeFalse: first.mayBeFalse || second.mayBeFalse,
                    mayFail: first.mayFail || second.mayFail))
        }
        return .condition(
            Possibility.Truths(
                mayBeTrue: first.mayBeTrue || second.mayBeTrue, mayBeFalse: first.mayBeFalse && second.mayBeFalse,
                mayFail: first.mayFail || second.mayFail))
    }

    private mutating func equality(_ left: Possibility, _ right: Possibility, _ site: Site) -> Possibility {
        switch (left, right) {
        case (.fails(let failure), _), (_, .fails(let failure)): return .fails(failure)
        case (.constant(let left), .constant(let right)): return .bool(left.equals(right))
        case (.document, .constant), (.constant, .document), (.queriedDocument, .constant),
            (.constant, .queriedDocument),
            (.request, .constant), (.constant, .request):
            return .bool(false)
        case (.queriedName, .constant(.null)), (.constant(.null), .queriedName): return .bool(true)
        case (.queriedName, _), (_, .queriedName):
            failures.append((site, .nameInQuery))
            return .condition(Possibility.Truths(mayBeTrue: false, mayBeFalse: true, mayFail: true))
        default: return .condition(.any)
        }
    }
}
