// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// What a refused query lacks: filters that make the rules allow it.
package struct MissingConstraint: Sendable {
    package let filters: [Filter]
    package let limit: Int?
    /// The query with them. The rules allow it.
    package let query: Query

    /// The most comparisons of a condition that are tried.
    private static let mostCandidates = 10

    /// The smallest set of comparisons of a statement that makes a refused query allowed, tried by deciding. Nil if the
    /// request is no query, or if no comparison of its conditions with a known value helps.
    package static func find(
        _ rules: RuleSet, _ request: RuleRequest, documents: @escaping (ResourcePath) -> Fields?
    ) -> MissingConstraint? {
        guard case .list(let query) = request.operation, !rules.decide(request, documents: documents).isAllowed else {
            return nil
        }
        let conditions = DecisionMaker.conditions(rules.program, request)
        for condition in conditions {
            var search = ConstraintSearch(program: rules.program, evaluator: condition.evaluator)
            let candidates = Array(search.candidates(condition.node).prefix(mostCandidates))
            for subset in subsets(candidates.count) {
                let chosen = subset.map { candidates[$0] }
                var changed = request
                let found = MissingConstraint(chosen, of: query)
                changed.operation = .list(found.query)
                if rules.decide(changed, documents: documents).isAllowed { return found }
            }
        }
        return nil
    }

    /// The sets of numbers below a count, the smallest first.
    private static func subsets(_ count: Int) -> [[Int]] {
        (1..<(1 << count)).map { bits in (0..<count).filter { bits >> $0 & 1 == 1 } }
            .sorted { $0.count < $1.count }
    }

    private init(_ candidates: [ConstraintSearch.Candidate], of query: Query) {
        var (filters, limit, changed): ([Filter], Int?, Query) = ([], nil, query)
        for candidate in candidates {
            switch candidate {
            case .filter(let filter): filters.append(filter)
            case .limit(let number): limit = min(limit ?? number, number)
            }
        }
        let own = query.filter.map { [$0] } ?? []
        let all = own + filters
        changed.filter = Filter.all(all)
        if let limit { changed.limit = limit }
        (self.filters, self.limit, self.query) = (filters, limit, changed)
    }
}

/// Finds the comparisons of a condition between a field of the query's documents and a value that is known.
struct ConstraintSearch {
    enum Candidate {
        case filter(Filter)
        case limit(Int)
    }

    let program: Program
    var evaluator: Evaluator

    /// What the parameters and `let`s of a call stand for.
    private indirect enum Frame {
        case none
        case locals([(Program.NodeID, Frame)])
    }

    mutating func candidates(_ node: Program.NodeID) -> [Candidate] { candidates(node, .none, depth: 0) }

    private static let deepestCall = 20

    private mutating func candidates(_ node: Program.NodeID, _ frame: Frame, depth: Int) -> [Candidate] {
        guard depth < ConstraintSearch.deepestCall else { return [] }
        switch program.nodes[Int(node)] {
        case .and(let left, let right), .or(let left, let right):
            return candidates(left, frame, depth: depth) + candidates(right, frame, depth: depth)
        case .conditional(_, let whenTrue, let whenFalse):
            return candidates(whenTrue, frame, depth: depth) + candidates(whenFalse, frame, depth: depth)
        case .call(let function, let arguments):
            return candidates(
                program.functions[Int(function)].result, inner(function, arguments, frame), depth: depth + 1)
        case .local:
            guard let (node, frame) = resolved(node, frame) else { return [] }
            return candidates(node, frame, depth: depth + 1)
        case .equality(let left, let right, let isNegated):
            return comparison(isNegated ? .notEqual : .equal, left, right, frame)
        case .comparison(let binary, let left, let right): return comparison(binary, left, right, frame)
        case .in(let left, let right):
            if let path = field(left, frame), let value = value(right, frame) {
                return [.filter(.field(path, .in, value))]
            }
            guard let path = field(right, frame), let value = value(left, frame) else { return [] }
            return [.filter(.field(path, .arrayContains, value))]
        case .method(let receiver, .hasAny, let operands, _) where operands.count == 1:
            guard let path = field(receiver, frame), let value = value(program.operands[Int(operands.start)], frame),
                case .array(let elements) = value, !elements.isEmpty
            else { return [] }
            return [.filter(.field(path, .arrayContainsAny, value))]
        case .not(let operand): return isBool(operand, false, frame)
        default: return isBool(node, true, frame)
        }
    }

    /// A field that is a condition by itself.
    private func isBool(_ node: Program.NodeID, _ bool: Bool, _ frame: Frame) -> [Candidate] {
        field(node, frame).map { [.filter(.field($0, .equal, .boolean(bool)))] } ?? []
    }

    private mutating func comparison(
        _ binary: BinaryOperator, _ left: Program.NodeID, _ right: Program.NodeID, _ frame: Frame
    ) -> [Candidate] {
        for (node, other, binary) in [(left, right, binary), (right, left, binary.mirrored)] {
            guard let value = value(other, frame), let comparison = FieldOperator(binary) else { continue }
            if let path = field(node, frame) {
                if value.isNull { return [.filter(.unary(path, comparison == .equal ? .isNull : .isNotNull))] }
                return [.filter(.field(path, comparison, value))]
            }
            if isLimit(node), case .integer(let number) = value, number > 0, let limit = Int(exactly: number) {
                return [.limit(comparison == .lessThan ? max(1, limit - 1) : limit)]
            }
        }
        return []
    }

