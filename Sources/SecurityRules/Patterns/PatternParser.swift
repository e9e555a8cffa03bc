// SPDX-License-Identifier: Apache-2.0

/// Reads the dialect of RE2/J.
struct PatternParser {
    struct Invalid: Error {}

    struct Flags {
        var ignoresCase = false
        var isMultiline = false
        var dotMatchesNewline = false
        var isUngreedy = false
    }

    static let deepestNesting = 20
    /// Those that only set flags count, too.
    static let mostGroupings = 100
    static let largestRepetition = 1000

    let source: [Unicode.Scalar]
    var index = 0
    var flags = Flags()
    private(set) var groupCount = 0
    private(set) var names: [String: Int] = [:]
    private var nesting = 0
    private var groupings = 0

    init(_ source: String) {
        self.source = Array(source.unicodeScalars)
    }

    mutating func parse() throws(Invalid) -> PatternTree {
        let tree = try parseAlternation()
        guard index == source.count else { throw Invalid() }
        return tree
    }

    var current: Unicode.Scalar? { index < source.count ? source[index] : nil }

    func starts(with text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return source[index...].starts(with: scalars)
    }

    mutating func accept(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    mutating func countGrouping() throws(Invalid) {
        groupings += 1
        guard groupings <= PatternParser.mostGroupings else { throw Invalid() }
    }

    private mutating func parseAlternation() throws(Invalid) -> PatternTree {
        var branches = [try parseConcatenation()]
        while accept("|") { branches.append(try parseConcatenation()) }
        return branches.count == 1 ? branches[0] : .alternation(branches)
    }

    private mutating func parseConcatenation() throws(Invalid) -> PatternTree {
        var parts: [PatternTree] = []
        // A repetition of a repetition is an error, not a double repetition.
        var lastIsRepetition = false
        while let scalar = current, scalar != "|", scalar != ")" {
            if let bounds = try parseRepetition() {
                guard !lastIsRepetition, let last = parts.popLast() else { throw Invalid() }
                let isLazy = accept("?")
                parts.append(
                    .repetition(
                        last, minimum: bounds.minimum, maximum: bounds.maximum,
                        isGreedy: isLazy == flags.isUngreedy))
                lastIsRepetition = true
            } else {
                // After flags, a repetition repeats what stands before them, be it a repetition.
                parts.append(contentsOf: try parseAtom() ?? [])
                lastIsRepetition = false
            }
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .concatenation(parts)
    }

    /// `*`, `+`, `?` or `{n,m}`; nil if none of them is next. A brace that begins no repetition is a letter.
    private mutating func parseRepetition() throws(Invalid) -> (minimum: Int, maximum: Int?)? {
        if accept("*") { return (0, nil) }
        if accept("+") { return (1, nil) }
        if accept("?") { return (0, 1) }
        guard current == "{" else { return nil }
        let start = index
        index += 1
        guard let minimum = number() else {
            index = start
            return nil
        }
        var maximum: Int? = minimum
        if accept(",") { maximum = current == "}" ? nil : number() ?? -1 }
        guard accept("}"), maximum != -1 else {
            index = start
            return nil
        }
        guard minimum <= PatternParser.largestRepetition, maximum ?? 0 <= PatternParser.largestRepetition,
            maximum.map({ $0 >= minimum }) ?? true
        else { throw Invalid() }
        return (minimum, maximum)
    }

    private mutating func number() -> Int? {
        let start = index
        while let scalar = current, scalar.isRuleDigit { index += 1 }
        guard index > start else { return nil }
        if index - start > 1, source[start] == "0" { return nil }
        return index - start > 8 ? 100_000_000 : source[start..<index].reduce(0) { $0 * 10 + Int($1.value - 0x30) }
    }

    /// One or, of a quotation, several parts. Nil for what sets flags only.
    private mutating func parseAtom() throws(Invalid) -> [PatternTree]? {
        guard let scalar = current else { throw Invalid() }
        switch scalar {
        case "(": return try parseGroup().map { [$0] }
        case "[": return [.set(try parseClass())]
        case "\\": return try parseEscape()
        default:
            index += 1
        }
        switch scalar {
        case ".": return [.set(anyCharacter)]
        case "^": return [.assertion(flags.isMultiline ? .lineStart : .textStart)]
        case "$": return [.assertion(flags.isMultiline ? .lineEnd : .textEnd)]
        default: return [literal(scalar.value)]
        }
    }

    private var anyCharacter: CharacterSet {
        flags.dotMatchesNewline
            ? CharacterSet([.range(0...0x10FFFF)])
            : CharacterSet([.range(0x0A...0x0A)], isInverted: true)
    }

    func literal(_ scalar: UInt32) -> PatternTree {
        .set(.character(scalar, ignoresCase: flags.ignoresCase))
    }

    private mutating func parseGroup() throws(Invalid) -> PatternTree? {
        index += 1
        try countGrouping()
        let outer = flags
        var number: Int?
        if accept("?") {
            if accept("P<") || accept("<") {
                number = try nameGroup()
            } else if try parseFlags() {
                return nil
            }
        } else {
            groupCount += 1
            number = groupCount
        }
        nesting += 1
        guard nesting <= PatternParser.deepestNesting else { throw Invalid() }
        let inner = try parseAlternation()
        nesting -= 1
        guard accept(")") else { throw Invalid() }
        flags = outer
        return number.map { .capture($0, inner) } ?? inner
    }

    private mutating func nameGroup() throws(Invalid) -> Int {
        var name = ""
        while let scalar = current, scalar != ">" {
            guard scalar.isRuleDigit || (scalar.startsRuleWord && scalar != "$") else { throw Invalid() }
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard accept(">"), !name.isEmpty, names[name] == nil else { throw Invalid() }
        groupCount += 1
        names[name] = groupCount
        return groupCount
    }

    /// The flags after `(?`. True if they end with `)` and hold for the rest of the group around.
    private mutating func parseFlags() throws(Invalid) -> Bool {
        var isOn = true
        var hasFlag = false
        while let scalar = current {
            index += 1
            switch scalar {
            case "i": flags.ignoresCase = isOn
            case "m": flags.isMultiline = isOn
            case "s": flags.dotMatchesNewline = isOn
            case "U": flags.isUngreedy = isOn
            case "-" where isOn:
                isOn = false
                hasFlag = false
                continue
            case ":", ")":
                guard isOn || hasFlag else { throw Invalid() }
                return scalar == ")"
            default: throw Invalid()
            }
            hasFlag = true
        }
        throw Invalid()
    }
}
