// SPDX-License-Identifier: Apache-2.0

/// How the parser goes on after what does not fit.
extension RecoveringParser {
    func mismatch(_ doubt: (state: State, callers: [State])?) -> Failure {
        let place = doubt ?? (state, callers)
        let expected = expected(at: place.state, place.callers)
        return .report(at: index, "mismatched input \(display(index)) expecting \(expected.description)")
    }

    /// Skips one token if the next is expected.
    mutating func deleteOne() -> Bool {
        guard expected(at: state, callers).contains(kind(1)) else { return false }
        complain(unexpected(index), at: index)
        consume()
        succeed()
        return true
    }

    mutating func recoverInline(_ kinds: TokenKinds) throws(Failure) {
        if deleteOne() {
            consume()
            return
        }
        guard let next = automaton.transitions[state].first?.target, expected(at: next, callers).contains(kind()) else {
            throw mismatch(doubt)
        }
        guard !isRecovering else { return }
        isRecovering = true
        let missing = expected(at: state, callers)
        complain("missing \(missing.description) at \(display(index))", at: index)
    }

    /// Before a decision: whether the next token can come here.
    mutating func synchronize(_ decision: State, isLoop: Bool = false) throws(Failure) {
        state = decision
        guard !isRecovering else { return }
        let (kinds, canEnd) = automaton.expected[decision]
        if kinds.contains(kind()) {
            doubt = nil
            return
        }
        if canEnd {
            if doubt == nil { doubt = (decision, callers) }
            return
        }
        guard isLoop else {
            if deleteOne() { return }
            throw mismatch(nil)
        }
        complain(unexpected(index), at: index)
        var wanted = expected(at: decision, callers)
        wanted.formUnion(recoverySet)
        skip(until: wanted)
    }

    mutating func recover() {
        if let last = lastFailure, last.index == index, last.states.contains(state) { consume() }
        lastFailure = (index, (lastFailure?.states ?? []).union([state]))
        skip(until: recoverySet)
    }

    mutating func report(_ mistake: Grammar.Mistake) {
        switch mistake {
        case .text(let text):
            report(text, at: index)
        case .alias:
            guard kind() != .identifier || source.text(of: tokens[index]) != "as" else { return }
            report("Import statement with alias must use the format 'as <alias>'", at: index)
        case .typeName:
            let read = tokens[typeStart..<index].map { source.text(of: $0) }.joined()
            let word = read.isEmpty ? "<missing IDENTIFIER>" : read
            guard !RuleType.named.contains(where: { $0.rawValue == word }) else { return }
            report(RuleType.unsupported(word), at: index)
        }
    }
}
