// SPDX-License-Identifier: Apache-2.0

/// Reads the statements of a file in any of the languages, as far as queries need them.
///
/// It is lenient: any tokens give statements. What it does not know becomes ``Expression/Kind/other(_:)``, and code inside
/// is read nevertheless.
struct Reader {
    let tokens: [Token]
    let language: Language
    /// For each opening bracket, the index of its closing one.
    let matches: [Int]
    /// The indices of the names of methods that do something to a query.
    let calls: [Int]
    var position = 0
    /// Where the part ends that is being read.
    var limit: Int
    /// Whether a brace belongs to the statement, as after `if x` in Go.
    var leavesBraces = false
    /// Whether the statements are members of a type.
    var isInType = false
    /// Whether the type is an enumeration whose cases stand for texts.
    var hasTextCases = false
    /// The name that a method of Go gives its own object.
    var receiver: String?
    var depth = 0
    let maximumDepth: Int
    /// Whether the bodies of functions are read.
    let readsBodies: Bool
    /// The offset of the first code that is nested so deep that it was not read.
    var cut: Int?
    var declarations = DeclarationMarks()
    var conditionalLines: ConditionalLines
    /// How many of the levels of nested code are those of `#if` around declarations of the file.
    var fileWays = 0

    init(
        _ tokens: [Token], _ language: Language, maximumDepth: Int, _ lines: [ConditionalLine] = [],
        readsBodies: Bool = true
    ) {
        self.tokens = tokens
        self.language = language
        self.maximumDepth = maximumDepth
        self.readsBodies = readsBodies
        conditionalLines = ConditionalLines(lines, tokens)
        matches = Reader.matches(tokens)
        calls = tokens.indices.filter { tokens[$0].kind == .name && language.calls[tokens[$0].text] != nil }
        limit = tokens.count - 1
    }

    var current: Token { peek(0) }

    /// A token after the position; the end beyond the limit.
    func peek(_ offset: Int) -> Token {
        position + offset < limit ? tokens[position + offset] : tokens[tokens.count - 1]
    }

    var isAtEnd: Bool { position >= limit }

    mutating func advance(_ count: Int = 1) { position = min(position + count, limit) }

    mutating func accept(_ mark: String) -> Bool {
        guard !isAtEnd, current.isMark(mark) else { return false }
        advance()
        return true
    }

    /// Whether code may be nested here. If not, the rest of the part is passed over: read by itself, it would be a part of
    /// something else.
    mutating func canNest() -> Bool {
        guard depth >= maximumDepth else { return true }
        if !isAtEnd { cut = cut ?? current.offset }
        position = limit
        return false
    }

    /// The index of the closing bracket, at most the limit.
    func close(of index: Int) -> Int { min(matches[index], limit) }

    /// Reads a part of the tokens.
    mutating func within<Result>(_ end: Int, _ body: (inout Reader) -> Result) -> Result {
        let (outer, braces) = (limit, leavesBraces)
        limit = min(end, outer)
        leavesBraces = false
        let result = body(&self)
        (limit, leavesBraces) = (outer, braces)
        position = min(max(position, end), limit)
        return result
    }

    /// The statements between the brackets that begin here; the position is after them.
    mutating func bracketed<Result>(_ body: (inout Reader) -> Result) -> Result {
        let end = close(of: position)
        advance()
        let result = within(end, body)
        position = min(end + 1, limit)
        return result
    }

    private static func matches(_ tokens: [Token]) -> [Int] {
        var matches = Array(repeating: tokens.count - 1, count: tokens.count)
        var open: [Int] = []
        let closing = ["(": ")", "[": "]", "{": "}"]
        for (index, token) in tokens.enumerated() where token.kind == .mark {
            if closing[token.text] != nil {
                open.append(index)
            } else if [")", "]", "}"].contains(token.text) {
                // An unclosed bracket ends where a bracket around it ends; a stray closing one is skipped.
                guard let place = open.suffix(64).lastIndex(where: { closing[tokens[$0].text] == token.text }) else {
                    continue
                }
                for unclosed in open[(place + 1)...] { matches[unclosed] = index }
                matches[open[place]] = index
                open.removeSubrange(place...)
            }
        }
        return matches
    }

