// SPDX-License-Identifier: Apache-2.0

/// Reads a source by recursive descent, up to its first syntax error. What a wrong source is told comes from
/// `RecoveringParser`.
struct Parser {
    /// A token that the grammar does not allow.
    struct Refusal: Error {
        let token: Token
    }

    private let tokens: [Token]
    let source: RuleSource
    private var index = 0
    /// How many expressions, or matches, are open around the current one.
    var nesting = 0 {
        didSet { if nesting == Parser.deepestExpression, oldValue < nesting { tooDeep = current.position } }
    }
    /// Where the last expression began that was too deep for the compiler.
    var tooDeep: SourcePosition?
    var tree = SyntaxTree()
    var issues: [RuleIssue] = []

    private init(_ lexer: Lexer) {
        tokens = lexer.tokens
        source = lexer.source
        issues = lexer.issues.map(\.issue)
    }

    /// The tree, or nil with the errors among the issues.
    static func parse(_ source: String) -> (tree: SyntaxTree?, issues: [RuleIssue]) {
        guard !source.utf8.isEmpty else {
            let position = SourcePosition(line: 0, column: 0)
            return (nil, [.error(position, "Rules content empty. Compilation aborted.")])
        }
        let lexer = Lexer(source)
        var parser = Parser(lexer)
        do {
            try parser.parseSource()
        } catch {
            return (nil, RuleIssue.sorted(parser.explain(error, lexer)))
        }
        if parser.isDoubtful {
            let found = RecoveringParser.issues(lexer)
            if found.contains(where: { $0.severity == .error }) { return (nil, RuleIssue.sorted(found)) }
        }
        let failed = parser.issues.contains { $0.severity == .error }
        return (failed ? nil : parser.tree, RuleIssue.sorted(parser.issues))
    }

    private func explain(_ refusal: Refusal, _ lexer: Lexer) -> [RuleIssue] {
        if isTooDeep { return issues + [.error(tooDeep ?? refusal.token.position, Parser.tooComplex)] }
        let found = RecoveringParser.issues(lexer)
        if found.contains(where: { $0.severity == .error }) { return found }
        return [.error(refusal.token.position, "Unexpected '\(source.text(of: refusal.token))'.")]
    }

    static let tooComplex = "Expression is too complex to evaluate safely."
    /// Whether the source is nested too deeply to be read.
    var isTooDeep = false
    /// Whether the official parser might read the source in another way.
    var isDoubtful = false

    // MARK: Tokens

    var current: Token { tokens[index] }
    var kind: TokenKind { tokens[index].kind }
    /// Where the last token that was read ends.
    var previousEnd: Int { tokens[max(index - 1, 0)].end }
    var following: Token { token(after: 1) }

    func token(after distance: Int) -> Token { tokens[min(index + distance, tokens.count - 1)] }

    @discardableResult
    mutating func advance() -> Token {
        let token = tokens[index]
        if token.kind != .end { index += 1 }
        return token
    }

    mutating func accept(_ kind: TokenKind) -> Bool {
        guard tokens[index].kind == kind else { return false }
        index += 1
        return true
    }

    mutating func expect(_ kind: TokenKind) throws(Refusal) {
        guard accept(kind) else { throw refusal }
    }

    var refusal: Refusal { Refusal(token: current) }

    mutating func name() throws(Refusal) -> SyntaxTree.Name {
        guard kind == .identifier else { throw refusal }
        let token = advance()
        return SyntaxTree.Name(text: source.text(of: token), position: token.position)
    }

    /// One level deeper, up to what the parser's own stack bears.
    mutating func enter() throws(Refusal) {
        nesting += 1
        guard nesting < Parser.deepestNesting else {
            isTooDeep = true
            throw refusal
        }
    }

    // MARK: Declarations

    private mutating func parseSource() throws(Refusal) {
        try parseVersion()
        var imports: [RuleIssue] = []
        while kind == .import { imports += try parseImport() }
        repeat {
            switch kind {
            case .function: tree.functions.append(try parseFunction())
            case .service: tree.services.append(try parseService())
            default: throw refusal
            }
        } while kind != .end
        issues += imports
    }

