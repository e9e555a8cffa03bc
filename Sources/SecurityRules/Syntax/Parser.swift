// SPDX-License-Identifier: Apache-2.0

/// Reads a source by recursive descent, up to its first syntax error.
struct Parser {
    private var tokens: [Token]
    private var index = 0
    /// How many expressions, or matches, are open around the current one.
    var nesting = 0 {
        didSet { if nesting == Parser.deepestExpression, oldValue < nesting { tooDeep = current.position } }
    }
    /// Where the last expression began that was too deep for the compiler.
    var tooDeep: SourcePosition?
    var tree = SyntaxTree()
    var issues: [RuleIssue] = []

    init(_ source: String) {
        var lexer = Lexer(source)
        tokens = lexer.tokens()
        issues = lexer.issues
    }

    /// The tree, or nil with the first error among the issues.
    static func parse(_ source: String) -> (tree: SyntaxTree?, issues: [RuleIssue]) {
        guard !source.utf8.isEmpty else {
            let position = SourcePosition(line: 0, column: 0)
            return (nil, [.error(position, "Rules content empty. Compilation aborted.")])
        }
        var parser = Parser(source)
        do {
            try parser.parseSource()
        } catch {
            return (nil, RuleIssue.sorted(parser.issues + [error.issue]))
        }
        let failed = parser.issues.contains { $0.severity == .error }
        return (failed ? nil : parser.tree, RuleIssue.sorted(parser.issues))
    }

    // MARK: Tokens

    var current: Token { tokens[index] }
    var following: Token { tokens[min(index + 1, tokens.count - 1)] }

    @discardableResult
    mutating func advance() -> Token {
        let token = tokens[index]
        if token.kind != .end { index += 1 }
        return token
    }

    mutating func accept(_ punctuation: String) -> Bool {
        guard current.is(punctuation) else { return false }
        index += 1
        return true
    }

    mutating func expect(_ punctuation: String) throws(SyntaxError) {
        guard accept(punctuation) else { throw unexpected() }
    }

    mutating func acceptKeyword(_ word: String) -> Bool {
        guard current.isKeyword(word) else { return false }
        index += 1
        return true
    }

    func unexpected() -> SyntaxError {
        switch current.kind {
        case .pathSegment: SyntaxError(current.position, SyntaxError.missingMatch)
        case .unpairedQuote: unpairedQuote()
        default: .unexpected(current)
        }
    }

    /// The error points at the token after what an open quote swallows.
    func unpairedQuote() -> SyntaxError {
        SyntaxError(following.position, "Missing a closing \(current.text.prefix(1))")
    }

    mutating func name() throws(SyntaxError) -> SyntaxTree.Name {
        guard current.kind == .identifier else { throw unexpected() }
        let token = advance()
        return SyntaxTree.Name(text: token.text, position: token.position)
    }

    // MARK: Declarations

    private mutating func parseSource() throws(SyntaxError) {
        try parseVersion()
        if current.kind == .end {
            throw .mismatched(current, expecting: "{'function', 'import', 'service', 'rules_version'}")
        }
        while current.kind != .end {
            if current.isKeyword("import") { try refuseImport() }
            if current.isKeyword("function") {
                tree.functions.append(try parseFunction())
            } else if acceptKeyword("service") {
                tree.services.append(try parseService())
            } else {
                throw .unexpected(current)
            }
        }
    }

    private mutating func parseVersion() throws(SyntaxError) {
        guard acceptKeyword("rules_version") else { return }
        try expect("=")
        guard current.kind == .string else { throw .mismatched(current, expecting: "STRING") }
        let token = advance()
        guard let number = Int(token.text.dropFirst().dropLast()), let version = SyntaxTree.Version(rawValue: number)
        else {
            throw SyntaxError(token.position, "Invalid rules_version \(token.text)")
        }
        tree.version = version
        _ = accept(";")
    }

    private mutating func refuseImport() throws(SyntaxError) {
        let keyword = advance()
        guard current.kind == .string else { throw .unexpected(current) }
        let module = current.text.dropFirst().dropLast()
        issues.append(.error(keyword.position, "Import statements are not allowed."))
        throw SyntaxError(keyword.position, "Module \"\(module)\" is not part of the standard library.")
    }

