// SPDX-License-Identifier: Apache-2.0

/// Builds the automaton of the grammar.
struct AutomatonBuilder {
    private typealias State = Automaton.State
    private typealias Step = Automaton.Step
    private typealias Decision = Automaton.Decision

    private var automaton = Automaton()

    static func build() -> Automaton {
        var builder = AutomatonBuilder()
        for _ in Grammar.Rule.allCases {
            builder.automaton.starts.append(builder.state())
            builder.automaton.stops.append(builder.state())
            builder.automaton.followers.append([])
        }
        for rule in Grammar.Rule.allCases {
            builder.automaton.ruleOfStop[builder.automaton.stops[rule.rawValue]] = rule.rawValue
        }
        for rule in Grammar.Rule.allCases { builder.build(rule) }
        builder.automaton.factoredStarts = Grammar.Rule.allCases.map { builder.buildFactored($0) }
        builder.expect()
        for rule in Grammar.Rule.allCases {
            builder.automaton.steps[rule.rawValue] = builder.automaton.steps[rule.rawValue].map { builder.decided($0) }
        }
        return builder.automaton
    }

    private mutating func state() -> State {
        automaton.transitions.append([])
        automaton.ruleOfStop.append(-1)
        automaton.precedences.append(-1)
        return automaton.transitions.count - 1
    }

    private mutating func free(_ from: State, _ to: State) { automaton.transitions[from].append(.free(to)) }

    private mutating func build(_ rule: Grammar.Rule) {
        let (start, stop) = (automaton.starts[rule.rawValue], automaton.stops[rule.rawValue])
        let alternatives = Grammar.alternatives(rule)
        let end = state()
        free(end, stop)
        if alternatives.count == 1 {
            automaton.steps.append(sequence(alternatives[0], from: start, to: end))
        } else {
            let choice = block(alternatives, from: start, to: end)
            automaton.steps.append([.choice(choice.decision, choice.steps)])
        }
    }

    /// Where looking ahead through a rule begins.
    private mutating func buildFactored(_ rule: Grammar.Rule) -> State {
        guard let elements = Grammar.factored(rule) else { return automaton.starts[rule.rawValue] }
        let start = state()
        _ = sequence(elements, from: start, to: automaton.stops[rule.rawValue])
        return start
    }

    /// Lays elements between two states.
    private mutating func sequence(_ elements: [Grammar.Element], from: State, to: State) -> [Step] {
        var steps: [Step] = []
        var current = from
        for element in elements {
            let start = state()
            free(current, start)
            let end = state()
            steps.append(lay(element, start, end))
            current = end
        }
        free(current, to)
        return steps
    }

    /// Alternatives between two states. The decision is taken at a state of its own.
    private mutating func block(
        _ alternatives: [[Grammar.Element]], from: State, to: State
    ) -> (decision: Decision, steps: [[Step]]) {
        let decision = state()
        free(from, decision)
        let steps = alternatives.map { alternative in
            let start = state()
            free(decision, start)
            return sequence(alternative, from: start, to: to)
        }
        return (Decision(state: decision), steps)
    }

    private mutating func lay(_ element: Grammar.Element, _ start: State, _ end: State) -> Step {
        switch element {
        case .token(let kind): return match([kind], start, end)
        case .oneOf(let kinds): return match(kinds, start, end)
        case .rule(let rule, let precedence):
            automaton.transitions[start].append(.call(rule, follow: end, precedence: precedence))
            automaton.followers[rule.rawValue].append(end)
            return .call(start, rule, precedence: precedence)
        case .mistake(let mistake):
            free(start, end)
            return .report(mistake)
        case .choice(let alternatives):
            let block = block(alternatives, from: start, to: end)
            return .choice(block.decision, block.steps)
        case .optional(let alternatives):
            let block = block(alternatives, from: start, to: end)
            free(block.decision.state, end)
            return .optional(block.decision, block.steps)
        case .repeated(let body):
            let (entry, back, blockEnd) = (state(), state(), state())
            free(start, entry)
            let block = block(body, from: entry, to: blockEnd)
            free(entry, end)
            free(blockEnd, back)
            free(back, entry)
            return .repeated(
                entry: Decision(state: entry), back: back, body: .choice(block.decision, block.steps))
        case .repeatedOnce(let body):
            let (blockEnd, back) = (state(), state())
            let block = block(body, from: start, to: blockEnd)
            free(blockEnd, back)
            free(back, block.decision.state)
            free(back, end)
            return .repeatedOnce(
                start: block.decision, back: Decision(state: back), body: .choice(block.decision, block.steps))
        case .operators(let operators):
            let (entry, back, blockEnd) = (state(), state(), state())
            automaton.operatorEntries.insert(entry)
            free(start, entry)
            let block = block(operators.map(\.elements), from: entry, to: blockEnd)
            for (transition, each) in zip(automaton.transitions[block.decision.state], operators) {
                automaton.precedences[transition.target] = each.precedence
            }
            free(entry, end)
            free(blockEnd, back)
            free(back, entry)
            return .operators(
                entry: Decision(state: entry), back: back, choice: block.decision,
                zip(operators, block.steps).map { ($0.precedence, $1) })
        }
    }

