// SPDX-License-Identifier: Apache-2.0

extension PatternParser {
    mutating func parseEscape() throws(Invalid) -> [PatternTree] {
        if accept("\\Q") { return try quotation() }
        let assertions: [(String, PatternAssertion)] = [
            ("\\A", .textStart), ("\\z", .textEnd), ("\\b", .wordBoundary), ("\\B", .noWordBoundary),
        ]
        for (text, assertion) in assertions where accept(text) { return [.assertion(assertion)] }
        if let item = try parseClassEscape() {
            return [.set(CharacterSet([item], ignoresCase: flags.ignoresCase))]
        }
        return [literal(try parseCharacterEscape())]
    }

    /// Everything up to `\E` or the end as it is.
    private mutating func quotation() throws(Invalid) -> [PatternTree] {
        var parts: [PatternTree] = []
        while let scalar = current, !starts(with: "\\E") {
            parts.append(literal(scalar.value))
            index += 1
        }
        _ = accept("\\E")
        // A repetition after it repeats what comes before, be it a repetition: the tree gets deeper, as by a group.
        if parts.isEmpty { try countGrouping() }
        return parts
    }

    /// `\d`, `\pL`, `\p{Greek}` and their like; nil if another escape is next.
    mutating func parseClassEscape() throws(Invalid) -> CharacterSet.Item? {
        guard current == "\\", index + 1 < source.count else { return nil }
        let letter = source[index + 1]
        switch letter {
        case "d", "s", "w": return named(letter, isInverted: false)
        case "D", "S", "W": return named(letter, isInverted: true)
        case "p", "P": return try property()
        default: return nil
        }
    }

    private mutating func named(_ letter: Unicode.Scalar, isInverted: Bool) -> CharacterSet.Item {
        index += 2
        let items: [CharacterSet.Item] =
            switch letter {
            case "d", "D": PatternParser.posix["digit"] ?? []
            case "w", "W": PatternParser.posix["word"] ?? []
            default: [0x09...0x0A, 0x0C...0x0D, 0x20...0x20].map(CharacterSet.Item.range)
            }
        return .inverted(isInverted ? items : [.inverted(items)])
    }

    private mutating func property() throws(Invalid) -> CharacterSet.Item {
        var isInverted = source[index + 1] == "P"
        index += 2
        guard let first = current else { throw Invalid() }
        index += 1
        var name = String(first)
        if first == "{" {
            guard let close = source[index...].firstIndex(of: "}") else { throw Invalid() }
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: source[index..<close])
            name = String(scalars)
            index = close + 1
        }
        if name.hasPrefix("^") {
            isInverted.toggle()
            name.removeFirst()
        }
        guard let item = UnicodeProperties.item(name) else { throw Invalid() }
        return isInverted ? .inverted([item]) : item
    }

    /// An escape that stands for one character.
    mutating func parseCharacterEscape() throws(Invalid) -> UInt32 {
        index += 1
        guard let scalar = current else { throw Invalid() }
        index += 1
        switch scalar {
        case "1"..."7":
            // A digit alone would refer to a group.
            guard let next = current, ("0"..."7").contains(next) else { throw Invalid() }
            return octal(scalar)
        case "0": return octal(scalar)
        case "x": return try hexadecimal()
        case "a": return 0x07
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "v": return 0x0B
        default:
            let isLetter = scalar.startsRuleWord && scalar != "_" && scalar != "$"
            guard scalar.isASCII, !isLetter, !scalar.isRuleDigit else { throw Invalid() }
            return scalar.value
        }
    }

    private mutating func octal(_ first: Unicode.Scalar) -> UInt32 {
        var value = first.value - 0x30
        for _ in 0..<2 {
            guard let digit = current, ("0"..."7").contains(digit) else { break }
            value = value * 8 + digit.value - 0x30
            index += 1
        }
        return value
    }

    private mutating func hexadecimal() throws(Invalid) -> UInt32 {
        var digits = ""
        if accept("{") {
            while let scalar = current, scalar != "}" {
                digits.unicodeScalars.append(scalar)
                index += 1
            }
            guard accept("}") else { throw Invalid() }
        } else {
            guard index + 2 <= source.count else { throw Invalid() }
            digits.unicodeScalars.append(contentsOf: source[index..<index + 2])
            index += 2
        }
        guard digits.unicodeScalars.allSatisfy(\.isRuleHexDigit), digits.utf8.count <= 8,
            let value = UInt32(digits, radix: 16), value <= 0x10FFFF
        else { throw Invalid() }
        return value
    }

    // MARK: Classes in brackets

    mutating func parseClass() throws(Invalid) -> CharacterSet {
        index += 1
        let isInverted = accept("^")
        var items: [CharacterSet.Item] = []
        var isFirst = true
        while let scalar = current, scalar != "]" || isFirst {
            isFirst = false
            if starts(with: "[:"), let item = try parsePOSIX() {
                items.append(item)
            } else if let item = try parseClassEscape() {
                items.append(item)
            } else {
                items.append(.range(try parseRange()))
            }
        }
        guard accept("]") else { throw Invalid() }
        return CharacterSet(items, isInverted: isInverted, ignoresCase: flags.ignoresCase)
    }

    /// `[:name:]` or `[:^name:]`; nil if the name is not closed.
    private mutating func parsePOSIX() throws(Invalid) -> CharacterSet.Item? {
        var end = index + 2
        while end + 1 < source.count, !(source[end] == ":" && source[end + 1] == "]") { end += 1 }
        guard end + 1 < source.count else { return nil }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: source[(index + 2)..<end])
        let name = String(scalars)
        let isInverted = name.hasPrefix("^")
        guard let items = PatternParser.posix[isInverted ? String(name.dropFirst()) : name] else { throw Invalid() }
        index = end + 2
        return .inverted(isInverted ? items : [.inverted(items)])
    }

    private mutating func parseRange() throws(Invalid) -> ClosedRange<UInt32> {
        let first = try classCharacter()
        guard current == "-", index + 1 < source.count, source[index + 1] != "]" else { return first...first }
        index += 1
        let last = try classCharacter()
        guard first <= last else { throw Invalid() }
        return first...last
    }

    private mutating func classCharacter() throws(Invalid) -> UInt32 {
        guard let scalar = current else { throw Invalid() }
        if scalar == "\\" { return try parseCharacterEscape() }
        index += 1
        return scalar.value
    }

    static let posix: [String: [CharacterSet.Item]] = [
        "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A], "alpha": [0x41...0x5A, 0x61...0x7A], "ascii": [0...0x7F],
        "blank": [0x09...0x09, 0x20...0x20], "cntrl": [0...0x1F, 0x7F...0x7F], "digit": [0x30...0x39],
        "graph": [0x21...0x7E], "lower": [0x61...0x7A], "print": [0x20...0x7E],
        "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E], "space": [0x09...0x0D, 0x20...0x20],
        "upper": [0x41...0x5A], "word": [0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F...0x5F],
        "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
    ].mapValues { (ranges: [ClosedRange<UInt32>]) in ranges.map(CharacterSet.Item.range) }
}
