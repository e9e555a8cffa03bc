// SPDX-License-Identifier: Apache-2.0

extension Reader {
    /// Reads an expression. It takes no token only before a closing bracket, a separator or the end.
    mutating func expression() -> Expression {
        depth += 1
        defer { depth -= 1 }
        let start = current.offset
        guard canNest() else { return Expression(offset: start, kind: .other([])) }
        let first = position
        var operands = [unary()]
        var isJoined = true
        while !isAtEnd, operands.count < 500 {
            let before = position
            switch operation() {
            case nil: return result(operands, isJoined, start)
            case .join: operands.append(unary())
            case .choose:
                let other = unary()
                operands = [choice([result(operands, isJoined, start), other], nil, start)]
            case .guarded:
                let condition = condition(first, before)
                let kind = Expression.Kind.guarded(operands, unary(), condition: condition)
                (operands, isJoined) = ([Expression(offset: start, kind: kind)], true)
            case .compute:
                isJoined = false
                operands.append(unary())
            case .cast: break
            case .step: (operands, isJoined) = ([Expression(offset: start, kind: .other(operands))], true)
            case .select:
                (operands, isJoined) = ([valueOfCases(of: result(operands, isJoined, start))], true)
            case .assign:
                let mark = tokens[position - 1].text
                let value = assigned(expression(), over: operands[0].kind, by: mark)
                if case .name(let name) = operands[0].kind, operands.count == 1 {
                    let kind = Expression.Kind.assignment(.variable(name, isDeclared: false), value)
                    return Expression(offset: start, kind: kind)
                }
                return Expression(offset: start, kind: .other(operands + [value]))
            case .ternary:
                let condition = condition(first, before)
                let then = expression()
                guard accept(":") else { return Expression(offset: start, kind: .other(operands + [then])) }
                return choice([then, expression()], condition, start)
            case .conditionAfter:
                let conditionStart = position
                let condition = expression()
                let test = self.condition(conditionStart, position)
                guard current.isName("else") else { return Expression(offset: start, kind: .other([condition])) }
                advance()
                return choice([result(operands, isJoined, start), expression()], test, start)
            }
        }
        return result(operands, isJoined, start)
    }

    private func result(_ operands: [Expression], _ isJoined: Bool, _ start: Int) -> Expression {
        if operands.count == 1 { return operands[0] }
        return Expression(offset: start, kind: isJoined ? .concatenation(operands) : .other(operands))
    }

    private func choice(_ options: [Expression], _ condition: Condition?, _ start: Int) -> Expression {
        Expression(offset: start, kind: .choice(options, condition: condition))
    }

    /// What a mark assigns to something. With `??=` and its like, it may keep its value.
    func assigned(_ value: Expression, over old: Expression.Kind?, by mark: String) -> Expression {
        switch mark {
        case "??=", "||=", "&&=":
            guard let old else { return value }
            return choice([Expression(offset: value.offset, kind: old), value], nil, value.offset)
        case "+=", ".=": return Expression(offset: value.offset, kind: .other([value]))
        default: return value
        }
    }

    private enum Operation {
        case join, choose, guarded, compute, cast, step, select, assign, ternary, conditionAfter
    }

    /// Takes a binary operator; nil if none follows.
    private mutating func operation() -> Operation? {
        let token = current
        if token.kind == .name { return token.startsLine ? nil : wordOperation(token.text) }
        guard token.kind == .mark else { return nil }
        if token.startsLine, !["+", "&&", "||", "??", "?:", "?", ".", "=="].contains(token.text) { return nil }
        if isStep {
            advance(2)
            return .step
        }
        if token.text == language.concatenation {
            advance()
            return .join
        }
        switch token.text {
        case "??", "?:", "||":
            advance()
            return .choose
        case "&&" where language.name == "javascript":
            advance()
            return .guarded
        case "?":
            advance()
            return .ternary
        case "=", "??=", "||=", "&&=":
            advance()
            return .assign
        case "+", "-", "*", "/", "%", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "&", "|", "^", "..<",
            "...", "+=", "-=", "<-":
            advance()
            return .compute
        case "..":
            if language.memberMarks.contains("..") {
                return nil
            } else {
                advance()
                return .compute
            }
        default: return nil
        }
    }

