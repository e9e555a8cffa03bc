// SPDX-License-Identifier: Apache-2.0

extension Reader {
    /// The statements up to the limit.
    mutating func statements() -> [Statement] {
        if language.blocks == .indentation { return indentedStatements() }
        var result: [Statement] = []
        let wasInType = isInType
        isInType = false
        while !isAtEnd {
            let before = position
            result += statement()
            if position == before { advance() }
        }
        isInType = wasInType
        return result
    }

    /// The statements of a type's body.
    mutating func members() -> [Statement] {
        if language.blocks == .indentation { return indentedStatements() }
        var result: [Statement] = []
        while !isAtEnd {
            let before = position
            isInType = true
            result += statement()
            if position == before { advance() }
        }
        isInType = false
        return result
    }

    private static let modifiers: Set<String> = [
        "export", "default", "public", "private", "protected", "internal", "fileprivate", "static", "final", "abstract",
        "override", "open", "readonly", "lazy", "weak", "unowned", "suspend", "inline", "lateinit", "nonisolated",
        "mutating", "sealed", "virtual", "partial", "extern", "external", "late", "required", "convenience", "async",
        "declare", "factory", "data", "using", "volatile", "transient", "synchronized", "operator", "infix", "indirect",
        "companion", "isolated", "dynamic", "optional", "package",
    ]

    mutating func statement() -> [Statement] {
        depth += 1
        defer { depth -= 1 }
        guard canNest() else { return [] }
        if let ways = conditionalStatements() { return ways }
        let token = current
        if token.kind == .mark { return markStatement(token) }
        guard token.kind == .name, !peek(1).isMark("."), !peek(1).isMark("=") || token.text == "get" else {
            return simple()
        }
        if Reader.modifiers.contains(token.text), peek(1).kind == .name || peek(1).isMark("@"),
            !peek(1).startsLine || token.text != "default"
        {
            return modified()
        }
        if let result = control(token) { return result }
        if language.functionWords.contains(token.text), !peek(1).isMark("=") {
            if let function = function() { return [.function(function)] }
            // One that is only declared is over.
            if language.name == "javascript" { return [] }
        }
        if Reader.typeWords.contains(token.text), let type = type() {
            // The members of a companion object are those of its class.
            if case .type(nil, let members, _) = type { return members }
            return [type]
        }
        return simple()
    }

    private mutating func modified() -> [Statement] {
        var isLocal = language.name == "javascript" && !isInType
        var (isHidden, isExported) = (false, false)
        while current.kind == .name, Reader.modifiers.contains(current.text),
            peek(1).kind == .name || peek(1).isMark("@")
        {
            if ["private", "fileprivate"].contains(current.text) { (isLocal, isHidden) = (true, true) }
            if ["export", "default"].contains(current.text) { isLocal = false }
            if current.isName("export") { isExported = !isInType }
            advance()
            // `private(set)`
            if current.isMark("("), language.name == "swift" { position = min(close(of: position) + 1, limit) }
        }
        // `export default { … }` and `export default () => …` give a value.
        if current.isName("default"), position > 0, tokens[position - 1].isName("export") {
            advance()
            return [.expression(expression())]
        }
        let statements = statement()
        if isHidden { declarations.hide(statements) }
        if isExported { declarations.export(statements) }
        return statements.map { statement in
            guard case .function(let function) = statement else { return statement }
            return .function(function.with(isLocal: isLocal))
        }
    }

    mutating func markStatement(_ token: Token) -> [Statement] {
        switch token.text {
        case "{":
            return [.block(bracketed { $0.statements() })]
        case ";", ",", ")", "]", "}", ":":
            advance()
            return []
        case "@":
            // An annotation, whose arguments may be a query.
            advance(2)
            while accept(".") { advance() }
            guard current.isMark("("), !current.startsLine else { return [] }
            let name = tokens[position - 1]
            let callee = Expression(offset: name.offset, kind: .name(name.text))
            return [.expression(Expression(offset: name.offset, kind: .call(callee, arguments())))]
        case "[" where language.name == "cSharp" || language.name == "csharp":
            position = min(close(of: position) + 1, limit)
            return []
        default: return simple()
        }
    }

    private static let typeWords: Set<String> = [
        "class", "struct", "enum", "interface", "extension", "protocol", "object", "trait", "mixin", "actor",
        "namespace",
        "record", "module",
    ]

