// SPDX-License-Identifier: Apache-2.0

/// Python's statements, whose blocks are lines of more indentation.
extension Reader {
    mutating func indentedStatements() -> [Statement] {
        var result: [Statement] = []
        while !isAtEnd {
            let before = position
            result += indentedStatement()
            if position == before { advance() }
        }
        return result
    }

    private mutating func indentedStatement() -> [Statement] {
        depth += 1
        defer { depth -= 1 }
        guard canNest() else { return [] }
        let token = current
        guard token.kind == .name else {
            if token.isMark("@") { return line { [.expression($0.decorator())] } }
            return line { $0.simple() }
        }
        switch token.text {
        case "if": return alternatives()
        case "case" where isHeader:
            let isComplete = peek(1).isName("_") && peek(2).isMark(":")
            return [.branch([block()], isComplete: isComplete, condition: nil)]
        case "match" where isHeader: return [cases(of: block())]
        case "elif", "else", "except", "finally":
            return [.branch([block()], isComplete: false, condition: nil)]
        case "for", "while": return [.loop(block())]
        case "try": return [attempt()]
        case "with": return [.block(block())]
        case "class":
            let name = peek(1).text
            return [.type(name: name, block(), offset: token.offset)]
        case "async" where peek(1).kind == .name:
            advance()
            return indentedStatement()
        case "def": return definition()
        case "return", "raise":
            return line { reader in
                reader.advance()
                guard !reader.isAtEnd else { return [.exit(nil, isReturn: true)] }
                let value = reader.expression()
                return [
                    .exit(
                        token.text == "return" ? value : Expression(offset: value.offset, kind: .other([value])),
                        isReturn: true)
                ]
            }
        case "break", "continue": return line { _ in [.exit(nil, isReturn: false)] }
        case "import", "from", "pass", "del": return line { _ in [] }
        case "global", "nonlocal": return line { [$0.outerNames()] }
        default: return line { $0.simple() }
        }
    }

    /// The column of the statement that begins here, which `async` may precede.
    private var indentation: Int {
        position > 0 && !current.startsLine && tokens[position - 1].isName("async")
            ? tokens[position - 1].column : current.column
    }

    private mutating func decorator() -> Expression {
        advance()
        return expression()
    }

    /// The end of the line that the position is on.
    private var lineEnd: Int {
        find(
            from: position + 1, count: 100_000, { tokens[$0].startsLine || tokens[$0].isMark(";") },
            until: { _ in false }) ?? limit
    }

    private mutating func line(_ body: (inout Reader) -> [Statement]) -> [Statement] {
        within(lineEnd, body)
    }

    /// The statements after the colon of the header that begins here. The header's expressions come first.
    private mutating func block() -> [Statement] {
        let column = indentation
        let colon = colon(from: position + 1)
        advance()
        let head = within(colon) { reader in
            var result: [Statement] = []
            while !reader.isAtEnd {
                let before = reader.position
                if reader.current.kind == .name, ["in", "as", "not"].contains(reader.current.text) { reader.advance() }
                result.append(.expression(reader.expression()))
                if reader.position == before { reader.advance() }
            }
            return result
        }
        return head + suite(column)
    }

    /// Whether a colon follows on the line: `match` and `case` are names elsewhere.
    private var isHeader: Bool { (position + 2..<max(position + 2, lineEnd)).contains(colon(from: position + 1)) }

    /// `match` with its cases, of which one runs at most.
    private func cases(of block: [Statement]) -> Statement {
        var (head, cases, isComplete): ([Statement], [[Statement]], Bool) = ([], [], false)
        for statement in block {
            if case .branch(let branches, let isLast, nil) = statement {
                cases += branches
                isComplete = isComplete || isLast
            } else {
                head.append(statement)
            }
        }
        return .block(cases.isEmpty ? head : head + [.branch(cases, isComplete: isComplete, condition: nil)])
    }

    /// The block that belongs to a header in a column; the position is at its colon.
    private mutating func suite(_ column: Int) -> [Statement] {
        advance()
        guard !isAtEnd else { return [] }
        if !current.startsLine { return line { $0.indentedStatements() } }
        guard current.column > column else { return [] }
        let end = find(
            from: position, count: 1_000_000, { tokens[$0].startsLine && tokens[$0].column <= column },
            until: { _ in false })
        return within(end ?? limit) { $0.indentedStatements() }
    }

    private func colon(from start: Int) -> Int {
        var lambdas = 0
        return find(
            from: start, count: 10_000,
            { index in
                if tokens[index].isName("lambda") { lambdas += 1 }
                guard tokens[index].isMark(":") else { return false }
                lambdas -= 1
                return lambdas < 0
            }, until: { _ in false }) ?? limit
    }

    private mutating func alternatives() -> [Statement] {
        depth += 1
        defer { depth -= 1 }
        guard canNest() else { return [] }
        let column = indentation
        let condition = condition(position + 1, colon(from: position + 1))
        let then = block()
        var branches = [then]
        let follows = !isAtEnd && current.startsLine && current.column == column
        let hasElse = follows && (current.isName("else") || current.isName("elif"))
        if hasElse {
            branches.append(current.isName("elif") ? alternatives() : block())
        }
        return [.branch(branches, isComplete: hasElse, condition: condition)]
    }

    /// `try` and what belongs to it.
    private mutating func attempt() -> Statement {
        let column = indentation
        var body = block()
        var handlers: [[Statement]] = []
        var last: [Statement] = []
        while !isAtEnd, current.startsLine, current.column == column {
            if current.isName("except") {
                handlers.append(block())
            } else if current.isName("else") {
                body += block()
            } else if current.isName("finally") {
                last += block()
            } else {
                break
            }
        }
        return .attempt(body, handlers: handlers, finally: last)
    }

    /// The last name of the decorator before a definition, such as `property`.
    private func decorator(of definition: Int) -> String? {
        guard definition > 1, tokens[definition].startsLine, tokens[definition - 1].kind == .name else { return nil }
        return [".", "@"].contains(tokens[definition - 2].text) ? tokens[definition - 1].text : nil
    }

    private mutating func definition() -> [Statement] {
        let column = indentation
        let start = current.offset
        let name = peek(1).text
        let decorator = self.decorator(of: position)
        advance(2)
        if current.isMark("[") { position = min(close(of: position) + 1, limit) }
        guard current.isMark("(") else { return [] }
        var parameters = self.parameters()
        // Who calls a method, or reads a property, does not give the object among the arguments.
        if let first = parameters.first?.name, ["self", "cls"].contains(first) { parameters.removeFirst() }
        position = colon(from: position)
        let first = position
        let body = suite(column)
        let isLocal = name.hasPrefix("_") && name != "__init__"
        return [
            .function(
                Function(
                    name: ["setter", "deleter"].contains(decorator) ? nil : name, parameters: parameters, body: body,
                    offset: start, isLocal: isLocal, isTelling: isTelling(first, position)))
        ]
    }
}
