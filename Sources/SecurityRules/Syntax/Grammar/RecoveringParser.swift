// SPDX-License-Identifier: Apache-2.0

/// Reads a wrong source to its end and says all that the official compiler says of it. The strategy is ANTLR's: a
/// token too many is skipped, a missing one is assumed, else the rule is given up and its callers' next tokens are
/// looked for.
struct RecoveringParser {
    typealias State = Automaton.State
    typealias Step = Automaton.Step

    /// Why a rule is given up.
    enum Failure: Error {
        /// A token that does not fit, in the words of the message.
        case report(at: Int, String)
        case exhausted
    }

    let automaton = Automaton.shared
    let tokens: [Token]
    let source: RuleSource
    var predictor = Predictor(budget: 4_000_000)
    var index = 0
    var hasComplained = false
    /// The state after each open call.
    var callers: [State] = []
    var state = 0
    var isRecovering = false
    var lastFailure: (index: Int, states: Set<State>)?
    /// Where the parser last went on although the next token did not fit: it is reported from there.
    var doubt: (state: State, callers: [State])?
    /// The first token after the last `is`.
    var typeStart = 0
    var issues: [RuleIssue] = []
    /// What the lexer refused.
    var lexerIssues: [(token: Int, issue: RuleIssue)]

    init(_ lexer: Lexer) {
        tokens = lexer.tokens
        source = lexer.source
        lexerIssues = lexer.issues
    }

    static func issues(_ lexer: Lexer) -> [RuleIssue] {
        var parser = RecoveringParser(lexer)
        // A source that takes too long to read is known by its errors up to there.
        try? parser.parse(.ruleset, precedence: 0)
        return parser.issues + parser.lexerIssues.map(\.issue)
    }

    // MARK: Tokens

    func kind(_ distance: Int = 0) -> TokenKind {
        tokens[min(index + distance, tokens.count - 1)].kind
    }

    mutating func consume() {
        if tokens[index].kind != .end { index += 1 }
    }

    mutating func match(_ kinds: TokenKinds) throws(Failure) {
        if kinds.contains(kind()) {
            succeed()
            consume()
        } else {
            try recoverInline(kinds)
        }
    }

    mutating func succeed() {
        isRecovering = false
        lastFailure = nil
    }

    // MARK: Messages

    mutating func report(_ text: String, at place: Int) {
        issues.append(.error(tokens[place].position, text))
    }

    /// A report of the strategy. The official compiler parses in two passes: the first ends here and takes with it what
    /// the lexer has said so far.
    mutating func complain(_ text: String, at place: Int) {
        if !hasComplained {
            hasComplained = true
            let farthest = max(place, predictor.farthest)
            lexerIssues.removeAll { $0.token <= farthest }
        }
        report(text, at: place)
    }

    func display(_ place: Int) -> String {
        "'\(tokens[place].kind == .end ? "<EOF>" : Lexer.display(source.text(of: tokens[place])))'"
    }

    func unexpected(_ place: Int) -> String { "Unexpected \(display(place))." }

    // MARK: What is expected

    func expected(at state: State, _ callers: [State]) -> TokenKinds {
        var (kinds, canEnd) = automaton.expected[state]
        var open = callers
        while canEnd, let caller = open.popLast() {
            kinds.formUnion(automaton.expected[caller].kinds)
            canEnd = automaton.expected[caller].canEnd
        }
        return kinds
    }

    /// What any of the open rules could go on with.
    var recoverySet: TokenKinds {
        var kinds = TokenKinds()
        for caller in callers { kinds.formUnion(automaton.expected[caller].kinds) }
        return kinds
    }

    mutating func skip(until kinds: TokenKinds) {
        while kind() != .end, !kinds.contains(kind()) { consume() }
    }

    // MARK: Rules

    /// Deeper sources end the search: the parser calls itself for each level.
    static let deepestNesting = 2_000

    mutating func parse(_ rule: Grammar.Rule, precedence: Int) throws(Failure) {
        guard callers.count < RecoveringParser.deepestNesting else { throw .exhausted }
        do {
            try run(automaton.steps[rule.rawValue], precedence)
        } catch {
            guard case .report(let place, let text) = error else { throw error }
            if !isRecovering {
                isRecovering = true
                complain(text, at: place)
            }
            recover()
        }
    }

    mutating func run(_ steps: [Step], _ precedence: Int) throws(Failure) {
        for step in steps { try run(step, precedence) }
    }

    mutating func run(_ step: Step, _ precedence: Int) throws(Failure) {
        switch step {
        case .match(let state, let kinds):
            self.state = state
            try match(kinds)
        case .call(let state, let rule, let precedence):
            self.state = state
            if rule == .typeID { typeStart = index }
            callers.append(automaton.followState(of: state))
            try parse(rule, precedence: precedence)
            callers.removeLast()
            self.state = state
        case .report(let mistake): report(mistake)
        case .choice(let decision, let alternatives):
            guard alternatives.count > 1 else { return try run(alternatives[0], precedence) }
            try synchronize(decision.state)
            guard let chosen = try choose(decision) else { throw .report(at: index, unexpected(index)) }
            try run(alternatives[chosen], precedence)
        case .optional(let decision, let alternatives):
            try synchronize(decision.state)
            guard let chosen = try choose(decision), chosen < alternatives.count else { return }
            try run(alternatives[chosen], precedence)
        case .repeated(let entry, let back, let body):
            try synchronize(entry.state)
            while try choose(entry) == 0 {
                try run(body, precedence)
                try synchronize(back, isLoop: true)
            }
        case .repeatedOnce(let start, let back, let body):
            try synchronize(start.state)
            repeat {
                try run(body, precedence)
                try synchronize(back.state, isLoop: true)
            } while try choose(back) == 0
        case .operators(let entry, let back, let choice, let operators):
            try synchronize(entry.state)
            while try continues(entry, operators, precedence) {
                try synchronize(choice.state)
                guard let chosen = try choose(choice) else { throw .report(at: index, unexpected(index)) }
                try run(operators[chosen].steps, precedence)
                try synchronize(back, isLoop: true)
            }
        }
    }

    /// The number of the alternative; nil if none begins with the token and one token decides.
    mutating func choose(_ decision: Automaton.Decision) throws(Failure) -> Int? {
        if let first = decision.first {
            let token = kind()
            return first.firstIndex { $0.contains(token) }
        }
        if let lookahead = decision.lookahead {
            let token = kind()
            let fitting = lookahead.indices.filter { lookahead[$0].contains(token) }
            if fitting.count == 1 { return fitting[0] }
        }
        let tokens = tokens
        let last = tokens.count - 1
        switch predictor.predict(decision.state, { tokens[min($0, last)].kind }, at: index, callers: callers) {
        case .alternative(let number): return number - 1
        case .none(let place):
            let place = min(place, last)
            throw .report(at: place, unexpected(place))
        case .exhausted: throw .exhausted
        }
    }

    /// Whether an operator follows that binds tightly enough.
    mutating func continues(
        _ entry: Automaton.Decision, _ operators: [(precedence: Int, steps: [Step])], _ precedence: Int
    ) throws(Failure) -> Bool {
        let token = kind()
        let fits = operators.contains { candidate in
            guard candidate.precedence >= precedence, case .match(_, let kinds)? = candidate.steps.first else {
                return false
            }
            return kinds.contains(token)
        }
        // Only a slash can also begin what comes after an expression.
        return fits && token == .slash ? try choose(entry) == 0 : fits
    }
}
