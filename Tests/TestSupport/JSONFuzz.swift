// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Random JSON: trees, their text in random spelling, and damaged texts. Everything follows from the seed.
package struct JSONFuzz: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    package mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    package mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(below: choices.count)] }
}

// MARK: - Trees

extension JSONFuzz {
    package mutating func tree(depth: Int = 4) -> JSONNode {
        let kind = number(below: depth > 0 ? 8 : 5)
        let value: JSONValue =
            switch kind {
            case 0: .null
            case 1: .boolean(chance(50))
            case 2: .number(JSONNumber(text: numberText()))
            case 3, 4: .string(text())
            case 5: .array((0..<number(below: 5)).map { _ in tree(depth: depth - 1) })
            default:
                .object(
                    (0..<number(below: 5)).map { _ in
                        JSONMember(key: text(), node: tree(depth: depth - 1))
                    })
            }
        return JSONNode(value)
    }

    package mutating func text() -> String {
        let alphabet: [Unicode.Scalar] = [
            "a", "b", "Z", "0", "_", " ", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "é", "e", "\u{301}",
            "\u{2028}", "日", "\u{FFFF}", "😀", "\u{10FFFF}",
        ]
        var result = ""
        for _ in 0..<number(below: chance(10) ? 40 : 8) { result.unicodeScalars.append(pick(alphabet)) }
        return result
    }

    package mutating func numberText() -> String {
        switch number(below: 4) {
        case 0: return String(Int64.random(in: .min ... .max, using: &self))
        case 1: return String(number(below: 100) - 50)
        case 2: return pick(["-0", "0", "1e999", "1E-400", "0.1", "-1.5e+3", "123456789012345678901234567890"])
        default:
            let double = Double(bitPattern: next())
            return double.isFinite ? double.description : "0.5"
        }
    }
}

// MARK: - Spellings

extension JSONFuzz {
    /// JSON text of a tree with random white space and random escapes, not written by the code under test.
    package mutating func spell(_ node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let number): number.text
        case .string(let string): spell(string)
        case .array(let elements):
            "[" + elements.map { space() + spell($0) + space() }.joined(separator: ",")
                + (elements.isEmpty ? space() : "")
                + "]"
        case .object(let members):
            "{"
                + members.map { space() + spell($0.key) + space() + ":" + space() + spell($0.node) + space() }
                .joined(separator: ",") + "}"
        }
    }

    private mutating func space() -> String { chance(70) ? "" : pick([" ", "\n", "\t", "\r\n", "  "]) }

    private mutating func spell(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || chance(10) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: chance(50))
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

// MARK: - Damage

extension JSONFuzz {
    /// The text with one to four kinds of damage: bytes changed, cut, repeated or inserted, many of them JSON
    /// punctuation.
    package mutating func damage(_ source: [UInt8]) -> [UInt8] {
        var bytes = source
        for _ in 0...number(below: 4) {
            let at = number(below: bytes.count + 1)
            switch number(below: 6) {
            case 0: if at < bytes.count { bytes[at] = UInt8(truncatingIfNeeded: next()) }
            case 1: if at < bytes.count { bytes.remove(at: at) }
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + number(below: 10)))
            case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + number(below: 20))], at: at)
            case 4: bytes.insert(contentsOf: Array(pick(JSONFuzz.tokens).utf8), at: at)
            default: bytes.insert(pick(JSONFuzz.oddBytes), at: at)
            }
        }
        return bytes
    }

    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "//", "/*", "*/", "null", "true", "-", "0", "1e", ".", "\\u",
        "\\ud800",
        "\\udc00", "[[[[", "{\"a\":", "\u{FEFF}", "\n", "'", "`",
    ]

    private static let oddBytes: [UInt8] = [0x00, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xF5, 0xFF]

    /// The tree with one to three changes: members removed, renamed, repeated or moved, values replaced.
    package mutating func alter(_ node: JSONNode) -> JSONNode {
        (0...number(below: 3)).reduce(node) { changed, _ in alterOnce(changed) }
    }

    private mutating func alterOnce(_ node: JSONNode) -> JSONNode {
        if chance(15) { return chance(50) ? tree(depth: 2) : JSONNode(scalar()) }
        switch node.value {
        case .array(var elements) where !elements.isEmpty:
            let at = number(below: elements.count)
            switch number(below: 6) {
            case 0: elements.remove(at: at)
            case 1: elements.insert(elements[at], at: number(below: elements.count))
            case 2: elements.swapAt(at, number(below: elements.count))
            default: elements[at] = alterOnce(elements[at])
            }
            return JSONNode(.array(elements))
        case .object(var members) where !members.isEmpty:
            let at = number(below: members.count)
            switch number(below: 8) {
            case 0: members.remove(at: at)
            case 1: members.append(members[at])
            case 2: members[at].key = pick([members[at].key + "s", String(members[at].key.dropLast()), text()])
            case 3: members.swapAt(at, number(below: members.count))
            default: members[at].node = alterOnce(members[at].node)
            }
            return JSONNode(.object(members))
        default:
            return JSONNode(scalar())
        }
    }

    private mutating func scalar() -> JSONValue {
        switch number(below: 5) {
        case 0: .null
        case 1: .boolean(chance(50))
        case 2: .number(JSONNumber(text: numberText()))
        case 3: .string(text())
        default:
            .string(pick(["ASCENDING", "DESCENDING", "CONTAINS", "COLLECTION", "__name__", "*", "a", "a.b", "`x y`"]))
        }
    }
}