    /// Whether the `++` or `--` of the operand before is here. Nothing need follow it.
    private var isStep: Bool {
        let (first, second) = (current, peek(1))
        return (first.isMark("+") || first.isMark("-")) && !first.startsLine && second.isMark(first.text)
            && second.offset == first.offset + 1
    }

    private mutating func wordOperation(_ word: String) -> Operation? {
        switch word {
        case "as", "satisfies":
            advance()
            _ = accept("?") || accept("!")
            position = afterType(position)
            return .cast
        case "is", "instanceof":
            advance()
            position = afterType(position)
            return .cast
        case "switch" where language.name == "csharp" && peek(1).isMark("{"): return .select
        case "in", "and", "or", "of":
            advance()
            return word == "or" && language.blocks == .indentation ? .choose : .compute
        case "if" where language.blocks == .indentation:
            advance()
            return .conditionAfter
        default: return nil
        }
    }

    // MARK: Operands

    private static let prefixWords: Set<String> = [
        "await", "try", "typeof", "void", "delete", "not", "yield", "const", "throw", "move", "inout", "consume",
    ]

    mutating func unary() -> Expression {
        let token = current
        depth += 1
        defer { depth -= 1 }
        guard canNest() else { return Expression(offset: token.offset, kind: .other([])) }
        if token.kind == .mark {
            switch token.text {
            case "-":
                advance()
                let operand = unary()
                guard case .number(let text) = operand.kind else {
                    return Expression(offset: token.offset, kind: .other([operand]))
                }
                return Expression(offset: token.offset, kind: .number("-\(text)"))
            case "!", "+", "~", "^", "<-":
                advance()
                return Expression(offset: token.offset, kind: .other([unary()]))
            case "&", "*", "@":
                // An address, a value behind a pointer, a value without warnings.
                advance()
                return unary()
            default: break
            }
        }
        if token.isName("try"), language.name == "kotlin", peek(1).isMark("{") { return postfix(valueOfAttempt()) }
        if token.kind == .name, Reader.prefixWords.contains(token.text), peek(1).kind != .mark || isPrefix(peek(1)) {
            advance()
            if token.text == "try" { _ = accept("?") || accept("!") }
            return unary()
        }
        if token.isName("new"), peek(1).kind == .name || peek(1).isMark("[") || peek(1).isMark("(") { return made() }
        return postfix(primary())
    }

    /// Kotlin's `try` as a value: what its body or one of its handlers gives.
    private mutating func valueOfAttempt() -> Expression {
        let start = current.offset
        var options: [Expression] = []
        repeat {
            advance()
            if current.isMark("(") { position = min(close(of: position) + 1, limit) }
            guard current.isMark("{") else { break }
            options.append(Expression(offset: start, kind: .call(primary(), [])))
        } while current.isName("catch") || current.isName("finally")
        return choice(options, nil, start)
    }

    /// Whether a mark can begin an operand after a word such as `await`.
    private func isPrefix(_ token: Token) -> Bool {
        ["(", "[", "{", "?", "!", "-", ".", "*", "@"].contains(token.text)
    }

    /// `new Type(…)`, `new[] {…}`, `new List<string> {…}`.
    private mutating func made() -> Expression {
        let start = current.offset
        advance()
        var name = ""
        while current.kind == .name {
            name = current.text
            advance()
            if let after = afterGenerics(position) { position = after }
            guard accept(".") || accept("\\") else { break }
        }
        var isArray = false
        while current.isMark("["), !isAtEnd {
            isArray = true
            position = min(close(of: position) + 1, limit)
        }
        var arguments: [Argument] = []
        if current.isMark("("), !isArray { arguments = self.arguments() }
        if current.isMark("{"), !leavesBraces {
            if language.name == "java", !isArray {
                let body = bracketed { $0.members() }
                arguments.append(
                    Argument(
                        value: Expression(
                            offset: start,
                            kind: .function(
                                Function(
                                    name: nil, parameters: [], body: body, offset: start, isLocal: true)))))
            } else {
                let elements = self.arguments()
                if elements.allSatisfy({ $0.label == nil }) {
                    return postfix(Expression(offset: start, kind: .list(elements)))
                }
                arguments += elements
            }
        }
        if isArray {
            return postfix(
                Expression(
                    offset: start,
                    kind: .list([Argument(isSpread: true, value: Expression(offset: start, kind: .other([])))])))
        }
        return postfix(
            Expression(offset: start, kind: .call(Expression(offset: start, kind: .name(name)), arguments)))
    }