    private mutating func parseVersion() throws(Refusal) {
        guard accept(.rulesVersion) else { return }
        try expect(.assign)
        guard kind == .string else { throw refusal }
        let token = advance()
        let text = source.text(of: token)
        if let number = Int(text.dropFirst().dropLast()), let version = SyntaxTree.Version(rawValue: number) {
            tree.version = version
        } else {
            issues.append(.error(token.position, "Invalid rules_version \(text)"))
        }
        _ = accept(.semicolon)
    }

    /// What is wrong with it: there are no modules.
    private mutating func parseImport() throws(Refusal) -> [RuleIssue] {
        let keyword = advance()
        guard kind == .string else { throw refusal }
        let module = source.text(of: advance()).dropFirst().dropLast()
        var alias: [RuleIssue] = []
        if kind == .identifier {
            let word = advance()
            if source.text(of: word) != "as" {
                alias = [.error(word.position, "Import statement with alias must use the format 'as <alias>'")]
            }
            _ = try name()
        }
        try expect(.semicolon)
        return alias + [
            .error(keyword.position, "Import statements are not allowed."),
            .error(keyword.position, "Module \"\(module)\" is not part of the standard library."),
        ]
    }

    private mutating func parseService() throws(Refusal) -> SyntaxTree.Service {
        advance()
        guard kind == .serviceName else { throw refusal }
        let token = advance()
        var service = SyntaxTree.Service(
            name: SyntaxTree.Name(text: source.text(of: token), position: token.position))
        try expect(.leftBrace)
        repeat {
            switch kind {
            case .function: service.functions.append(try parseFunction())
            case .match: service.matches.append(try parseMatch())
            default: throw refusal
            }
        } while !accept(.rightBrace)
        return service
    }

    private mutating func parseMatch() throws(Refusal) -> SyntaxTree.Match {
        let keyword = advance()
        var match = SyntaxTree.Match(position: keyword.position, path: try parsePattern())
        try expect(.leftBrace)
        try enter()
        defer { nesting -= 1 }
        repeat {
            switch kind {
            case .function: match.functions.append(try parseFunction())
            case .match: match.members.append(.match(try parseMatch()))
            case .allow: match.members.append(.allow(try parseAllow()))
            default: throw refusal
            }
        } while !accept(.rightBrace)
        return match
    }

    private mutating func parseAllow() throws(Refusal) -> SyntaxTree.Allow {
        let keyword = advance()
        let matches = nesting
        nesting = 0
        defer { nesting = matches }
        var methods = [try name()]
        while accept(.comma) { methods.append(try name()) }
        var condition: Int?
        var position = keyword.position
        if accept(.colon) {
            try expect(.if)
            position = current.position
            condition = try parseExpression()
        }
        _ = accept(.semicolon)
        return SyntaxTree.Allow(methods: methods, condition: condition, position: position)
    }

    private mutating func parseFunction() throws(Refusal) -> SyntaxTree.Function {
        advance()
        let matches = nesting
        nesting = 0
        defer { nesting = matches }
        let name = try name()
        try expect(.leftParenthesis)
        var parameters: [SyntaxTree.Name] = []
        if kind != .rightParenthesis {
            repeat { parameters.append(try self.name()) } while accept(.comma)
        }
        try expect(.rightParenthesis)
        try expect(.leftBrace)
        var bindings: [(position: SourcePosition, name: SyntaxTree.Name, value: Int)] = []
        while kind == .let {
            let position = advance().position
            let name = try self.name()
            try expect(.assign)
            bindings.append((position, name, try parseExpression()))
            try expect(.semicolon)
        }
        try expect(.return)
        let result = try parseExpression()
        _ = accept(.semicolon)
        try expect(.rightBrace)
        return SyntaxTree.Function(name: name, parameters: parameters, bindings: bindings, result: result)
    }
}
