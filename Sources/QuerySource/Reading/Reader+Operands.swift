// SPDX-License-Identifier: Apache-2.0

extension Reader {
    /// An operand without what follows it.
    mutating func primary() -> Expression {
        let token = current
        func make(_ kind: Expression.Kind) -> Expression { Expression(offset: token.offset, kind: kind) }
        switch token.kind {
        case .end: return make(.other([]))
        case .string:
            advance()
            return make(strings(token.text))
        case .template:
            advance()
            return make(.template(parts(token.pieces)))
        case .number:
            advance()
            return make(.number(token.text))
        case .name: return word(token)
        case .mark: return bracketOrMark(token)
        }
    }

    /// Adjacent strings are one in Python and Dart.
    private mutating func strings(_ first: String) -> Expression.Kind {
        guard ["python", "dart"].contains(language.name) else { return .text(first) }
        var text = first
        while !isAtEnd, current.kind == .string {
            text += current.text
            advance()
        }
        return .text(text)
    }

    private mutating func parts(_ pieces: [Token.Piece]) -> [Expression.TemplatePart] {
        pieces.map { piece in
            switch piece {
            case .text(let text): return .text(text)
            case .code(let tokens):
                let end = Token(kind: .end, text: "", offset: tokens.last?.offset ?? 0, startsLine: false, column: 0)
                var reader = Reader(tokens + [end], language, maximumDepth: maximumDepth)
                reader.depth = depth + 1
                let code = reader.expression()
                cut = cut ?? reader.cut
                return .code(code)
            }
        }
    }

    private mutating func word(_ token: Token) -> Expression {
        func make(_ kind: Expression.Kind) -> Expression { Expression(offset: token.offset, kind: kind) }
        switch token.text {
        case "true", "True", "false", "False":
            advance()
            return make(.flag(token.text.hasSuffix("rue")))
        case "null", "nil", "None", "undefined":
            advance()
            return make(.null)
        case "lambda" where language.blocks == .indentation: return lambda(token.offset)
        case "async" where peek(1).kind == .name || peek(1).isMark("("):
            advance()
            return unary()
        case "async" where peek(1).isMark("<") && genericArrow(position + 1) != nil:
            advance()
            return primary()
        case "class" where language.name == "javascript":
            guard let type = type() else { break }
            let function = Function(name: nil, parameters: [], body: [type], offset: token.offset, isLocal: true)
            return make(.function(function))
        case "if" where language.blocks == .braces, "when", "switch", "match":
            guard peek(1).isMark("(") || peek(1).isMark("{") || token.text == "if" || language.name == "swift" else {
                break
            }
            return valueOfBranches(token.offset)
        case "return", "throw":
            advance()
            return make(.other([expression()]))
        case "nameof" where language.name == "csharp" && peek(1).isMark("("): return nameOf()
        case "listOf", "arrayListOf", "setOf": break
        default: break
        }
        if language.functionWords.contains(token.text), language.name != "swift" || token.text == "func",
            peek(1).kind == .name || peek(1).isMark("(") || peek(1).isMark("*")
        {
            let function = self.function()
            return make(function.map { .function($0) } ?? .other([]))
        }
        if peek(1).isMark("=>") || (peek(1).isMark("->") && ["java", "kotlin"].contains(language.name)) {
            advance(2)
            return make(.function(arrow([Parameter(name: token.text, label: nil, byDefault: nil)], token.offset)))
        }
        advance()
        return make(.name(token.text))
    }

    private mutating func lambda(_ start: Int) -> Expression {
        advance()
        while !isAtEnd, !current.isMark(":") { advance() }
        advance()
        return Expression(offset: start, kind: .function(arrow([], start)))
    }

    /// The body after an arrow: a block or an expression.
    mutating func arrow(_ parameters: [Parameter], _ start: Int) -> Function {
        let body: [Statement]
        let first = position
        if current.isMark("{"), language.blocks == .braces {
            body = bracketed { $0.readsBodies ? $0.statements() : [] }
        } else {
            body = [.exit(expression(), isReturn: true)]
        }
        return Function(
            name: nil, parameters: parameters, body: body, offset: start, isLocal: true,
            isTelling: isTelling(first, position))
    }

