// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Parser {
    typealias ExpressionID = SyntaxTree.ExpressionID
    typealias Kind = SyntaxTree.Expression.Kind

    /// Deeper sources are refused before the parser's own stack could end. The compiler's limit is lower.
    static let deepestNesting = 400
    /// The compiler's limit.
    static let deepestExpression = 100

    mutating func parseExpression() throws(SyntaxError) -> ExpressionID {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting < Parser.deepestNesting else { throw .tooComplex(tooDeep ?? current.position) }
        let condition = try parseBinary(1)
        guard current.is("?") else { return condition }
        let mark = advance().position
        let whenTrue = try parseExpression()
        guard accept(":") else { throw .mismatched(current, expecting: SyntaxError.expressionContinuations) }
        let whenFalse = try parseExpression()
        return add(.conditional(condition, whenTrue, whenFalse), mark, tree[condition].start)
    }

    /// Binary operators from a precedence upwards. All associate to the left.
    private mutating func parseBinary(_ lowest: Int) throws(SyntaxError) -> ExpressionID {
        var left = try parseUnary()
        while true {
            if current.isKeyword("is"), SyntaxTree.Expression.typeTestPrecedence >= lowest {
                left = try parseTypeTest(left)
                continue
            }
            guard let binary = currentOperator, binary.precedence >= lowest else { return left }
            let mark = advance().position
            let right = try parseBinary(binary.precedence + 1)
            left = add(.binary(binary, left, right), mark, tree[left].start)
        }
    }

    private var currentOperator: BinaryOperator? {
        guard current.kind == .punctuation || current.isKeyword("in") else { return nil }
        return BinaryOperator(rawValue: current.text)
    }

    private mutating func parseTypeTest(_ operand: ExpressionID) throws(SyntaxError) -> ExpressionID {
        let mark = advance().position
        guard current.kind == .identifier else { throw .mismatched(current, expecting: "IDENTIFIER") }
        let word = advance().text
        guard let type = RuleType.named.first(where: { $0.rawValue == word }) else {
            let known = RuleType.named.map(\.rawValue).joined(separator: ",")
            issues.append(
                .error(
                    current.position,
                    "An unsupported type identifier was used with the 'is' operator. Received \(word). "
                        + "Expected one of \(known)"))
            return add(.typeTest(operand, .bool), mark, tree[operand].start)
        }
        return add(.typeTest(operand, type), mark, tree[operand].start)
    }

    private mutating func parseUnary() throws(SyntaxError) -> ExpressionID {
        let mark = current.position
        if accept("!") {
            nesting += 1
            defer { nesting -= 1 }
            guard nesting < Parser.deepestNesting else { throw .tooComplex(tooDeep ?? mark) }
            return add(.not(try parseUnary()), mark, mark)
        }
        if accept("-") {
            if current.kind == .integer { return try parsePostfix(integer(advance(), isNegative: true, mark)) }
            return add(.negated(try parsePostfix(parsePrimary())), mark, mark)
        }
        if current.is("--") || current.is("++") {
            throw SyntaxError(following.position, "Increment (++) and decrement (--) operators are not supported.")
        }
        return try parsePostfix(parsePrimary())
    }

    // MARK: Postfix

    private mutating func parsePostfix(_ operand: ExpressionID) throws(SyntaxError) -> ExpressionID {
        var left = operand
        while true {
            if accept(".") {
                left = try parseMember(left)
            } else if accept("[") {
                left = try parseIndex(left)
            } else if current.is("--") || current.is("++") {
                throw SyntaxError(following.position, "Increment (++) and decrement (--) operators are not supported.")
            } else {
                return left
            }
        }
    }

    private mutating func parseMember(_ left: ExpressionID) throws(SyntaxError) -> ExpressionID {
        // These two words break the official lexer.
        let isName = current.kind == .identifier || current.kind == .keyword
        guard isName, !current.isKeyword("service"), !current.isKeyword("rules_version") else { throw unexpected() }
        let name = advance()
        let start = tree[left].start
        guard accept("(") else { return add(.member(left, Text(name.text)), name.position, start) }
        let arguments = try parseArguments()
        if case .variable(let package) = tree[left].kind, BuiltIns.packages.contains(package) {
            return add(.packageCall(package, name.text, arguments), name.position, start)
        }
        return add(.method(left, name.text, arguments), name.position, start)
    }

    private mutating func parseArguments() throws(SyntaxError) -> [ExpressionID] {
        var arguments: [ExpressionID] = []
        if accept(")") { return arguments }
        repeat { arguments.append(try parseExpression()) } while accept(",")
        try expect(")")
        return arguments
    }

    private mutating func parseIndex(_ left: ExpressionID) throws(SyntaxError) -> ExpressionID {
        let start = tree[left].start
        let from = current.is(":") ? nil : try parseExpression()
        if accept(":") {
            let to = current.is("]") ? nil : try parseExpression()
            try expect("]")
            return add(.range(left, from: from, to: to), start, start)
        }
        try expect("]")
        return add(.index(left, from ?? left), start, start)
    }

    // MARK: Primaries

    var startsExpression: Bool {
        switch current.kind {
        case .identifier, .integer, .float, .string, .bytes, .pathSegment, .unpairedQuote: true
        case .keyword: ["true", "false", "null"].contains(current.text)
        case .punctuation: ["(", "[", "{", "-", "!", "/", "--", "++"].contains(current.text)
        case .end: false
        }
    }

    private mutating func parsePrimary() throws(SyntaxError) -> ExpressionID {
        let token = current
        switch token.kind {
        case .identifier: return try parseName()
        case .integer: return try integer(advance(), isNegative: false, token.position)
        case .float: return constant(.float(Double(floatText(advance().text)) ?? 0), token.position)
        case .string: return constant(.string(Literals.string(advance().text)), token.position)
        case .bytes: return constant(.bytes(Literals.bytes(advance().text)), token.position)
        case .pathSegment: return try parsePath()
        case .keyword where token.text == "null":
            advance()
            return constant(.null, token.position)
        case .keyword where token.text == "true" || token.text == "false":
            return constant(.bool(advance().text == "true"), token.position)
        case .punctuation where token.text == "/": return try parsePath()
        case .punctuation where token.text == "(":
            advance()
            let inner = try parseExpression()
            try expect(")")
            return add(.parenthesized(inner), token.position, token.position)
        case .punctuation where token.text == "[": return try parseList()
        case .punctuation where token.text == "{": return try parseMap()
        case .unpairedQuote: throw unpairedQuote()
        default:
            if token.is(";") { throw .mismatched(token, expecting: SyntaxError.expressionStarts) }
            throw .unexpected(token)
        }
    }

    private mutating func parseName() throws(SyntaxError) -> ExpressionID {
        let token = advance()
        guard accept("(") else { return add(.variable(token.text), token.position, token.position) }
        return add(.call(token.text, try parseArguments()), token.position, token.position)
    }

    private func floatText(_ text: String) -> String {
        text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : text
    }

    private mutating func integer(
        _ token: Token, isNegative: Bool, _ start: SourcePosition
    ) throws(SyntaxError) -> ExpressionID {
        guard let number = Int64((isNegative ? "-" : "") + token.text) else {
            throw SyntaxError(token.position, "Invalid number literal \(token.text).")
        }
        return constant(.int(number), start)
    }

    private mutating func parseList() throws(SyntaxError) -> ExpressionID {
        let start = advance().position
        var elements: [ExpressionID] = []
        while !current.is("]") {
            guard startsExpression else { throw unexpected() }
            elements.append(try parseExpression())
            guard accept(",") else { break }
        }
        try expect("]")
        return add(.list(elements), start, start)
    }

    private mutating func parseMap() throws(SyntaxError) -> ExpressionID {
        let start = advance().position
        var entries: [(key: ExpressionID, value: ExpressionID)] = []
        while !current.is("}") {
            guard startsExpression else { throw unexpected() }
            let key = try parseExpression()
            try expect(":")
            entries.append((key, try parseExpression()))
            guard accept(",") else { break }
        }
        try expect("}")
        return add(.map(entries), start, start)
    }

    // MARK: Nodes

    private mutating func constant(_ value: RuleValue, _ position: SourcePosition) -> ExpressionID {
        add(.constant(value), position, position)
    }

    mutating func add(_ kind: Kind, _ position: SourcePosition, _ start: SourcePosition) -> ExpressionID {
        let height = 1 + (kind.children.map { tree[$0].height }.max() ?? 0)
        let nesting = kind.children.enumerated().map { place, child in
            tree[child].nestingHeight + (place == 0 && kind.isPostfix ? 0 : 1)
        }
        tree.expressions.append(
            SyntaxTree.Expression(
                kind: kind, position: position, start: start, height: height, nestingHeight: nesting.max() ?? 1))
        return tree.expressions.count - 1
    }
}