    /// A type and its members; nil if no body follows.
    mutating func type() -> Statement? {
        // Kotlin's `enum class`
        let isEnumeration = current.isName("enum")
        if isEnumeration, language.name == "kotlin", peek(1).isName("class") { advance() }
        let start = position
        // Braces in generic arguments are types, as in `extends Component<{ a: X }> {`.
        var generics = start
        let open = find(
            from: position + 1, count: 200,
            { index in
                if index >= generics, let after = afterGenerics(index) { generics = after }
                return index >= generics && tokens[index].isMark("{")
            },
            until: { index in
                let token = tokens[index]
                if index < generics { return false }
                if [";", "=", "=>", "}"].contains(token.text), token.kind == .mark { return true }
                guard token.startsLine, token.kind != .mark else { return false }
                return tokens[index - 1].kind != .mark
                    && !["extends", "implements", "with", "where", "on"].contains(token.text)
            })
        guard let open, peek(1).kind == .name || tokens[start].text == "object" || tokens[start].text == "class" else {
            return nil
        }
        let name = peek(1).kind == .name ? peek(1).text : nil
        let offset = current.offset
        let values = isEnumeration ? enumerationValues(start + 2, open) : .none
        position = open
        let body = bracketed { $0.members(of: values) }
        return .type(name: name, body, offset: offset)
    }

    // MARK: Control flow

    private mutating func control(_ token: Token) -> [Statement]? {
        switch token.text {
        case "if", "guard": return branch()
        case "while", "for", "foreach": return loop()
        case "try" where peek(1).isMark("{") || (language.name == "java" && peek(1).isMark("(")): return attempt()
        case "do" where language.name == "swift" && peek(1).isMark("{"): return attempt()
        case "do", "finally", "defer", "autoreleasepool", "unchecked", "checked":
            guard peek(1).isMark("{") else { return nil }
            advance()
            return [.block(bracketed { $0.statements() })]
        case "catch", "else", "lock", "with", "synchronized":
            return handler()
        case "switch", "when", "select", "match":
            guard peek(1).isMark("(") || peek(1).isMark("{") || ["swift", "go"].contains(language.name) else {
                return nil
            }
            return [cases()]
        case "return", "throw", "panic":
            guard token.text != "panic" || language.name == "go" else { return nil }
            return exit(token.text == "return")
        case "break", "continue", "fallthrough", "goto":
            advance()
            return [.exit(nil, isReturn: false)]
        case "global" where language.name == "php" && peek(1).kind == .name: return [outerNames()]
        case "case" where isInType:
            if hasTextCases { return textCases() }
            advance()
            return simple()
        case "import":
            guard !peek(1).isMark("("), !peek(1).isMark(".") else { return nil }
            return imports()
        default: return nil
        }
    }

    /// `import { limit as most } from …` gives a function another name.
    private mutating func imports() -> [Statement] {
        let start = position
        advance()
        while !isAtEnd, !current.startsLine, !current.isMark(";") {
            if current.isMark("{") || current.isMark("(") {
                position = min(close(of: position) + 1, limit)
            } else {
                advance()
            }
        }
        var result: [Statement] = []
        for index in start..<max(start, position - 2)
        where tokens[index + 1].isName("as") && tokens[index].kind == .name {
            let original = Expression(offset: tokens[index].offset, kind: .name(tokens[index].text))
            let target = Target.variable(tokens[index + 2].text, isDeclared: true)
            result.append(.expression(Expression(offset: original.offset, kind: .assignment(target, original))))
        }
        return result
    }

    /// `global a, b`
    mutating func outerNames() -> Statement {
        var names: [String] = []
        repeat {
            advance()
            if current.kind == .name { names.append(current.text) }
            advance()
        } while !isAtEnd && current.isMark(",")
        return .outerNames(names)
    }

    private mutating func exit(_ isReturn: Bool) -> [Statement] {
        let line = current
        advance()
        let isEmpty =
            isAtEnd || current.isMark(";") || current.isMark("}")
            || (current.startsLine && ["swift", "kotlin", "go", "javascript"].contains(language.name))
        if isEmpty { return [.exit(nil, isReturn: true)] }
        _ = line
        let value = expression()
        if language.name == "kotlin", current.isMark("@") { advance(2) }
        while accept(",") { _ = expression() }
        return [.exit(isReturn ? value : Expression(offset: value.offset, kind: .other([value])), isReturn: true)]
    }

    /// What stands between a word and its block, and the condition that it is.
    mutating func header() -> (statements: [Statement], condition: Condition?) {
        let usesParentheses = current.isMark("(") && !["swift", "go"].contains(language.name)
        if usesParentheses {
            let end = close(of: position)
            let condition = condition(position + 1, end)
            return (bracketed { $0.simpleStatements() }, condition)
        }
        let end = find(from: position, count: 200, { tokens[$0].isMark("{") }, until: { _ in false }) ?? position
        let condition = condition(position, end)
        let statements = within(end) { reader in
            reader.leavesBraces = true
            return reader.simpleStatements()
        }
        return (statements, condition)
    }