    // MARK: Lookahead

    /// Skips from an index over brackets; gives the index of the first token for which `isFound` holds, or nil where
    /// `isOver` holds or after `count` tokens.
    func find(
        from start: Int, count: Int = 60, _ isFound: (Int) -> Bool, until isOver: (Int) -> Bool
    ) -> Int? {
        var index = start
        var steps = 0
        while index < limit, steps < count {
            if isFound(index) { return index }
            if isOver(index) { return nil }
            let token = tokens[index]
            let opens = token.kind == .mark && ["(", "[", "{"].contains(token.text)
            index = opens ? matches[index] + 1 : index + 1
            steps += 1
        }
        return nil
    }

    /// After the generic arguments that begin here, such as `<String, [Int]>` or `<T extends X = Y>`; nil if they are none.
    func afterGenerics(_ start: Int) -> Int? {
        guard start < limit, tokens[start].isMark("<") else { return nil }
        var index = start
        var (depth, parentheses, steps) = (0, 0, 0)
        while index < limit, steps < 60 {
            let token = tokens[index]
            steps += 1
            switch token.kind {
            case .mark:
                switch token.text {
                case "<": depth += 1
                case ">": depth -= 1
                case "(": parentheses += 1
                case ")":
                    parentheses -= 1
                    if parentheses < 0 { return nil }
                case "{", "[": index = matches[index]
                case ",", ".", "|", "&", "?", ":", "=>", "->", "*", "=", "...": break
                default: return nil
                }
            case .name, .string: break
            case .number where ["<", "|"].contains(tokens[index - 1].text) && index + 1 < limit:
                guard [">", "|"].contains(tokens[index + 1].text) else { return nil }
            default: return nil
            }
            index += 1
            if depth == 0 { return parentheses == 0 ? index : nil }
        }
        return nil
    }

    /// Whether TypeScript's type follows a word here, as in `keyof T` and `asserts x is T`.
    private func isTypeOperator(_ index: Int) -> Bool {
        guard language.name == "javascript", tokens[index].kind == .name, index + 1 < limit else {
            return tokens[index].isMark("|") && language.name == "javascript"
        }
        let next = tokens[index + 1]
        return ["asserts", "keyof", "typeof", "readonly", "unique", "infer"].contains(tokens[index].text)
            && !next.startsLine && (next.kind == .name && next.text != "is" || next.isMark("(") || next.isMark("["))
    }

    /// Whether the `is` of a type predicate such as `x is T` is here.
    private func isPredicate(_ index: Int) -> Bool {
        language.name == "javascript" && tokens[index].isName("is") && !tokens[index].startsLine
            && tokens[index - 1].kind == .name
    }

    /// Whether the mark of an optional follows a bracket here, as in `[String]?` and `(() -> Void)?`.
    private func isOptional(_ index: Int) -> Bool {
        guard index < limit, ["swift", "kotlin"].contains(language.name) else { return false }
        return (tokens[index].isMark("?") || tokens[index].isMark("!"))
            && tokens[index].offset == tokens[index - 1].offset + 1
    }

    /// After a type, such as `Map<String, List<int>>?`.
    func afterType(_ start: Int) -> Int {
        var index = start
        while index < limit {
            let token = tokens[index]
            if isTypeOperator(index) {
                index += 1
                continue
            }
            if token.kind != .mark {
                index += 1
                if let after = afterGenerics(index) { index = after }
                while index < limit, tokens[index].isMark("["), index + 1 == matches[index] { index += 2 }
                if index < limit, tokens[index].isMark("?") || tokens[index].isMark("!") { index += 1 }
            } else if token.isMark("[") || token.isMark("(") || token.isMark("{") {
                index = matches[index] + 1
                if isOptional(index) { index += 1 }
            } else {
                return index
            }
            while language.name == "javascript", index < limit, tokens[index].isMark("["), !tokens[index].startsLine {
                index = matches[index] + 1
            }
            guard index < limit, !isPredicate(index) else {
                index += 1
                continue
            }
            guard [".", "|", "&", "->"].contains(tokens[index].text) else { return min(index, limit) }
            index += 1
        }
        return min(index, limit)
    }
}
