// SPDX-License-Identifier: Apache-2.0

/// A parsed regular expression.
indirect enum PatternTree {
    case empty
    case set(CharacterSet)
    case assertion(PatternAssertion)
    case capture(Int, PatternTree)
    case concatenation([PatternTree])
    case alternation([PatternTree])
    /// No maximum means any number.
    case repetition(PatternTree, minimum: Int, maximum: Int?, isGreedy: Bool)
}

enum PatternAssertion: Sendable {
    case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary

    /// Whether it holds between two scalars, nil at the ends of the text.
    func holds(_ before: UInt32?, _ after: UInt32?) -> Bool {
        switch self {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .lineStart: before == nil || before == 0x0A
        case .lineEnd: after == nil || after == 0x0A
        case .wordBoundary: PatternAssertion.isWord(before) != PatternAssertion.isWord(after)
        case .noWordBoundary: PatternAssertion.isWord(before) == PatternAssertion.isWord(after)
        }
    }

    private static func isWord(_ scalar: UInt32?) -> Bool {
        guard let scalar else { return false }
        return (0x30...0x39).contains(scalar) || (0x41...0x5A).contains(scalar) || (0x61...0x7A).contains(scalar)
            || scalar == 0x5F
    }
}