    private mutating func simpleStatements() -> [Statement] {
        var result: [Statement] = []
        while !isAtEnd {
            let before = position
            if current.kind == .name, ["case", "else"].contains(current.text) { advance() }
            result += simple()
            if position == before { advance() }
        }
        return result
    }

    /// A block, or one statement.
    mutating func body() -> [Statement] {
        if current.isMark("{") { return bracketed { $0.statements() } }
        return statement()
    }

    private mutating func branch() -> [Statement] {
        let isGuard = current.isName("guard")
        advance()
        // `else if` nests branches.
        depth += 1
        defer { depth -= 1 }
        guard canNest() else { return [] }
        if current.isName("constexpr") { advance() }
        let (head, condition) = header()
        if isGuard {
            if current.isName("else") { advance() }
            return head + [.branch([body()], isComplete: false, condition: condition?.negated)]
        }
        var alternatives = [body()]
        _ = current.isMark(";") && peek(1).isName("else") && accept(";")
        let hasElse = current.isName("else") || current.isName("elseif")
        if hasElse {
            if current.isName("else") { advance() }
            alternatives.append(current.isName("elseif") || current.isName("if") ? branch() : body())
        }
        return [.block(head + [.branch(alternatives, isComplete: hasElse, condition: condition)])]
    }

    private mutating func loop() -> [Statement] {
        advance()
        if current.isName("await") { advance() }
        let (head, _) = header()
        return [.loop(head + body())]
    }

    /// `try` or Swift's `do`, and what belongs to it.
    private mutating func attempt() -> [Statement] {
        advance()
        // Java's resources.
        var body = current.isMark("(") ? bracketed { $0.simpleStatements() } : []
        body += self.body()
        var handlers: [[Statement]] = []
        var last: [Statement] = []
        while !isAtEnd {
            if current.isName("finally"), peek(1).isMark("{") {
                advance()
                last += self.body()
            } else if current.isName("catch") || (language.name == "dart" && current.isName("on")),
                let handler = handlerBody()
            {
                handlers.append(handler)
            } else {
                break
            }
        }
        return [.attempt(body, handlers: handlers, finally: last)]
    }

    /// Code that may run or not, such as `else` by itself.
    private mutating func handler() -> [Statement]? {
        handlerBody().map { [.branch([$0], isComplete: false, condition: nil)] }
    }

    private mutating func handlerBody() -> [Statement]? {
        let isElse = current.isName("else")
        guard isElse || peek(1).isMark("(") || peek(1).isMark("{") || peek(1).kind == .name else { return nil }
        advance()
        if !isElse, !current.isMark("{") {
            if current.isMark("(") {
                position = min(close(of: position) + 1, limit)
            } else {
                position =
                    find(from: position, count: 30, { tokens[$0].isMark("{") }, until: { tokens[$0].isMark(";") })
                    ?? position
            }
        }
        return body()
    }

    /// `if`, `when` or `switch` as a value: one of the values of its branches.
    mutating func valueOfBranches(_ start: Int) -> Expression {
        let statements = current.isName("if") ? branch() : [cases(areValues: true)]
        var options: [Expression] = []
        var rest: [Statement] = []
        func collect(_ statements: [Statement]) {
            for statement in statements {
                switch statement {
                case .block(let inner): collect(inner)
                case .branch(let branches, _, _):
                    for branch in branches {
                        var body = branch
                        if body.count == 1, case .block(let inner) = body[0], inner.contains(where: \.isBranch) {
                            collect(inner)
                            continue
                        }
                        if case .expression(let value)? = body.last {
                            body[body.count - 1] = .exit(value, isReturn: true)
                        }
                        let function = Function(
                            name: nil, parameters: [], body: body, offset: start, isLocal: true)
                        let literal = Expression(offset: start, kind: .function(function))
                        options.append(Expression(offset: start, kind: .call(literal, [])))
                    }
                default: rest.append(statement)
                }
            }
        }
        collect(statements)
        return Expression(offset: start, kind: .choice(options, condition: nil))
    }
}

extension Statement {
    fileprivate var isBranch: Bool { if case .branch = self { true } else { false } }
}

extension Function {
    func with(isLocal: Bool) -> Function {
        Function(
            name: name, parameters: parameters, body: body, offset: offset, isLocal: isLocal, isTelling: isTelling)
    }
}