    private func isLimit(_ node: Program.NodeID) -> Bool {
        guard case .member(let query, let limit) = program.nodes[Int(node)], program.names[Int(limit)] == "limit",
            case .requestMember(.other, let name) = program.nodes[Int(query)]
        else { return false }
        return program.names[Int(name)] == "query"
    }

    /// The field of `resource.data` that an expression is.
    private func field(_ node: Program.NodeID, _ frame: Frame) -> FieldPath? {
        guard let segments = segments(node, frame), !segments.isEmpty else { return nil }
        return FieldPath(segments)
    }

    private func segments(_ node: Program.NodeID, _ frame: Frame) -> [Text]? {
        switch program.nodes[Int(node)] {
        case .member(let operand, let name):
            let name = program.names[Int(name)]
            if case .resource = program.nodes[Int(operand)] { return name == "data" ? [] : nil }
            return segments(operand, frame).map { $0 + [name] }
        case .index(let operand, let index):
            guard case .constant(let place) = program.nodes[Int(index)],
                case .string(let name) = program.constants[Int(place)]
            else { return nil }
            return segments(operand, frame).map { $0 + [name] }
        case .local:
            guard let (node, frame) = resolved(node, frame) else { return nil }
            return segments(node, frame)
        default: return nil
        }
    }

    /// The value of an expression that depends on no parameter, or is one.
    private mutating func value(_ node: Program.NodeID, _ frame: Frame) -> Value? {
        if case .local = program.nodes[Int(node)] {
            guard let (node, frame) = resolved(node, frame) else { return nil }
            return value(node, frame)
        }
        guard !dependsOnLocals(node) else { return nil }
        evaluator.beginItem()
        guard let value = try? evaluator.evaluate(node) else { return nil }
        return Value(value)
    }

    private func dependsOnLocals(_ root: Program.NodeID) -> Bool {
        var open = [root]
        while let node = open.popLast() {
            if case .local = program.nodes[Int(node)] { return true }
            open += program.children(node)
        }
        return false
    }

    // MARK: Frames

    private func inner(_ function: Int32, _ arguments: Program.Operands, _ frame: Frame) -> Frame {
        var locals = arguments.range.map { (program.operands[$0], frame) }
        for binding in program.functions[Int(function)].bindings { locals.append((binding, .locals(locals))) }
        return .locals(locals)
    }

    private func resolved(_ node: Program.NodeID, _ frame: Frame) -> (Program.NodeID, Frame)? {
        guard case .local(let place) = program.nodes[Int(node)], case .locals(let locals) = frame,
            Int(place) < locals.count
        else { return nil }
        return locals[Int(place)]
    }
}

extension Program {
    /// The operands of an expression.
    func children(_ node: NodeID) -> [NodeID] {
        switch nodes[Int(node)] {
        case .constant, .constantList, .negativeLiteral, .local, .capture, .request, .requestMember, .resource,
            .unknownVariable, .segment:
            []
        case .list(let operands), .map(let operands), .path(let operands), .call(_, let operands),
            .builtIn(_, let operands), .access(_, let operands), .wrongCall(_, let operands),
            .unknownFunction(_, let operands):
            Array(self.operands[operands.range])
        case .member(let operand, _), .not(let operand), .negated(let operand), .typeTest(let operand, _):
            [operand]
        case .index(let left, let right), .and(let left, let right), .or(let left, let right), .in(let left, let right),
            .equality(let left, let right, _), .comparison(_, let left, let right), .arithmetic(_, let left, let right):
            [left, right]
        case .range(let operand, let from, let to): [operand] + [from, to].filter { $0 >= 0 }
        case .conditional(let condition, let whenTrue, let whenFalse): [condition, whenTrue, whenFalse]
        case .method(let receiver, _, let operands, _), .unknownMethod(let receiver, _, let operands):
            [receiver] + self.operands[operands.range]
        }
    }
}

extension Value {
    /// A value of the rules that a filter may compare with; nil for what no document holds.
    fileprivate init?(_ value: RuleValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .boolean(value)
        case .int(let value): self = .integer(value)
        case .float(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .bytes(let value): self = .bytes(value)
        case .timestamp(let value):
            let (micros, overflow) = value.seconds.multipliedReportingOverflow(by: 1_000_000)
            guard !overflow, let time = Timestamp(microseconds: micros + Int64(value.nanoseconds / 1_000)) else {
                return nil
            }
            self = .timestamp(time)
        case .latlng(let value): self = .geoPoint(value)
        case .list(let elements):
            var values: [Value] = []
            for element in elements {
                guard let value = Value(element) else { return nil }
                values.append(value)
            }
            self = .array(values)
        case .duration, .path, .map, .set, .mapDiff, .vector, .constraint: return nil
        }
    }
}
