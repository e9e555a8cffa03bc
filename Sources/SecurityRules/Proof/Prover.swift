// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// Looks for a request that rules allow although a claim says that they do not.
package struct Prover {
    /// A request that contradicts a claim.
    package struct Counterexample: Sendable {
        package let method: RequestMethod
        package let document: ResourcePath
        /// The line of the statement that allows it.
        package let line: Int
        /// The request as a case of `hearth rules test`.
        package let testCase: JSONNode
    }

    /// How far the search went.
    package struct Bound: Sendable {
        package var statements = 0
        package var requests = 0
    }

    private let rules: RuleSet
    private let outline: RulesOutline
    private let literals: [Text]
    private let collections: [Text]
    private let time: Timestamp

    /// Nil if the source does not compile.
    package init?(_ source: String, time: Timestamp) {
        guard let read = RuleSet.read(source) else { return nil }
        rules = read.rules
        outline = RulesOutline(read.tree)
        literals = outline.literals
        collections = outline.collections
        // The emulator's clock has milliseconds.
        self.time = time.inWholeMilliseconds
    }

    /// How many requests are tried for each statement and each way of fulfilling its condition.
    private static let attempts = 48
    private static let mostRequests = 60_000
    /// How many requests may use up what an evaluation may make or walk over, which takes long, before the search ends.
    private static let mostExhausted = 8

    /// The first counterexample that is found, and how far the search went. The same search always finds the same.
    package func search(_ claim: Claim) -> (found: Counterexample?, bound: Bound) {
        var bound = Bound()
        guard let tree = Parser.parse(claim.source).tree else { return (nil, bound) }
        let claimed = RulesOutline(tree)
        guard let statement = claimed.statements.first else { return (nil, bound) }
        let attack = Attack(prover: self, claim: claim, statement: statement, conditions: claimed.conditions)
        var paths = ProofRandom(1)
        var exhausted = 0
        for own in outline.statements(allowing: claim.methods) {
            let isPossible =
                ProofPaths.common(own, statement, ids: [], collections: [], &paths) != nil
            guard isPossible else { continue }
            bound.statements += 1
            let ways = own.condition.map { outline.conditions.alternatives($0) ?? [[$0]] } ?? [[]]
            for (number, terms) in ways.enumerated() {
                let methods = RequestMethod.allCases.filter {
                    own.methods.contains(MethodSet($0)) && claim.methods.contains(MethodSet($0))
                }
                for attempt in 0..<Prover.attempts * methods.count
                where bound.requests < Prover.mostRequests && exhausted < Prover.mostExhausted {
                    let seed = UInt64(own.number * 1_000_003 + number * 10_007 + attempt)
                    bound.requests += 1
                    let method = methods[attempt % methods.count]
                    guard let model = attack.model(own, terms, method, seed), let decision = attack.decision(model)
                    else { continue }
                    if decision.tookLong { exhausted += 1 }
                    guard attack.isRefuted(by: model, decision) else { continue }
                    let smallest = attack.smallest(model)
                    let found = Counterexample(
                        method: method, document: smallest.document,
                        line: line(allowing: smallest) ?? own.position.line,
                        testCase: smallest.testCase("counterexample"))
                    return (found, bound)
                }
            }
        }
        return (nil, bound)
    }

    /// The line of the statement that allows a request, which may be another one than the request was made for.
    private func line(allowing model: ProofModel) -> Int? {
        let position = model.positionAllowing(by: rules)
        return outline.statements.first { $0.allow.position == position }?.position.line
    }

    /// The search for requests against one claim.
    private struct Attack {
        let prover: Prover
        let claim: Claim
        let statement: OutlinedStatement
        let conditions: ConditionReader

        /// What the rules decide; nil if the claim does not speak of the request.
        func decision(_ model: ProofModel) -> Decision? {
            // A condition about a capture may have made it a path of others.
            ProofPaths.fits(model.path, statement) ? model.decision(of: prover.rules) : nil
        }

        /// Whether the claim refuses what the rules allow, also when the request is made again: the times that are stored and those of
        /// the request differ then.
        func isRefuted(by model: ProofModel, _ decision: Decision) -> Bool {
            guard decision.isAllowed, !model.isAllowed(by: claim.rules) else { return false }
            let later = model.later
            return later.isAllowed(by: prover.rules) && !later.isAllowed(by: claim.rules)
        }

        /// A request that the claim probably refuses and the statement probably allows.
        func model(_ own: OutlinedStatement, _ terms: [Site], _ method: RequestMethod, _ seed: UInt64) -> ProofModel? {
            var generator = ProofRandom(seed)
            for _ in 0..<4 { _ = generator.next() }
            let literals = prover.literals
            let ids: [Text] = ["alice", "bob", "other"] + literals.prefix(8)
            guard
                let path = ProofPaths.common(
                    own, statement, ids: ids, collections: prover.collections, &generator)
            else { return nil }
            var model = ProofModel(method: method, path: path, time: prover.time)
            model.uid = [nil, "alice", "alice", "bob"][generator.next(below: 4)]
            if method == .get || method == .list { model.before = method == .get ? .empty : nil }
            model.settle()
            let pool = ids.map(Value.string) + [.boolean(true), .boolean(false), .integer(1), .array([]), .null]
            for pass in 0..<3 {
                if let refused = statement.condition, pass < 2, generator.next(below: 3) > 0 {
                    var solver = ProofSolver(conditions, statement, model, pool: pool, generator)
                    solver.make(false, refused)
                    (model, generator) = (solver.model, solver.generator)
                }
                var solver = ProofSolver(prover.outline.conditions, own, model, pool: pool, generator)
                for term in terms { solver.make(true, term) }
                (model, generator) = (solver.model, solver.generator)
                model.settle()
            }
            if method == .list { addFilters(terms, &model) }
            return model
        }

        /// The filters that a condition asks a query for.
        private func addFilters(_ terms: [Site], _ model: inout ProofModel) {
            let constraints = MissingConstraints(prover.outline)
            (model.filter, model.limit) = constraints.filters(terms, uid: model.uid ?? "")
            model.before = nil
        }

        /// Without what it does not need.
        func smallest(_ model: ProofModel) -> ProofModel {
            var model = model
            func attempt(_ change: (inout ProofModel) -> Void) {
                var smaller = model
                change(&smaller)
                if let decision = decision(smaller), isRefuted(by: smaller, decision) { model = smaller }
            }
            attempt {
                $0.uid = nil
                $0.claims = .empty
            }
            for path in model.others.keys.sorted(by: { $0.description < $1.description }) {
                attempt { $0.others[path] = nil }
            }
            for claim in model.claims { attempt { $0.claims[claim.name] = nil } }
            for field in model.before ?? .empty { attempt { $0.before?[field.name] = nil } }
            for field in model.after ?? .empty { attempt { $0.after?[field.name] = nil } }
            return model
        }
    }
}

extension Decision {
    /// Whether a condition used up what it may make or walk over. The limit of expressions is soon reached.
    fileprivate var tookLong: Bool {
        outcomes.contains { outcome in
            guard case .failure(.exhausted(let limit)) = outcome.result else { return false }
            return limit != .expressions
        }
    }
}

extension RulesOutline {
    /// The strings that conditions compare with.
    fileprivate var literals: [Text] {
        var texts: [Text] = []
        for expression in tree.expressions {
            guard case .constant(.string(let text)) = expression.kind, (1...40).contains(text.string.utf8.count),
                !text.string.contains("/"), !texts.contains(text)
            else { continue }
            texts.append(text)
        }
        return texts
    }

    /// The collections' names of the source.
    fileprivate var collections: [Text] {
        var names: [Text] = []
        for match in matches {
            for (place, segment) in (match.pattern.documentsPart ?? []).enumerated() where place % 2 == 0 {
                if let name = segment.literal, !names.contains(name) { names.append(name) }
            }
        }
        return names
    }
}
