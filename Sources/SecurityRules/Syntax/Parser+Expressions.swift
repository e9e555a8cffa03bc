// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Parser {
    typealias ExpressionID = SyntaxTree.ExpressionID
    typealias Kind = SyntaxTree.Expression.Kind

    /// Deeper sources are refused before the parser's own stack could end. The compiler's limit is lower.
    static let deepestNesting = 400
    /// The compiler's limit.
    static let deepestExpression = 100

    mutating func parseExpression() throws(Refusal) -> ExpressionID {
        try enter()
        defer { nesting -= 1 }
        let condition = try parseBinary(1)
        guard kind == .question else { return condition }
        let mark = advance().position
        let whenTrue = try parseExpression()
        try expect(.colon)
        let whenFalse = try parseExpression()
        return add(.conditional(condition, whenTrue, whenFalse), mark, tree[condition].start)
    }

    /// Binary operators from a precedence upwards. All associate to the left.
    private mutating func parseBinary(_ lowest: Int) throws(Refusal) -> ExpressionID {
        var left = try parseUnary()
        while true {
            if kind == .is, SyntaxTree.Expression.typeTestPrecedence >= lowest {
                left = try parseTypeTest(left)
                continue
            }
            guard let binary = BinaryOperator(kind), binary.precedence >= lowest else { return left }
            let mark = advance().position
            let right = try parseBinary(binary.precedence + 1)
            left = add(.binary(binary, left, right), mark, tree[left].start)
        }
    }

    private mutating func parseTypeTest(_ operand: ExpressionID) throws(Refusal) -> ExpressionID {
        let mark = advance().position
        guard kind == .identifier else { throw refusal }
        let word = source.text(of: advance())
        let type = RuleType(name: word)
        if type == nil { issues.append(.error(current.position, RuleType.unsupported(word))) }
        return add(.typeTest(operand, type ?? .bool), mark, tree[operand].start)
    }

    private mutating func parseUnary() throws(Refusal) -> ExpressionID {
        let mark = current.position
        if accept(.not) {
            try enter()
            defer { nesting -= 1 }
            return add(.not(try parseUnary()), mark, mark)
        }
        if accept(.minus) {
            if kind == .integer { return try parsePostfix(integer(advance(), isNegative: true, mark)) }
            return add(.negated(try parsePostfix(parsePrimary())), mark, mark)
        }
        return try parsePostfix(parsePrimary())
    }

    // MARK: Postfix

    private mutating func parsePostfix(_ operand: ExpressionID) throws(Refusal) -> ExpressionID {
        var left = operand
        while true {
            if accept(.dot) {
                left = try parseMember(left)
            } else if accept(.leftBracket) {
                left = try parseIndex(left)
            } else {
                return left
            }
        }
    }

    private mutating func parseMember(_ left: ExpressionID) throws(Refusal) -> ExpressionID {
        guard kind == .identifier || (kind.isKeyword && kind != .rulesVersion) else { throw refusal }
        let token = advance()
        let name = source.text(of: token)
        let start = tree[left].start
        guard token.kind == .identifier, accept(.leftParenthesis) else {
            return add(.member(left, Text(name)), token.position, start)
        }
        let arguments = try parseArguments()
        if case .variable(let package) = tree[left].kind, BuiltIns.packages.contains(package) {
            return add(.packageCall(package, name, arguments), token.position, start)
        }
        return add(.method(left, name, arguments), token.position, start)
    }

    private mutating func parseArguments() throws(Refusal) -> [ExpressionID] {
        try parseList(until: .rightParenthesis)
    }

    /// Expressions with commas between them, and perhaps one at the end.
    private mutating func parseList(until end: TokenKind) throws(Refusal) -> [ExpressionID] {
        var elements: [ExpressionID] = []
        while kind != end {
            elements.append(try parseExpression())
            guard accept(.comma) else { break }
        }
        try expect(end)
        return elements
    }

    private mutating func parseIndex(_ left: ExpressionID) throws(Refusal) -> ExpressionID {
        let start = tree[left].start
        let from = kind == .colon ? nil : try parseExpression()
        if accept(.colon) {
            let to = kind == .rightBracket ? nil : try parseExpression()
            try expect(.rightBracket)
            return add(.range(left, from: from, to: to), start, start)
        }
        try expect(.rightBracket)
        return add(.index(left, from ?? left), start, start)
    }

    // MARK: Primaries

    private mutating func parsePrimary() throws(Refusal) -> ExpressionID {
        let token = current
        switch token.kind {
        case .identifier: return try parseName()
        case .integer: return integer(advance(), isNegative: false, token.position)
        case .float: return constant(.float(Double(floatText(text(advance()))) ?? 0), token.position)
        case .string: return constant(.string(Literals.string(text(advance()))), token.position)
        case .bytes: return constant(.bytes(Literals.bytes(text(advance()))), token.position)
        case .null:
            advance()
            return constant(.null, token.position)
        case .true, .false: return constant(.bool(advance().kind == .true), token.position)
        case .pathSegment, .slash: return try parsePath()
        case .leftParenthesis:
            advance()
            let inner = try parseExpression()
            try expect(.rightParenthesis)
            return add(.parenthesized(inner), token.position, token.position)
        case .leftBracket:
            advance()
            return add(.list(try parseList(until: .rightBracket)), token.position, token.position)
        case .leftBrace: return try parseMap()
        default: throw refusal
        }
    }

    private func text(_ token: Token) -> String { source.text(of: token) }

    private mutating func parseName() throws(Refusal) -> ExpressionID {
        let token = advance()
        let name = text(token)
        guard accept(.leftParenthesis) else { return add(.variable(name), token.position, token.position) }
        return add(.call(name, try parseArguments()), token.position, token.position)
    }

    private func floatText(_ text: String) -> String {
        text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : text
    }

    private mutating func integer(_ token: Token, isNegative: Bool, _ start: SourcePosition) -> ExpressionID {
        let digits = text(token)
        let number = Int64((isNegative ? "-" : "") + digits)
        if number == nil { issues.append(.error(token.position, "Invalid number literal \(digits).")) }
        let id = constant(.int(number ?? 0), start)
        if isNegative { tree.digits[id] = token.position }
        return id
    }

    private mutating func parseMap() throws(Refusal) -> ExpressionID {
        let start = advance().position
        var entries: [(key: ExpressionID, value: ExpressionID)] = []
        while kind != .rightBrace {
            let key = try parseExpression()
            try expect(.colon)
            entries.append((key, try parseExpression()))
            guard accept(.comma) else { break }
        }
        try expect(.rightBrace)
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
                kind: kind, position: position, start: start, end: previousEnd, height: height,
                nestingHeight: nesting.max() ?? 1))
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

    /// A literal or a name.
    var isSimple: Bool {
        switch self {
        case .constant(.int(..<0)): false
        case .constant, .variable, .list, .map, .path: true
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