    private mutating func match(_ kinds: [TokenKind], _ start: State, _ end: State) -> Step {
        automaton.transitions[start].append(.match(TokenKinds(kinds), end))
        return .match(start, TokenKinds(kinds))
    }

    // MARK: What is expected

    /// Repeats until nothing changes: sets only grow.
    private mutating func expect() {
        automaton.expected = automaton.transitions.map { _ in (TokenKinds(), false) }
        for stop in automaton.stops { automaton.expected[stop].canEnd = true }
        var changes = true
        while changes {
            changes = false
            for state in automaton.transitions.indices.reversed() {
                var (kinds, canEnd) = automaton.expected[state]
                for transition in automaton.transitions[state] {
                    switch transition {
                    case .free(let target):
                        kinds.formUnion(automaton.expected[target].kinds)
                        canEnd = canEnd || automaton.expected[target].canEnd
                    case .match(let matched, _): kinds.formUnion(matched)
                    case .call(let rule, _, _):
                        // No rule matches nothing.
                        kinds.formUnion(automaton.expected[automaton.starts[rule.rawValue]].kinds)
                    }
                }
                if kinds != automaton.expected[state].kinds || canEnd != automaton.expected[state].canEnd {
                    automaton.expected[state] = (kinds, canEnd)
                    changes = true
                }
            }
        }
    }

    /// What can come at a state in any context; nil if an operator's precedence has a say.
    private func lookahead(_ state: State) -> TokenKinds? {
        var kinds = TokenKinds()
        var seen: Set<State> = []
        var open = [state]
        while let state = open.popLast() {
            guard seen.insert(state).inserted else { continue }
            if automaton.operatorEntries.contains(state) { return nil }
            if automaton.ruleOfStop[state] >= 0 { open += automaton.followers[automaton.ruleOfStop[state]] }
            for transition in automaton.transitions[state] {
                switch transition {
                case .free(let target): open.append(target)
                case .match(let matched, _): kinds.formUnion(matched)
                case .call(let rule, _, _): open.append(automaton.starts[rule.rawValue])
                }
            }
        }
        return kinds
    }

    /// A decision that one token decides has disjoint alternatives.
    private func decided(_ decision: Decision) -> Decision {
        var decided = decision
        var first: [TokenKinds] = []
        for transition in automaton.transitions[decision.state] {
            guard let kinds = lookahead(transition.target) else { return decision }
            first.append(kinds)
        }
        decided.lookahead = first
        let areDisjoint = first.indices.allSatisfy { place in
            first[..<place].allSatisfy { $0.isDisjoint(with: first[place]) }
        }
        if areDisjoint { decided.first = first }
        return decided
    }

    private func decided(_ steps: [Step]) -> [Step] { steps.map(decided) }

    private func decided(_ step: Step) -> Step {
        switch step {
        case .match, .call, .report: step
        case .choice(let decision, let alternatives): .choice(decided(decision), alternatives.map { decided($0) })
        case .optional(let decision, let alternatives): .optional(decided(decision), alternatives.map { decided($0) })
        case .repeated(let entry, let back, let body):
            .repeated(entry: decided(entry), back: back, body: decided(body))
        case .repeatedOnce(let start, let back, let body):
            .repeatedOnce(start: start, back: decided(back), body: decided(body))
        case .operators(let entry, let back, let choice, let operators):
            .operators(
                entry: entry, back: back, choice: decided(choice), operators.map { ($0.precedence, decided($0.steps)) })
        }
    }
}