extension SyntaxTree.Expression {
    /// `is` binds tighter than `in` and looser than equality.
    static let typeTestPrecedence = 4
}

extension SyntaxTree.Expression.Kind {
    /// Whether the first operand stands before the operator at the same level of nesting.
    var isPostfix: Bool {
        switch self {
        case .member, .index, .range, .method: true
        default: false
        }
    }

    /// The operands in the order of the source.
    var children: [SyntaxTree.ExpressionID] {
        switch self {
        case .constant, .variable: []
        case .parenthesized(let inner), .member(let inner, _), .not(let inner), .negated(let inner),
            .typeTest(let inner, _):
            [inner]
        case .list(let elements), .call(_, let elements), .packageCall(_, _, let elements): elements
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .path(let parts): parts.compactMap { if case .binding(let id) = $0 { id } else { nil } }
        case .index(let left, let right), .binary(_, let left, let right): [left, right]
        case .range(let operand, let from, let to): [operand] + [from, to].compactMap(\.self)
        case .conditional(let condition, let whenTrue, let whenFalse): [condition, whenTrue, whenFalse]
        case .method(let receiver, _, let arguments): [receiver] + arguments
        }
    }
}

extension SyntaxError {
    static func tooComplex(_ position: SourcePosition) -> SyntaxError {
        SyntaxError(position, "Expression is too complex to evaluate safely.")
    }

    /// The tokens that continue a `let` after its value.
    static let bindingContinuations =
        "{'&&', '.', '==', '>', '>=', '[', '<', '<=', '-', '%', '!=', '||', '+', ';', '/', '*', '?', 'in', 'is'}"

    /// The tokens that continue a condition after `?` and an expression.
    static let expressionContinuations =
        "{'&&', ':', '.', '==', '>', '>=', '[', '<', '<=', '-', '%', '!=', '||', '+', '/', '*', '?', 'in', 'is'}"
}
