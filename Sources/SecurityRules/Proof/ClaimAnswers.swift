// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Finds conditions about the user whose answer no claim that is tried settles, such as
/// `request.auth.token.email.matches(…)`. Each is true for some users and false for others. One that is also about the
/// document, as in `resource.data.email == request.auth.token.email.lower()`, is no such: a query is denied whoever asks.
///
/// Functions, parameters and variables count by their names, wherever they stand: what is found too much leaves a query
/// undecided that is denied.
struct ClaimAnswers {
    /// What an expression tells of the user. The later one counts of two that a name has.
    private enum Kind: Int {
        case nothing, auth, token, claim
        /// What is computed from a claim or from the token.
        case answer
    }

    private let tree: SyntaxTree
    private let functions: [String: [SyntaxTree.Function]]
    private let conditions: [SyntaxTree.ExpressionID]
    /// Expressions behind an odd number of `!`.
    private var negated: Set<SyntaxTree.ExpressionID> = []
    private var kinds: [Kind] = []
    /// Whether an expression, or a part of it, is about the document.
    private var isAboutDocument: [Bool] = []
    /// By the names of variables and parameters; a function's has brackets.
    private var names: [String: Kind] = [:]

    /// How far values are followed through functions.
    private static let rounds = 4

    init(_ outline: RulesOutline) {
        tree = outline.tree
        functions = Dictionary(grouping: outline.conditions.functions.map(\.declaration)) { $0.name.text }
        conditions = outline.statements.compactMap(\.allow.condition)
        let results = functions.values.joined().flatMap { $0.bindings.map(\.value) + [$0.result] }
        noteNegated(conditions + results)
        for expression in tree.expressions {
            let isDocument = if case .variable("resource") = expression.kind { true } else { false }
            isAboutDocument.append(isDocument || expression.kind.children.contains { isAboutDocument[$0] })
        }
        for _ in 0..<ClaimAnswers.rounds {
            kinds = []
            kinds.reserveCapacity(tree.expressions.count)
            let known = names
            // An expression stands behind its parts.
            for expression in tree.expressions { kinds.append(kind(of: expression.kind)) }
            noteNames()
            if names == known { break }
        }
    }

    private mutating func noteNegated(_ roots: [SyntaxTree.ExpressionID]) {
        var open = roots.map { (id: $0, isNegated: false) }
        while let (id, isNegated) = open.popLast() {
            if isNegated { negated.insert(id) }
            switch tree[id].kind {
            case .parenthesized(let inner): open.append((inner, isNegated))
            case .not(let operand): open.append((operand, !isNegated))
            case .binary(.and, let left, let right), .binary(.or, let left, let right),
                .conditional(_, let left, let right):
                open += [(left, isNegated), (right, isNegated)]
            default: break
            }
        }
    }

    /// The tree with a constant for each of these conditions; nil if there is none.
    ///
    /// - Parameter answer: true for what lets users in: false for a condition behind a `!`.
    func tree(answering answer: Bool) -> SyntaxTree? {
        var result = tree
        var hasAny = false
        func replace(_ id: SyntaxTree.ExpressionID) {
            guard kinds[id] == .answer, !isAboutDocument[id] else { return }
            let old = tree[id]
            hasAny = true
            result.expressions[id] = SyntaxTree.Expression(
                kind: .constant(.bool(answer && !negated.contains(id))), position: old.position, start: old.start,
                end: old.end, height: 1,
                nestingHeight: 1)
        }
        for condition in conditions { replace(condition) }
        for expression in tree.expressions {
            switch expression.kind {
            case .binary(.and, let left, let right), .binary(.or, let left, let right): [left, right].forEach(replace)
            case .not(let operand): replace(operand)
            case .conditional(let test, let first, let second): [test, first, second].forEach(replace)
            default: break
            }
        }
        return hasAny ? result : nil
    }

    // MARK: Kinds

    private mutating func noteNames() {
        func note(_ name: String, _ id: SyntaxTree.ExpressionID) {
            if kinds[id].rawValue > names[name, default: .nothing].rawValue { names[name] = kinds[id] }
        }
        for function in functions.values.joined() {
            for binding in function.bindings { note(binding.name.text, binding.value) }
            note("\(function.name.text)()", function.result)
        }
        for expression in tree.expressions {
            guard case .call(let name, let arguments) = expression.kind else { continue }
            for function in functions[name] ?? [] {
                for (parameter, argument) in zip(function.parameters, arguments) { note(parameter.text, argument) }
            }
        }
    }

    private func kind(of expression: SyntaxTree.Expression.Kind) -> Kind {
        switch expression {
        case .constant, .path, .map, .not, .conditional: return .nothing
        case .variable(let name): return names[name] ?? .nothing
        case .parenthesized(let id): return kinds[id]
        case .negated(let id), .range(let id, _, _), .typeTest(let id, _): return computed([id])
        case .list(let elements): return elements.contains { kinds[$0] == .answer } ? .answer : .nothing
        case .member(let object, let name): return member(of: object, name.string)
        case .index(let object, let key):
            return kinds[key] == .answer ? .answer : member(of: object, constant(key))
        case .binary(let op, let left, let right): return comparison(op, left, right)
        case .call(let name, let arguments):
            return functions[name] == nil ? computed(arguments) : names["\(name)()"] ?? .nothing
        case .packageCall(_, _, let arguments): return computed(arguments)
        case .method(let object, let name, let arguments):
            if kinds[object] == .token, name == "get", let key = arguments.first {
                return member(of: object, constant(key))
            }
            return arguments.contains { kinds[$0] == .answer } ? .answer : computed([object])
        }
    }

    private func constant(_ id: SyntaxTree.ExpressionID) -> String? {
        if case .constant(.string(let text)) = tree[id].kind { text.string } else { nil }
    }

    /// - Parameter name: nil for a name that is computed.
    private func member(of object: SyntaxTree.ExpressionID, _ name: String?) -> Kind {
        switch kinds[object] {
        case .nothing:
            guard name == "auth", case .variable("request") = tree[object].kind else { return .nothing }
            return .auth
        case .auth: return name == "token" ? .token : name == "uid" ? .claim : .nothing
        case .token: return name == nil ? .answer : .claim
        case .claim: return name == "sign_in_provider" ? .claim : .answer
        case .answer: return .answer
        }
    }

    private func comparison(
        _ op: BinaryOperator, _ left: SyntaxTree.ExpressionID, _ right: SyntaxTree.ExpressionID
    ) -> Kind {
        switch op {
        case .and, .or: return .nothing
        case _ where kinds[left] == .answer || kinds[right] == .answer: return .answer
        // Claims are tried with all that rules compare with.
        case .equal, .notEqual: return .nothing
        case .in: return kinds[right] == .token && constant(left) == nil ? .answer : .nothing
        default: return computed([left, right])
        }
    }

    private func computed(_ operands: [SyntaxTree.ExpressionID]) -> Kind {
        operands.contains { kinds[$0].rawValue >= Kind.token.rawValue } ? .answer : .nothing
    }
}