    /// Members, calls and indexes that follow an operand.
    mutating func postfix(_ operand: Expression) -> Expression {
        var result = operand
        let start = operand.offset
        var length = 0
        while !isAtEnd, length < 64 {
            length += 1
            let token = current
            guard token.kind == .mark else { break }
            if let choice = conditionalMembers(of: result) {
                result = choice
            } else if language.memberMarks.contains(token.text) {
                guard let member = member(of: result, start) else { return result }
                result = member
            } else if token.text == "(", !token.startsLine {
                let callee = own(result)
                result = Expression(offset: start, kind: .call(callee, arguments()))
            } else if token.text == "<", let after = afterGenerics(position), after < limit, tokens[after].isMark("(") {
                position = after
            } else if token.text == "[", !token.startsLine {
                let index = bracketed { $0.expression() }
                result = Expression(offset: start, kind: .index(result, index))
            } else if token.text == "{", let call = braced(result, start) {
                result = call
            } else if token.text == "!!" {
                advance()
            } else if token.text == "!" || token.text == "?", language.name != "python", isPostfixEnd(peek(1)) {
                advance()
            } else {
                break
            }
        }
        return result
    }

    /// A method of Go's own object, which has a name of its own in each method, is one of `this`.
    private func own(_ callee: Expression) -> Expression {
        guard let receiver, case .member(let object, let name) = callee.kind, case .name(receiver) = object.kind,
            language.calls[name] == nil
        else { return callee }
        let this = Expression(offset: object.offset, kind: .name("this"))
        return Expression(offset: callee.offset, kind: .member(this, name))
    }

    /// Whether a `!` or `?` before this token belongs to the operand before it.
    private func isPostfixEnd(_ next: Token) -> Bool {
        next.kind == .end || (next.kind == .mark && [".", ")", ",", ";", "]", "}", "?."].contains(next.text))
            || (next.startsLine && !current.startsLine && !next.isMark(":") && current.isMark("!"))
    }

    private mutating func member(of object: Expression, _ start: Int) -> Expression? {
        let mark = current
        advance()
        if current.isMark("#") { advance() }
        let name = current
        switch name.kind {
        case .name, .number:
            advance()
            let text = mark.text == "::" ? fieldName(name.text) : name.text
            return Expression(offset: start, kind: .member(object, text))
        case .mark where name.text == "(" && language.name == "go":
            // A type assertion.
            position = min(close(of: position) + 1, limit)
            return object
        case .mark where ["(", "["].contains(name.text) && mark.text == "?.": return object
        case .mark where name.text == "{" && mark.text == "->": return object
        default: return Expression(offset: start, kind: .other([object]))
        }
    }

    /// A trailing closure, or the fields of a struct.
    private mutating func braced(_ operand: Expression, _ start: Int) -> Expression? {
        guard !leavesBraces, !current.startsLine else { return nil }
        switch language.name {
        case "swift", "kotlin":
            switch operand.kind {
            case .call(let callee, let arguments):
                return Expression(offset: start, kind: .call(callee, arguments + [Argument(value: primary())]))
            case .name, .member:
                return Expression(offset: start, kind: .call(operand, [Argument(value: primary())]))
            default: return nil
            }
        case "go":
            switch operand.kind {
            case .name, .member: return Expression(offset: start, kind: .call(operand, arguments()))
            default: return nil
            }
        default: return nil
        }
    }
}
