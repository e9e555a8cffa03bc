// SPDX-License-Identifier: Apache-2.0

/// The grammar as states and transitions, one part for each rule, laid out as ANTLR lays out its automata: what its
/// parsers expect at a place, and how they recover there, depends on these states.
struct Automaton: Sendable {
    typealias State = Int

    enum Transition: Sendable {
        case free(State)
        case match(TokenKinds, State)
        case call(Grammar.Rule, follow: State, precedence: Int)

        var target: State {
            switch self {
            case .free(let state), .match(_, let state), .call(_, let state, _): state
            }
        }
    }

    /// What the parser does, in order.
    indirect enum Step: Sendable {
        case match(State, TokenKinds)
        case call(State, Grammar.Rule, precedence: Int)
        case report(Grammar.Mistake)
        case choice(Decision, [[Step]])
        case optional(Decision, [[Step]])
        case repeated(entry: Decision, back: State, body: Step)
        case repeatedOnce(start: Decision, back: Decision, body: Step)
        case operators(entry: Decision, back: State, choice: Decision, [(precedence: Int, steps: [Step])])
    }

    struct Decision: Sendable {
        let state: State
        /// What begins each alternative, if one token decides; the last may be what follows.
        var first: [TokenKinds]?
        /// What may come first in each alternative, where it is known.
        var lookahead: [TokenKinds]?
    }

    var transitions: [[Transition]] = []
    var steps: [[Step]] = []
    var starts: [State] = []
    var factoredStarts: [State] = []
    var stops: [State] = []
    /// The rule that ends at a state, else -1.
    var ruleOfStop: [Int] = []
    /// Where it is decided whether an operator follows.
    var operatorEntries: Set<State> = []
    /// The precedence of the operator that a state begins, else -1.
    var precedences: [Int] = []
    /// Where rules are called from: for each rule the states after its calls.
    var followers: [[State]] = []
    /// What can come at a state before its rule ends, and whether the rule can end there.
    var expected: [(kinds: TokenKinds, canEnd: Bool)] = []

    /// Where a call at a state returns to.
    func followState(of state: State) -> State { transitions[state].first?.target ?? state }

    static let shared = AutomatonBuilder.build()
}
