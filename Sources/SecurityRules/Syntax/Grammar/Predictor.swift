// SPDX-License-Identifier: Apache-2.0

/// Chooses among alternatives by looking ahead as far as it takes, as ANTLR's parsers do: first as if any rule could
/// have called this one, then, if that is ambiguous, with the callers there are. So the token at which no alternative
/// fits is the one that the official compiler reports.
struct Predictor {
    typealias State = Automaton.State

    enum Prediction {
        case alternative(Int)
        /// No alternative fits this token.
        case none(at: Int)
        /// The source takes too long to predict.
        case exhausted
    }

    /// A place where the parser could be after an alternative.
    struct Place {
        let state: State
        let alternative: Int
        let stack: Int
        /// Whether the rule of the decision was left.
        var isOutside: Bool
        /// Operators from this precedence upwards would have belonged to an expression that has ended here.
        var ceiling = Place.noCeiling

        static let noCeiling = 15

        func moved(to state: State, _ stack: Int? = nil) -> Place {
            Place(
                state: state, alternative: alternative, stack: stack ?? self.stack, isOutside: isOutside,
                ceiling: ceiling)
        }

        var key: UInt64 { UInt64(state) | UInt64(alternative) << 12 | UInt64(stack) << 20 | UInt64(ceiling) << 16 }
        var fullKey: UInt64 { key | (isOutside ? 1 << 63 : 0) }
    }

    /// Return addresses, each with the stack below it; 0 is empty.
    private struct Stacks {
        /// With the precedence that was asked of an expression.
        var entries: [(state: State, precedence: Int, below: Int)] = [(0, 0, 0)]
        var numbers: [UInt64: Int] = [:]

        mutating func push(_ state: State, _ precedence: Int, on below: Int) -> Int {
            let key = UInt64(state) | UInt64(below) << 16
            if let number = numbers[key] { return number }
            entries.append((state, precedence, below))
            numbers[key] = entries.count - 1
            return entries.count - 1
        }
    }

    private let automaton = Automaton.shared
    private var stacks = Stacks()
    private var memory = Memory()
    /// How many places may still be visited.
    private var budget: Int
    /// The farthest token that was looked at.
    private(set) var farthest = 0

    init(budget: Int) {
        self.budget = budget
    }

    /// - Parameter callers: the states after the calls that are open, the outermost first.
    mutating func predict(_ decision: State, _ kind: (Int) -> TokenKind, at start: Int, callers: [State]) -> Prediction
    {
        if memory.size > Predictor.largestMemory { (memory, stacks) = (Memory(), Stacks()) }
        var current = beginning(decision)
        var index = start
        while true {
            let token = kind(index)
            farthest = max(farthest, index)
            budget -= 1
            let next = step(current, over: token)
            guard budget > 0 else { return .exhausted }
            guard let next else { return finished(memory.points[current].places, at: index) }
            switch memory.points[next].outlook {
            case .open: break
            case .alternative(let number): return .alternative(number)
            case .ambiguous: return predict(decision, kind, at: start, knowing: callers)
            }
            current = next
            if token != .end { index += 1 }
        }
    }

    private mutating func predict(
        _ decision: State, _ kind: (Int) -> TokenKind, at start: Int, knowing callers: [State]
    ) -> Prediction {
        var stack = 0
        for caller in callers { stack = stacks.push(caller, 0, on: stack) }
        var places = close(alternatives(decision, stack), true)
        var index = start
        while true {
            let token = kind(index)
            farthest = max(farthest, index)
            let next = advance(places, over: token, true)
            guard budget > 0 else { return .exhausted }
            guard !next.isEmpty else { return finished(places, at: index) }
            places = next
            if let only = Predictor.onlyAlternative(places) ?? resolved(places) { return .alternative(only) }
            if token != .end { index += 1 }
        }
    }

    private func alternatives(_ decision: State, _ stack: Int) -> [Place] {
        automaton.transitions[decision].enumerated().map { number, transition in
            Place(state: transition.target, alternative: number + 1, stack: stack, isOutside: false)
        }
    }

    private func finished(_ places: [Place], at index: Int) -> Prediction {
        let finished = places.filter { $0.isOutside || ($0.stack == 0 && isStop($0.state)) }
        return finished.map(\.alternative).min().map { .alternative($0) } ?? .none(at: index)
    }

    // MARK: What was predicted before

    private static let largestMemory = 200_000