    private mutating func parseService() throws(SyntaxError) -> SyntaxTree.Service {
        let first = try name()
        var text = first.text
        while accept(".") { text += "." + (try name().text) }
        var service = SyntaxTree.Service(name: SyntaxTree.Name(text: text, position: first.position))
        try expect("{")
        while !current.is("}") {
            if current.isKeyword("function") {
                service.functions.append(try parseFunction())
            } else if current.isKeyword("match") {
                service.matches.append(try parseMatch())
            } else {
                throw outOfPlace()
            }
        }
        if service.functions.isEmpty && service.matches.isEmpty {
            throw SyntaxError(current.position, "The 'service' body must contain at least one declaration.")
        }
        try expect("}")
        return service
    }

    /// What begins no declaration.
    private func outOfPlace() -> SyntaxError {
        if following.kind == .pathSegment, current.kind != .pathSegment { return .unexpected(current) }
        return unexpected()
    }

    private mutating func parseMatch() throws(SyntaxError) -> SyntaxTree.Match {
        let keyword = advance()
        let path: [SyntaxTree.PatternSegment]
        let pathPosition = current.position
        do throws(SyntaxError) {
            path = try parsePattern()
            try expect("{")
        } catch {
            // The official parser gives the whole match up.
            if !error.isAboutSlash { issues.append(.error(pathPosition, SyntaxError.missingMatch)) }
            throw error
        }
        var match = SyntaxTree.Match(position: keyword.position, path: path)
        nesting += 1
        defer { nesting -= 1 }
        guard nesting < Parser.deepestNesting else { throw .tooComplex(keyword.position) }
        while !current.is("}") {
            if current.isKeyword("function") {
                match.functions.append(try parseFunction())
            } else if current.isKeyword("match") {
                match.members.append(.match(try parseMatch()))
            } else if current.isKeyword("allow") {
                match.members.append(.allow(try parseAllow()))
            } else {
                throw outOfPlace()
            }
        }
        if match.functions.isEmpty && match.members.isEmpty {
            throw SyntaxError(current.position, "The 'match' body must contain at least one declaration.")
        }
        try expect("}")
        return match
    }

    private mutating func parseAllow() throws(SyntaxError) -> SyntaxTree.Allow {
        let keyword = advance()
        let matches = nesting
        nesting = 0
        defer { nesting = matches }
        guard current.kind == .identifier else {
            throw SyntaxError(current.position, "Expected at least one 'operation' after 'allow'.")
        }
        var methods = [try name()]
        while accept(",") { methods.append(try name()) }
        var condition: Int?
        var position = keyword.position
        if accept(":") {
            guard acceptKeyword("if") else {
                throw SyntaxError(current.position, "Missing 'if' before conditional expression.")
            }
            guard startsExpression else {
                throw SyntaxError(current.position, "Missing conditional expression after 'if'.")
            }
            position = current.position
            condition = try parseExpression()
        } else if current.isKeyword("if") {
            throw SyntaxError(current.position, "Missing ':' before 'if' condition.")
        }
        _ = accept(";")
        return SyntaxTree.Allow(methods: methods, condition: condition, position: position)
    }

    private mutating func parseFunction() throws(SyntaxError) -> SyntaxTree.Function {
        advance()
        let matches = nesting
        nesting = 0
        defer { nesting = matches }
        let name = try name()
        try expect("(")
        var parameters: [SyntaxTree.Name] = []
        if !current.is(")") {
            repeat { parameters.append(try self.name()) } while accept(",")
        }
        try expect(")")
        try expect("{")
        var bindings: [(name: SyntaxTree.Name, value: Int)] = []
        while acceptKeyword("let") {
            guard current.kind == .identifier else { throw .mismatched(current, expecting: "IDENTIFIER") }
            let name = try self.name()
            try expect("=")
            bindings.append((name, try parseExpression()))
            if current.is(",") { throw .mismatched(current, expecting: SyntaxError.bindingContinuations) }
            guard accept(";") else { throw .unexpected(current) }
        }
        guard acceptKeyword("return") else { throw .unexpected(current) }
        let result = try parseExpression()
        _ = accept(";")
        guard accept("}") else {
            if current.kind == .pathSegment { throw unexpected() }
            throw .mismatched(current, expecting: "'}'")
        }
        return SyntaxTree.Function(name: name, parameters: parameters, bindings: bindings, result: result)
    }
}
