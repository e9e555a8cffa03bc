// SPDX-License-Identifier: Apache-2.0

/// The kinds of tokens, in the order in which the official compiler lists them in its messages.
enum TokenKind: UInt8 {
    case end, and, assign, at, colon, comma, decrement, dollar, dot, equal, greater, greaterOrEqual, increment
    case leftBrace, leftBracket, leftParenthesis, less, lessOrEqual, minus, remainder, notEqual, not, or, plus
    case rightBrace, rightBracket, rightParenthesis, semicolon, slash, star, glob, question
    case allow, `false`, function, `if`, `import`, `in`, `is`, `let`, null, `return`, service, match, rulesVersion,
        `true`
    // Reserved words without a use.
    case arguments, `break`, `case`, `continue`, `default`, deny, `do`, each, `else`, extends, `for`, goto, notText
    case package, `switch`, then, `var`, `while`
    /// `/name`: a slash and the characters of a segment without a space between them.
    case pathSegment
    case identifier, integer, float
    /// A quote without its partner, and what follows it on its line.
    case unpairedDoubleQuote, unpairedSingleQuote
    case string, bytes
    /// The word after `service`.
    case keywordAsService, serviceName

    var isKeyword: Bool { rawValue >= TokenKind.allow.rawValue && rawValue <= TokenKind.while.rawValue }
    var isUnpairedQuote: Bool { self == .unpairedDoubleQuote || self == .unpairedSingleQuote }

    /// As messages name it: what is written in quotes, classes of tokens in capitals.
    var name: String { TokenKind.names[Int(rawValue)] }

    private static let names: [String] = {
        let symbols = "&& = @ : , -- $ . == > >= ++ { [ ( < <= - % != ! || + } ] ) ; / * ** ?".split(separator: " ")
        let words = """
            allow false function if import in is let null return service match rules_version true arguments break case \
            continue default deny do each else extends for goto not package switch then var while
            """.split(separator: " ")
        let classes = """
            PATH_SEGMENT IDENTIFIER NUM_INT NUM_FLOAT UNPAIRED_DOUBLE_QUOTE UNPAIRED_SINGLE_QUOTE STRING BYTES \
            BAD_KEYWORD SERVICE_IDENTIFIER
            """.split(separator: " ")
        return ["<EOF>"] + (symbols + words).map { "'\($0)'" } + classes.map(String.init)
    }()

    /// The reserved words by their spelling.
    static let words: [String: TokenKind] = {
        var words: [String: TokenKind] = [:]
        for number in TokenKind.allow.rawValue...TokenKind.while.rawValue {
            guard let kind = TokenKind(rawValue: number) else { continue }
            words[String(kind.name.dropFirst().dropLast())] = kind
        }
        return words
    }()
}

/// A set of kinds of tokens.
struct TokenKinds: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ kinds: [TokenKind] = []) {
        for kind in kinds { insert(kind.rawValue) }
    }

    private mutating func insert(_ number: UInt8) {
        if number < 64 { low |= 1 << number } else { high |= 1 << (number - 64) }
    }

    func contains(_ kind: TokenKind) -> Bool {
        kind.rawValue < 64 ? low >> kind.rawValue & 1 == 1 : high >> (kind.rawValue - 64) & 1 == 1
    }

    mutating func formUnion(_ other: TokenKinds) {
        low |= other.low
        high |= other.high
    }

    func isDisjoint(with other: TokenKinds) -> Bool { low & other.low == 0 && high & other.high == 0 }

    /// `'x'` or `{'x', IDENTIFIER}`.
    var description: String {
        let names = (0...TokenKind.serviceName.rawValue).compactMap(TokenKind.init(rawValue:))
            .filter { contains($0) }.map(\.name)
        return names.count == 1 ? names[0] : "{\(names.joined(separator: ", "))}"
    }
}