    private mutating func bracketOrMark(_ token: Token) -> Expression {
        func make(_ kind: Expression.Kind) -> Expression { Expression(offset: token.offset, kind: kind) }
        switch token.text {
        case "(": return parenthesis(token)
        case "[":
            if language.name == "go" { return goList(token) }
            let elements = arguments()
            return make(elements.contains { $0.label != nil } ? .fields(elements) : .list(elements))
        case "{": return brace(token)
        case "." where peek(1).kind == .name:
            advance(2)
            return make(.implicitMember(tokens[position - 1].text))
        case "?":
            advance()
            return make(.placeholder)
        case ")", "]", "}", ",", ";", ":": return make(.other([]))
        case "#" where peek(1).kind == .name:
            advance()
            return primary()
        case "<":
            guard let open = genericArrow(position) else { fallthrough }
            position = open
            return parenthesis(current)
        default:
            advance()
            return make(.other([]))
        }
    }

    /// A function, a cast, a tuple, or an expression in parentheses.
    private mutating func parenthesis(_ token: Token) -> Expression {
        let close = close(of: position)
        if let after = arrowAfter(close) {
            let parameters = self.parameters()
            position = after
            return Expression(offset: token.offset, kind: .function(arrow(parameters, token.offset)))
        }
        let elements = arguments()
        let isCast = language.hasLeadingTypes && elements.count == 1 && !isAtEnd && !current.startsLine
        if isCast, current.kind == .name || current.isMark("("),
            !["in", "is", "as", "and", "or", "if"].contains(current.text)
        {
            return unary()
        }
        guard elements.count == 1, elements[0].label == nil, !elements[0].isSpread else {
            return Expression(offset: token.offset, kind: .list(elements))
        }
        // The offset of a chain is that of its first name.
        return elements[0].value
    }

    /// The position of the parameters of a generic function such as `<T>(a: T) => …`.
    private func genericArrow(_ start: Int) -> Int? {
        guard language.name == "javascript", let open = afterGenerics(start), open < limit, tokens[open].isMark("("),
            arrowAfter(close(of: open)) != nil
        else { return nil }
        return open
    }

    /// The position of the body, if a parenthesis that ends here holds the parameters of a function.
    private func arrowAfter(_ close: Int) -> Int? {
        var index = close + 1
        if index < limit, tokens[index].isName("async") { index += 1 }
        guard index < limit else { return nil }
        if tokens[index].isMark("=>") { return index + 1 }
        if language.name == "java", tokens[index].isMark("->") { return index + 1 }
        if language.name == "dart", tokens[index].isMark("{"), !leavesBraces { return index }
        guard language.name == "javascript", tokens[index].isMark(":") else { return nil }
        let after = afterType(index + 1)
        return after < limit && tokens[after].isMark("=>") ? after + 1 : nil
    }

    /// `[]string{"a"}`
    private mutating func goList(_ token: Token) -> Expression {
        position = min(close(of: position) + 1, limit)
        position = afterType(position)
        guard current.isMark("{"), !leavesBraces else { return Expression(offset: token.offset, kind: .other([])) }
        let elements = arguments()
        let isMap = elements.contains { $0.label != nil }
        return Expression(offset: token.offset, kind: isMap ? .fields(elements) : .list(elements))
    }

    /// An object, a closure, or statements.
    private mutating func brace(_ token: Token) -> Expression {
        switch language.braces {
        case .object:
            let elements = arguments(keysAreNames: language.name == "javascript")
            return Expression(offset: token.offset, kind: .fields(elements))
        case .closure:
            let function = bracketed { reader in reader.closure(token.offset) }
            return Expression(offset: token.offset, kind: .function(function))
        case .statement:
            if language.name == "go" {
                return Expression(offset: token.offset, kind: .list(arguments()))
            }
            let body = bracketed { $0.statements() }
            let function = Function(name: nil, parameters: [], body: body, offset: token.offset, isLocal: true)
            return Expression(offset: token.offset, kind: .function(function))
        }
    }

