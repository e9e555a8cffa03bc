// SPDX-License-Identifier: Apache-2.0

/// Pike's machine: all ways through the pattern go forward together, a character at a time. A step is entered at most
/// once for each position, so that the time is bounded by the text's length times the program's. That may still be long:
/// whoever matches says how many steps it may take, about.
struct PatternMachine: Sendable {
    let program: [PatternInstruction]
    let groupCount: Int

    init(program: [PatternInstruction], groupCount: Int) {
        self.program = program
        self.groupCount = groupCount
    }

    /// A way through the pattern: the step that is next and the positions of groups, if they are wanted.
    private struct Thread {
        let step: Int
        let groups: [Int]
    }

    func matches(_ text: [UInt16], _ steps: inout Int) -> Bool {
        run(text, from: 0, isWhole: true, groups: [], &steps) != nil
    }

    /// The first match at or after a position, with the starts and ends of its groups; -1 for those without one.
    func find(_ text: [UInt16], from start: Int, _ steps: inout Int) -> [Int]? {
        run(text, from: start, isWhole: false, groups: Array(repeating: -1, count: groupCount * 2 + 2), &steps)
    }

    /// What a character takes besides the steps at it.
    private static let stepsOfCharacter = 3

    /// Nil, too, once there are no steps left.
    private func run(
        _ text: [UInt16], from start: Int, isWhole: Bool, groups: [Int], _ steps: inout Int
    ) -> [Int]? {
        // For each step the last position at which it was entered.
        var entered = Array(repeating: -1, count: program.count)
        steps -= program.count / 64
        // In the order of preference.
        var threads: [Thread] = []
        var found: [Int]?
        var position = start
        var before = PatternMachine.scalar(text, before: start)
        while true {
            let (after, length) = PatternMachine.scalar(text, at: position)
            if found == nil, !isWhole || position == start { threads.append(Thread(step: 0, groups: groups)) }
            if threads.isEmpty { return found }
            steps -= PatternMachine.stepsOfCharacter
            guard steps >= 0 else { return nil }
            var next: [Thread] = []
            expanding: for thread in expanded(threads, position, before, after, &entered, &steps) {
                if case .set(let set) = program[thread.step] {
                    guard let after, set.contains(after) else { continue }
                    next.append(Thread(step: thread.step + 1, groups: thread.groups))
                } else if !isWhole || after == nil {
                    found = thread.groups
                    // Ways of lower preference no longer matter.
                    break expanding
                }
            }
            guard after != nil else { return found }
            threads = next
            before = after
            position += length
        }
    }

    /// The threads that wait for a character or have matched, after all steps that need none.
    private func expanded(
        _ threads: [Thread], _ position: Int, _ before: UInt32?, _ after: UInt32?, _ entered: inout [Int],
        _ steps: inout Int
    ) -> [Thread] {
        var expanded: [Thread] = []
        var open = Array(threads.reversed())
        while let thread = open.popLast() {
            steps -= 1
            guard entered[thread.step] != position else { continue }
            entered[thread.step] = position
            switch program[thread.step] {
            case .set, .match: expanded.append(thread)
            case .jump(let target): open.append(Thread(step: target, groups: thread.groups))
            case .split(let first, let second):
                open.append(Thread(step: second, groups: thread.groups))
                open.append(Thread(step: first, groups: thread.groups))
            case .assertion(let assertion):
                guard assertion.holds(before, after) else { continue }
                open.append(Thread(step: thread.step + 1, groups: thread.groups))
            case .save(let place):
                // The places of many groups are long to copy.
                var groups = thread.groups
                steps -= groups.count / 16
                if !groups.isEmpty { groups[place] = position }
                open.append(Thread(step: thread.step + 1, groups: groups))
            }
        }
        return expanded
    }

    // MARK: UTF-16

    private static func scalar(_ text: [UInt16], at position: Int) -> (scalar: UInt32?, length: Int) {
        guard position < text.count else { return (nil, 0) }
        let unit = UInt32(text[position])
        guard (0xD800..<0xDC00).contains(unit), position + 1 < text.count,
            (0xDC00..<0xE000).contains(text[position + 1])
        else { return (unit, 1) }
        return (0x10000 + ((unit - 0xD800) << 10) + (UInt32(text[position + 1]) - 0xDC00), 2)
    }

    private static func scalar(_ text: [UInt16], before position: Int) -> UInt32? {
        guard position > 0 else { return nil }
        if position > 1, (0xDC00..<0xE000).contains(text[position - 1]),
            (0xD800..<0xDC00).contains(text[position - 2])
        {
            return scalar(text, at: position - 2).scalar
        }
        return UInt32(text[position - 1])
    }
}
