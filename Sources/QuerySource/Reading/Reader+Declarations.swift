// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension Reader {
    /// An assignment, a declaration, a method without a word for functions, or an expression.
    mutating func simple() -> [Statement] {
        var isDeclared = false
        var isVariable = false
        while current.kind == .name, language.declarationWords.contains(current.text),
            peek(1).kind == .name || peek(1).isMark("{") || peek(1).isMark("[") || peek(1).isMark("(")
        {
            isDeclared = true
            if current.isName("var") || language.name == "javascript" && current.isName("let") { isVariable = true }
            advance()
        }
        if isDeclared, language.name == "go", current.isMark("(") {
            let statements: [Statement] = bracketed { reader in
                var result: [Statement] = []
                while !reader.isAtEnd {
                    let before = reader.position
                    result += reader.simple()
                    if reader.position == before { reader.advance() }
                }
                return result
            }
            if isVariable { declarations.vary(statements) }
            return statements
        }
        if skipSignature() { return [] }
        if let property = automaticProperty() { return property }
        if let method = method() { return [method] }
        // Kotlin's `val users get() = …`
        let isGetter = isDeclared && peek(1).isName("get") && peek(2).isMark("(")
        if isGetter, let property = property() { return property }
        if let equals = assignment() {
            let statements = assignments(equals, isDeclared)
            if isVariable { declarations.vary(statements) }
            return statements
        }
        if isDeclared, let property = property() { return property }
        if let variables = unsetVariables(isDeclared) { return variables }
        return [.expression(expression())]
    }

    // MARK: Assignments

    private static let assigningMarks: Set<String> = AssignedNames.marks.union([":="])

    /// The index of the mark that assigns, if this statement assigns.
    private func assignment() -> Int? {
        let found = find(
            from: position,
            { index in
                let token = tokens[index]
                return token.kind == .mark && Reader.assigningMarks.contains(token.text)
            },
            until: { index in
                let token = tokens[index]
                if token.kind == .string || token.kind == .template || token.kind == .number { return true }
                if startsStatement(index) { return true }
                guard token.kind == .mark else {
                    return ["return", "await", "in", "if"].contains(token.text) && index > position
                }
                if token.text == "{" {
                    return index > position && ![":", "|", "&", "<", ","].contains(tokens[index - 1].text)
                }
                return [";", "=>", "}", ")", "]", "==", "&&", "||", "+"].contains(token.text)
                    || (token.text == "(" && !isInType && index > position && !language.hasLeadingTypes
                        && language.name != "javascript" && language.name != "swift" && language.name != "php"
                        && language.name != "python")
            })
        return found
    }

    /// Whether a line that begins at the index belongs to the next statement.
    private func startsStatement(_ index: Int) -> Bool {
        guard tokens[index].startsLine, index > position else { return false }
        let last = tokens[index - 1]
        if last.kind != .mark || [")", "]", "}", ";"].contains(last.text) { return tokens[index].text != "." }
        // Behind the type of a property without a value, as in `var first: Query?`.
        let isEnd = last.text == ">" || (language.name != "javascript" && ["?", "!"].contains(last.text))
        return isEnd && ["swift", "kotlin", "javascript"].contains(language.name)
            && (tokens[index].kind == .name || tokens[index].isMark("@"))
    }

    private mutating func assignments(_ equals: Int, _ isDeclared: Bool) -> [Statement] {
        let start = current.offset
        let target = target(position, equals, isDeclared)
        position = equals + 1
        var value = expression()
        // `a = b = value`
        while accept("=") { value = expression() }
        let old: Expression.Kind? = if case .variable(let name, _) = target { .name(name) } else { nil }
        value = assigned(value, over: old, by: tokens[equals].text)
        // What comes from another file is no variable of this one.
        if case .several = target, value.isModule { return [.expression(value)] }
        var result = [Statement.expression(Expression(offset: start, kind: .assignment(target, value)))]
        // `const a = 1, b = 2`
        if isDeclared, current.isMark(","), peek(1).kind == .name {
            advance()
            if let next = assignment() { result += assignments(next, true) }
        }
        return result
    }

    private func target(_ start: Int, _ equals: Int, _ isDeclared: Bool) -> Target {
        var end = equals
        if language.hasTypeAnnotations,
            let colon = find(from: start, { tokens[$0].isMark(":") }, until: { $0 >= equals })
        {
            end = colon
        }
        var last = end - 1
        guard last >= start else { return .several([]) }
        // `name!: Type`, `name?`
        while last > start, ["!", "?"].contains(tokens[last].text) { last -= 1 }
        if language.name == "go" || language.blocks == .indentation {
            let names = tokens[start..<end].filter { $0.kind == .name }
            if tokens[start..<end].contains(where: { $0.isMark(",") }) { return .several(names.map(\.text)) }
        }
        // Go's `var name Type = value`, maybe in parentheses.
        if language.name == "go", tokens[start].kind == .name,
            isDeclared || (start + 1 < end && tokens[start + 1].kind == .name)
        {
            return .variable(tokens[start].text, isDeclared: true)
        }
        guard tokens[last].kind == .name else {
            return .several(tokens[start..<end].filter { $0.kind == .name }.map(\.text))
        }
        let name = tokens[last].text
        if last > start, tokens[last - 1].kind == .mark,
            language.memberMarks.contains(tokens[last - 1].text) || tokens[last - 1].isMark("#")
        {
            return .member(tokens[last - 1].isMark("::") ? fieldName(name) : name)
        }
        let before = last > start ? tokens[last - 1] : nil
        let hasType =
            language.hasLeadingTypes
            && (before.map { $0.kind == .name || [">", "]", "?", "*"].contains($0.text) } ?? false)
        let isNew = isDeclared || hasType || isInType || tokens[equals].text == ":="
        return .variable(isInType ? fieldName(name) : name, isDeclared: isNew)
    }

    /// A field's name without the dollar that PHP writes where it is declared and behind `::`, but not behind `->`.
    func fieldName(_ name: String) -> String {
        language.name == "php" && name.hasPrefix("$") ? String(name.dropFirst()) : name
    }

    /// A property that has code instead of a value: Swift's `var users: Query { … }`, Kotlin's `by lazy { … }` and `get()`.
    private mutating func property() -> [Statement]? {
        let name = current
        guard name.kind == .name, ["swift", "kotlin"].contains(language.name) else { return nil }
        var after = position + 1
        if after < limit, tokens[after].isMark(":") { after = afterType(after + 1) }
        guard after < limit else { return nil }
        let next = tokens[after]
        if next.isMark("{"), language.name == "swift" {
            position = after
            let isObserved = ["didSet", "willSet"].contains(peek(1).text)
            let body = bracketed { reader in reader.closureBody() }
            let function = Function(
                name: isObserved ? nil : name.text, parameters: [], body: body, offset: name.offset, isLocal: false)
            return (isObserved ? [.unset(name.text)] : []) + [.function(function)]
        }
        if next.isName("by"), language.name == "kotlin" {
            position = after + 1
            return [declaration(of: name.text, expression(), at: name.offset)]
        }
        guard next.isName("get"), after + 1 < limit, tokens[after + 1].isMark("(") else { return nil }
        position = matches[after + 1] + 1
        return functionBody().map {
            [.function(Function(name: name.text, parameters: [], body: $0, offset: name.offset, isLocal: false))]
        }
    }

    /// Statements whose only expression is their value.
    mutating func closureBody() -> [Statement] {
        if current.isName("get"), peek(1).isMark("{") {
            depth += 1
            defer { depth -= 1 }
            guard canNest() else { return [] }
            advance()
            return bracketed { $0.closureBody() }
        }
        var body = statements()
        if body.count == 1, case .expression(let value) = body[0] { body[0] = .exit(value, isReturn: true) }
        return body
    }

    // MARK: Functions

    /// A function introduced by a word; nil if it has no body, after which the position is behind its head.
    mutating func function() -> Function? {
        let start = current.offset
        advance()
        _ = accept("*") || accept("&") || accept("?")
        let outer = receiver
        defer { receiver = outer }
        if language.name == "go", current.isMark("(") {
            let after = close(of: position) + 1
            if after + 1 < limit, tokens[after].kind == .name, tokens[after + 1].isMark("(") {
                receiver = peek(1).kind == .name && !peek(2).isMark(")") ? peek(1).text : nil
                position = after
            }
        }
        if let after = afterGenerics(position) { position = after }
        var name: String?
        while current.kind == .name {
            name = current.text
            advance()
            if let after = afterGenerics(position) { position = after }
            if language.name == "go", current.isMark("[") { position = min(close(of: position) + 1, limit) }
            guard accept(".") else { break }
        }
        if name == nil, tokens[max(0, position - 1)].isName("init") { name = "init" }
        _ = accept("?") || accept("!")
        guard current.isMark("(") else { return nil }
        let parameters = self.parameters()
        let first = position
        guard let body = functionBody() else { return nil }
        return Function(
            name: name, parameters: parameters, body: body, offset: start, isLocal: isLocal(name),
            isTelling: isTelling(first, position))
    }

    /// Whether tokens are so few, or have such names, that a function of them may make a query.
    func isTelling(_ first: Int, _ end: Int) -> Bool {
        guard end - first > 60 else { return true }
        let next = calls.indices.partitioningIndex { calls[$0] >= first }
        return next < calls.count && calls[next] < end
    }

    private func isLocal(_ name: String?) -> Bool {
        guard let first = name?.utf8.first else { return true }
        switch language.name {
        case "javascript": return !isInType
        case "python", "dart": return first == UInt8(ascii: "_")
        default: return false
        }
    }

    /// What follows the parameters of a function: a block, or an expression after `=` or `=>`.
    mutating func functionBody() -> [Statement]? {
        guard let start = bodyStart(position) else {
            if hasResult(position) { position = afterResult(position + 1) }
            return nil
        }
        position = start
        if current.isMark("{") {
            return bracketed { reader in
                guard reader.readsBodies else { return [] }
                return reader.language.name == "swift" ? reader.closureBody() : reader.statements()
            }
        }
        advance()
        return [.exit(expression(), isReturn: true)]
    }

    /// The index where the body of a function begins whose parameters end before an index; nil if it has none.
    private func bodyStart(_ head: Int) -> Int? {
        let hasResult = hasResult(head)
        return find(
            from: hasResult ? afterResult(head + 1) : head, count: 40,
            { index in
                tokens[index].kind == .mark && ["{", "=", "=>"].contains(tokens[index].text) && !isObjectType(index)
            },
            until: { index in
                let token = tokens[index]
                if [";", "}", ")", "]"].contains(token.text), token.kind == .mark { return true }
                guard token.startsLine, token.kind == .name else { return false }
                // A function of TypeScript that is only declared ends with its type.
                if hasResult { return true }
                return tokens[index - 1].kind != .mark
                    && !["throws", "where", "rethrows", "async"].contains(token.text)
            })
    }

    /// Whether the type that a function of TypeScript gives begins at an index.
    private func hasResult(_ index: Int) -> Bool {
        language.name == "javascript" && index < limit && tokens[index].isMark(":")
    }

    /// Whether a brace belongs to a type, as in Go's `interface{}`.
    private func isObjectType(_ index: Int) -> Bool {
        guard tokens[index].isMark("{"), language.name == "go" else { return false }
        return tokens[index - 1].isName("interface") || tokens[index - 1].isName("struct")
    }

    /// After the type that a function of TypeScript gives, which may be a function's.
    func afterResult(_ start: Int) -> Int {
        var index = afterType(start)
        while index < limit, tokens[index].isMark("=>") { index = afterType(index + 1) }
        return index
    }

    /// A method such as `Future<void> load(String id) async {`, a getter, or C#'s `Query Users => …`.
    private mutating func method() -> Statement? {
        guard language.hasBareMethods, let head = methodHead() else { return nil }
        let end = head.after < limit && tokens[head.after].isMark("(") ? close(of: head.after) + 1 : head.after
        // It may be a call in a choice.
        guard language.name != "javascript" || bodyStart(end) != nil else { return nil }
        let start = current.offset
        position = head.after
        var parameters: [Parameter] = []
        if current.isMark("(") { parameters = self.parameters() }
        let first = position
        guard let body = functionBody() else { return nil }
        let isLocal =
            ["dart", "javascript"].contains(language.name) && head.name.hasPrefix("_") || head.name.hasPrefix("#")
        return .function(
            Function(
                name: head.name, parameters: parameters, body: body, offset: start, isLocal: isLocal,
                isTelling: isTelling(first, position)))
    }

    /// The name, and the index after it.
    func methodHead() -> (name: String, after: Int)? {
        var index = position
        var steps = 0
        while index < limit, steps < 24 {
            let token = tokens[index]
            steps += 1
            if token.kind == .mark {
                if isTypeOfDart(index) {
                    index = matches[index] + 1
                    continue
                }
                if token.text == "(" { return parenthesizedHead(index) }
                if token.text == "=>" || token.text == "{" { return bareHead(index) }
                if let after = afterGenerics(index) {
                    index = after
                    continue
                }
                // JavaScript's `?` is a choice.
                guard [".", "?", "[", "]", "*", "#", "!"].contains(token.text),
                    token.text != "?" || language.name != "javascript"
                else { return nil }
            } else if token.kind != .name || (token.startsLine && index > position && !language.hasLeadingTypes) {
                return nil
            } else if ["await", "return", "new", "throw"].contains(token.text) {
                return nil
            }
            index += 1
        }
        return nil
    }

    /// Whether a parenthesis belongs to the type of what follows: a record, or the parameters of a type of functions.
    private func isTypeOfDart(_ index: Int) -> Bool {
        guard tokens[index].isMark("("), language.name == "dart" else { return false }
        guard index == position || tokens[index - 1].isName("Function") else { return false }
        let after = matches[index] + 1
        guard after + 1 < limit else { return false }
        let name = tokens[after].isMark("?") ? after + 1 : after
        return tokens[name].kind == .name && !["async", "sync"].contains(tokens[name].text)
    }

    private func parenthesizedHead(_ open: Int) -> (name: String, after: Int)? {
        guard open > position else { return nil }
        var last = open - 1
        if tokens[last].isMark(">") {
            // `load<T>(…)`
            while last > position, !tokens[last].isMark("<") { last -= 1 }
            last -= 1
        }
        guard last >= position, tokens[last].kind == .name else { return nil }
        let name = tokens[last]
        if last > position, tokens[last - 1].isMark("."), language.name != "dart" || !isInType { return nil }
        let before = open - position
        guard isInType || before > 1 || language.name == "dart" else { return nil }
        let after = matches[open] + 1
        guard after < limit, isBodyStart(after) else { return nil }
        return (name.text, open)
    }

    /// Whether the body of a method can begin here.
    private func isBodyStart(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.kind == .mark {
            return token.text == "{" || token.text == "=>"
                || (token.text == ":" && (isInType || language.name == "javascript"))
        }
        return ["async", "throws", "where", "sync", "const"].contains(token.text) && !token.startsLine
            || token.text == "throws"
    }

    /// `get users {`, `Query get users =>`, and in C# `Query Users =>`.
    private func bareHead(_ index: Int) -> (name: String, after: Int)? {
        guard index - position >= 2, tokens[index - 1].kind == .name else { return nil }
        let isGetter = tokens[index - 2].isName("get")
        guard isGetter || (language.name == "csharp" && isInType) else { return nil }
        guard tokens[position].text != "new" else { return nil }
        return (tokens[index - 1].text, index)
    }

    // MARK: Parameters

    /// The parameters in the parentheses that begin here; the position is after them.
    mutating func parameters() -> [Parameter] {
        bracketed { reader in
            var result: [Parameter] = []
            while !reader.isAtEnd {
                // Dart groups parameters in braces and brackets.
                if reader.current.isMark("{") || reader.current.isMark("["), reader.language.name == "dart" {
                    reader.depth += 1
                    if reader.canNest() { result += reader.parameters() }
                    reader.depth -= 1
                    continue
                }
                result += reader.parameter()
                _ = reader.accept(",")
            }
            return result
        }
    }

    private mutating func parameter() -> [Parameter] {
        let end = find(from: position, count: 80, { tokens[$0].isMark(",") }, until: { _ in false }) ?? limit
        return within(max(end, position + 1)) { reader in
            let equals =
                reader.find(
                    from: reader.position, { reader.tokens[$0].isMark("=") }, until: { _ in false }) ?? reader.limit
            let colon =
                reader.language.hasTypeAnnotations
                ? reader.find(from: reader.position, { reader.tokens[$0].isMark(":") }, until: { $0 >= equals }) : nil
            let names = reader.tokens[reader.position..<(colon ?? equals)].filter { $0.kind == .name }
            guard let name = reader.language.name == "go" ? names.first : names.last else { return [] }
            let isRest = reader.isRest(before: equals)
            var value: Expression?
            if equals < reader.limit {
                reader.position = equals + 1
                value = reader.expression()
            }
            let label = names.count > 1 && reader.language.name == "swift" ? names[0].text : nil
            return [Parameter(name: name.text, label: label, byDefault: value, isRest: isRest)]
        }
    }

    /// Whether the parameter that begins here takes all arguments that are left, as in `...ids`, `String... ids`, `*ids` or
    /// `vararg ids`.
    private func isRest(before equals: Int) -> Bool {
        switch language.name {
        case "python" where current.isMark("*") || current.isMark("**"): return true
        case "kotlin" where current.isName("vararg"), "csharp" where current.isName("params"): return true
        default: return find(from: position, { tokens[$0].isMark("...") }, until: { $0 >= equals }) != nil
        }
    }
}

extension Expression {
    /// Whether it is JavaScript's `require(…)` or `import(…)`.
    fileprivate var isModule: Bool {
        switch kind {
        case .call(let callee, _): ["require", "import"].contains(callee.key)
        case .member(let object, _): object.isModule
        default: false
        }
    }
}