    /// `x in code` or `x -> code`. The last expression is its value.
    private mutating func closure(_ start: Int) -> Function {
        let arrow = find(
            from: position, count: 24,
            { index in
                tokens[index].isName("in") || tokens[index].isMark("->")
            },
            until: { index in
                let token = tokens[index]
                return token.startsLine && index > position
                    || [";", "=", "{", "."].contains(token.text) && token.kind == .mark
            })
        var parameters: [Parameter] = []
        if let arrow {
            let names = tokens[position..<arrow].filter { $0.kind == .name }
            parameters = names.prefix(4).map { Parameter(name: $0.text, label: nil, byDefault: nil) }
            position = arrow + 1
        } else if language.name == "kotlin" {
            parameters = [Parameter(name: "it", label: nil, byDefault: nil)]
        }
        var body = statements()
        if case .expression(let value)? = body.last { body[body.count - 1] = .exit(value, isReturn: true) }
        return Function(name: nil, parameters: parameters, body: body, offset: start, isLocal: true)
    }

    // MARK: Arguments

    /// What the brackets that begin here contain, separated by commas; the position is after them.
    ///
    /// - Parameter keysAreNames: whether a name before a colon is a key itself, and not a variable that has one.
    mutating func arguments(keysAreNames: Bool = true) -> [Argument] {
        bracketed { reader in
            var result: [Argument] = []
            while !reader.isAtEnd {
                let before = reader.position
                if !reader.accept(","), !reader.accept(";") { result.append(reader.argument(keysAreNames)) }
                if reader.position == before { reader.advance() }
            }
            return result
        }
    }

    private mutating func argument(_ keysAreNames: Bool) -> Argument {
        var isSpread = false
        while current.isMark("...") || ((current.isMark("*")) && ["python", "kotlin"].contains(language.name)) {
            isSpread = true
            advance()
        }
        let label = keysAreNames || current.kind == .string ? self.label() : nil
        let start = position
        // `get name() { … }` in an object.
        if language.name == "javascript", current.isName("get") || current.isName("set"), peek(1).kind == .name,
            peek(2).isMark("(")
        {
            advance()
        }
        var value = expression()
        if let method = method(value, from: start) { return Argument(label: method.name, value: method.function) }
        if accept("...") { isSpread = true }
        var label2 = label
        if label == nil, current.isMark(":") || current.isMark("=>"), case let key = value {
            advance()
            label2 = (keysAreNames ? key.key : key.literal) ?? ""
            value = expression()
        }
        // What does not belong to an argument, such as a comprehension or markup.
        var rest: [Expression] = []
        while !isAtEnd, !current.isMark(","), !current.isMark(";") {
            let before = position
            rest.append(expression())
            if position == before { advance() }
        }
        guard !rest.isEmpty else { return Argument(label: label2, isSpread: isSpread, value: value) }
        return Argument(
            label: label2, isSpread: true, value: Expression(offset: value.offset, kind: .other([value] + rest)))
    }

    private mutating func label() -> String? {
        let next = peek(1)
        guard next.kind == .mark, current.kind == .name || (current.kind == .string && next.text == ":") else {
            return nil
        }
        let isLabel =
            next.text == ":" && !peek(2).isMark(":")
            || next.text == "=" && (language.hasEqualsLabels || language.name == "csharp")
        guard isLabel, position + 1 < limit else { return nil }
        let label = current.text
        advance(2)
        return label
    }

    /// A method in an object, such as `load() { … }`.
    private mutating func method(_ value: Expression, from start: Int) -> (name: String, function: Expression)? {
        guard language.braces == .object, language.blocks == .braces, !isAtEnd,
            case .call(let callee, _) = value.kind, let name = callee.key
        else { return nil }
        let body = language.name == "javascript" && current.isMark(":") ? afterType(position + 1) : position
        guard body < limit, tokens[body].isMark("{") else { return nil }
        position = body
        let statements = bracketed { $0.statements() }
        let function = Function(name: name, parameters: [], body: statements, offset: value.offset, isLocal: true)
        return (name, Expression(offset: value.offset, kind: .function(function)))
    }
}

extension Expression {
    /// The text that it is.
    fileprivate var literal: String? { if case .text(let text) = kind { text } else { nil } }

    /// The key that it is in an object.
    var key: String? {
        switch kind {
        case .text(let text), .name(let text), .number(let text): text
        default: nil
        }
    }
}