    private mutating func beginning(_ decision: State) -> Int {
        if let known = memory.beginnings[decision] { return known }
        var places = close(alternatives(decision, 0), false)
        if automaton.operatorEntries.contains(decision) {
            // What both going on and leaving lead to belongs to going on.
            let inside = Set(places.filter { $0.alternative == 1 }.map { [$0.state, $0.stack] })
            places.removeAll { $0.alternative == 2 && inside.contains([$0.state, $0.stack]) }
        }
        let number = memory.add(places, .open)
        memory.beginnings[decision] = number
        return number
    }

    /// Nil where nothing fits the token.
    private mutating func step(_ current: Int, over token: TokenKind) -> Int? {
        if let known = memory.points[current].next[token] { return known < 0 ? nil : known }
        let places = advance(memory.points[current].places, over: token, false)
        guard budget > 0 else { return nil }
        let next = places.isEmpty ? -1 : memory.add(places, outlook(places))
        memory.points[current].next[token] = next
        return next < 0 ? nil : next
    }

    private func outlook(_ places: [Place]) -> Memory.Outlook {
        if let only = Predictor.onlyAlternative(places) { return .alternative(only) }
        return isAmbiguous(places) ? .ambiguous : .open
    }

    func isStop(_ state: State) -> Bool { automaton.ruleOfStop[state] >= 0 }

    static func onlyAlternative(_ places: [Place]) -> Int? {
        guard let first = places.first?.alternative else { return nil }
        return places.allSatisfy { $0.alternative == first } ? first : nil
    }

    // MARK: Steps

    /// The places after a token.
    private mutating func advance(_ places: [Place], over token: TokenKind, _ knowsCallers: Bool) -> [Place] {
        var next: [Place] = []
        for place in places {
            for case .match(let kinds, let target) in automaton.transitions[place.state] where kinds.contains(token) {
                next.append(place.moved(to: target))
            }
        }
        budget -= places.count
        if token != .end, Predictor.onlyAlternative(next) != nil { return next }
        next = close(next, knowsCallers)
        if token == .end { next = next.filter { isStop($0.state) } }
        let ended = places.filter { isStop($0.state) }
        if (knowsCallers || token == .end), !ended.isEmpty, !(knowsCallers && next.contains { isStop($0.state) }) {
            next += ended
        }
        return next
    }

    /// All places that are reached without a token and wait for one.
    private mutating func close(_ places: [Place], _ knowsCallers: Bool) -> [Place] {
        var closed: [Place] = []
        var seen: Set<UInt64> = []
        var waiting: Set<UInt64> = []
        var open = Array(places.reversed())
        while var place = open.popLast() {
            guard seen.insert(place.key).inserted else { continue }
            budget -= 1
            guard budget > 0 else { return [] }
            let rule = automaton.ruleOfStop[place.state]
            if rule >= 0 {
                if !leave(rule, place, knowsCallers, &open) { closed.append(place) }
                continue
            }
            var waits = false
            for transition in automaton.transitions[place.state].reversed() {
                switch transition {
                case .free(let target): if admits(target, place) { open.append(place.moved(to: target)) }
                case .call(let rule, let follow, let precedence):
                    let stack = stacks.push(follow, precedence, on: place.stack)
                    open.append(place.moved(to: automaton.factoredStarts[rule.rawValue], stack))
                case .match: waits = true
                }
            }
            place.ceiling = Place.noCeiling
            if waits, waiting.insert(place.key).inserted { closed.append(place) }
        }
        return closed
    }

    /// Whether an operator that a state begins belongs to the expression: it binds tightly enough, and not so tightly
    /// that it belongs to an operand.
    private func admits(_ state: State, _ place: Place) -> Bool {
        let precedence = automaton.precedences[state]
        guard precedence >= 0 else { return true }
        return precedence >= stacks.entries[place.stack].precedence && precedence < place.ceiling
    }

    /// Goes on after a call. False if nothing is known to have called the rule.
    private func leave(_ rule: Int, _ place: Place, _ knowsCallers: Bool, _ open: inout [Place]) -> Bool {
        if place.stack != 0 {
            let (state, precedence, below) = stacks.entries[place.stack]
            var next = place.moved(to: state, below)
            if rule == Grammar.Rule.expression.rawValue { next.ceiling = min(place.ceiling, precedence) }
            open.append(next)
            return true
        }
        guard !knowsCallers, !automaton.followers[rule].isEmpty else { return false }
        for follower in automaton.followers[rule] {
            var next = place.moved(to: follower)
            next.isOutside = true
            open.append(next)
        }
        return true
    }
}
