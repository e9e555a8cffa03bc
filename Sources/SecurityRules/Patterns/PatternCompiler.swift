// SPDX-License-Identifier: Apache-2.0

/// A step of a compiled pattern.
enum PatternInstruction: Sendable {
    case set(CharacterSet)
    case assertion(PatternAssertion)
    /// Stores the position. A group has two places.
    case save(Int)
    case jump(Int)
    /// Tries the first, then the second.
    case split(Int, Int)
    case match
}

/// Turns a tree into steps. Counted repetitions are written out.
struct PatternCompiler {
    /// Larger patterns are refused. The official matcher does not answer for them at all.
    static let largestProgram = 20_000
    /// Nested repetitions of something without steps are work, too, and the program does not grow.
    private static let mostVisits = 10 * largestProgram

    private struct TooLarge: Error {}
    private var steps: [PatternInstruction] = []
    private var visits = 0

    /// Nil if the pattern is too large.
    static func compile(_ tree: PatternTree, groups: Int) -> [PatternInstruction]? {
        var compiler = PatternCompiler()
        do {
            try compiler.add(.capture(0, tree))
            try compiler.append(.match)
        } catch {
            return nil
        }
        return compiler.steps
    }

    private mutating func append(_ step: PatternInstruction) throws(TooLarge) {
        guard steps.count < PatternCompiler.largestProgram else { throw TooLarge() }
        steps.append(step)
    }

    private mutating func add(_ tree: PatternTree) throws(TooLarge) {
        visits += 1
        guard visits <= PatternCompiler.mostVisits else { throw TooLarge() }
        switch tree {
        case .empty: break
        case .set(let set): try append(.set(set))
        case .assertion(let assertion): try append(.assertion(assertion))
        case .capture(let number, let inner):
            try append(.save(number * 2))
            try add(inner)
            try append(.save(number * 2 + 1))
        case .concatenation(let parts): for part in parts { try add(part) }
        case .alternation(let branches): try addAlternation(branches)
        case .repetition(let inner, let minimum, let maximum, let isGreedy):
            for _ in 0..<minimum { try add(inner) }
            if let maximum {
                try addOptional(inner, maximum - minimum, isGreedy)
            } else {
                try addStar(inner, isGreedy)
            }
        }
    }

    private mutating func addAlternation(_ branches: [PatternTree]) throws(TooLarge) {
        var jumps: [Int] = []
        for (place, branch) in branches.enumerated() {
            guard place < branches.count - 1 else {
                try add(branch)
                break
            }
            let split = steps.count
            try append(.split(split + 1, 0))
            try add(branch)
            jumps.append(steps.count)
            try append(.jump(0))
            steps[split] = .split(split + 1, steps.count)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    private mutating func addOptional(_ inner: PatternTree, _ count: Int, _ isGreedy: Bool) throws(TooLarge) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(steps.count)
            try append(.split(0, 0))
            try add(inner)
        }
        for split in splits {
            steps[split] = isGreedy ? .split(split + 1, steps.count) : .split(steps.count, split + 1)
        }
    }

    private mutating func addStar(_ inner: PatternTree, _ isGreedy: Bool) throws(TooLarge) {
        let split = steps.count
        try append(.split(0, 0))
        try add(inner)
        try append(.jump(split))
        steps[split] = isGreedy ? .split(split + 1, steps.count) : .split(steps.count, split + 1)
    }
}
