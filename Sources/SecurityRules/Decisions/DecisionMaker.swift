// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Judges the documents of a request in two phases. The first reads nothing: what it cannot know is an error there. If
/// it does not decide, the second reads and judges again.
struct DecisionMaker: ~Copyable {
    private var evaluator: Evaluator
    private var outcomes: [Decision.Outcome] = []
    /// What each outcome evaluated, if that is wanted.
    private var traces: [Trace]?
    /// Whether a statement that allows ends the request.
    private var endsEarly = false

    private enum Verdict {
        case allowed, denied, undecided
    }

    static func decide(
        _ program: Program, _ request: RuleRequest, stored: @escaping (ResourcePath) -> Fields?
    ) -> Decision {
        var maker = make(program, request, stored)
        let isAllowed = maker.decide(request)
        return maker.decision(isAllowed)
    }

    private func decision(_ isAllowed: Bool) -> Decision {
        Decision(isAllowed: isAllowed, outcomes: outcomes, readsTime: evaluator.context.readsTime)
    }

    /// What an outcome evaluated.
    struct Trace {
        let mayRead: Bool
        let steps: [EvaluationTrace.Step]
    }

    /// Decides, and keeps what was evaluated, in the order of the outcomes.
    static func trace(
        _ program: Program, _ request: RuleRequest, stored: @escaping (ResourcePath) -> Fields?
    ) -> (Decision, [Trace]) {
        var maker = make(program, request, stored)
        maker.traces = []
        let isAllowed = maker.decide(request)
        return (maker.decision(isAllowed), maker.traces ?? [])
    }

    /// Decides a request of a suite, which brings all that is known.
    static func decide(_ program: Program, _ test: RuleSuiteCase, now: RuleTimestamp) -> Decision {
        let request = RuleRequest(
            .get([]), auth: test.auth, database: test.database, time: test.time ?? now,
            isInTransaction: test.isInTransaction)
        var maker = make(program, request) { _ in nil }
        maker.evaluator.context.mocks = test.mocks
        if let resource = test.newResource { maker.evaluator.context.request.resource = .value(resource) }
        maker.endsEarly = true
        let item = RequestItem(
            path: test.path, document: nil, requestPath: test.requestPath, members: test.others,
            resource: test.resource)
        let isAllowed = maker.judge(item, test.method) == .allowed
        return maker.decision(isAllowed)
    }

    /// The conditions that decide a query, each with an evaluator that stands before it.
    static func conditions(
        _ program: Program, _ request: RuleRequest
    ) -> [(node: Program.NodeID, evaluator: Evaluator)] {
        var maker = make(program, request) { _ in nil }
        var conditions: [(Program.NodeID, Evaluator)] = []
        guard case .list = request.operation, let item = RequestItem.all(request).first else { return [] }
        maker.prepare(item, .list)
        maker.evaluator.path = item.path
        for statement in program.statements where statement.methods.contains(MethodSet(.list)) {
            guard let condition = statement.condition, program.patterns[statement.pattern].fits(item.path) else {
                continue
            }
            maker.evaluator.pattern = statement.pattern
            conditions.append((condition, maker.evaluator))
        }
        return conditions
    }

    /// No initializer: that would take a copy of the request.
    private static func make(
        _ program: Program, _ request: RuleRequest, _ stored: @escaping (ResourcePath) -> Fields?
    ) -> DecisionMaker {
        var isWrite = false
        let limits: DocumentReads.Limits
        switch request.operation {
        case .get(let paths): limits = paths.count > 1 ? .batch : .single
        case .list: limits = .query
        case .commit(let writes):
            limits = writes.count > 1 ? .batch : .single
            isWrite = true
        }
        let values = RequestValues(
            method: .get, auth: request.auth, path: nil, database: request.database, time: request.time,
            isInTransaction: isWrite || request.isInTransaction)
        let reads = DocumentReads(database: request.database, limits: limits, stored: stored)
        var maker = DecisionMaker(
            evaluator: Evaluator(program, EvaluationContext(request: values, resource: .unread, reads: reads)))
        if case .commit(let writes) = request.operation {
            for write in writes { maker.evaluator.context.reads.changed[write.path] = .some(write.after) }
        }
        return maker
    }

    // MARK: The two phases

    private mutating func decide(_ request: RuleRequest) -> Bool {
        if case .get(let paths) = request.operation, paths.count == 1 {
            return decide(RequestItem(get: paths[0], request.database))
        }
        let items = RequestItem.all(request)
        // The statements after one that allows matter only to what follows it.
        endsEarly = items.count == 1 && items[0].methods.count == 1
        if case .list = request.operation, items.isEmpty { return false }
        var undecided: [RequestItem] = []
        for item in items {
            switch judgeUnread(item) {
            case .allowed: continue
            case .denied: return false
            case .undecided: undecided.append(item)
            }
        }
        evaluator.context.reads.beginReading(undecided.compactMap(\.document))
        for (place, item) in undecided.enumerated() {
            endsEarly = place == undecided.count - 1
            guard judgeRead(item) else { return false }
        }
        return true
    }

    private mutating func decide(_ item: RequestItem) -> Bool {
        endsEarly = true
        switch judgeUnread(item) {
        case .allowed: return true
        case .denied: return false
        case .undecided:
            evaluator.context.reads.beginReading(item.document.map { [$0] } ?? [])
            return judgeRead(item)
        }
    }

    private mutating func judgeUnread(_ item: RequestItem) -> Verdict {
        evaluator.context.reads.wasMissed = false
        let known = outcomes.count
        var (areAllowed, areDenied) = (true, true)
        for method in item.methods {
            let verdict = judge(item, method)
            areAllowed = areAllowed && verdict == .allowed
            areDenied = areDenied && verdict == .denied
        }
        let verdict: Verdict = areAllowed ? .allowed : areDenied ? .denied : .undecided
        // Nothing that could be read would change the answer.
        let isFinal = item.document == nil || exceedsLimit(outcomes[known...])
        if verdict == .undecided, isFinal, !evaluator.context.reads.wasMissed { return .denied }
        return verdict
    }

    private func exceedsLimit(_ outcomes: ArraySlice<Decision.Outcome>) -> Bool {
        outcomes.contains { if case .failure(.exhausted) = $0.result { true } else { false } }
    }

    private mutating func judgeRead(_ item: RequestItem) -> Bool {
        guard let write = item.write, write.methods.count > 1 else {
            return judge(item, item.methods[0]) == .allowed
        }
        return judge(item, evaluator.context.reads.stored(write.path) == nil ? .create : .update) == .allowed
    }

    /// Evaluates all statements that fit: those after one that allows may read documents, too.
    private mutating func judge(_ item: RequestItem, _ method: RequestMethod) -> Verdict {
        prepare(item, method)
        evaluator.beginItem()
        evaluator.path = item.path
        var verdict = Verdict.denied
        var (pattern, fits) = (-1, false)
        let program = evaluator.program
        for statement in program.statements {
            guard statement.methods.contains(MethodSet(method)) else { continue }
            if statement.pattern != pattern {
                pattern = statement.pattern
                fits = program.patterns[pattern].fits(item.path)
            }
            guard fits else { continue }
            evaluator.pattern = pattern
            if traces != nil { evaluator.trace = EvaluationTrace() }
            let outcome = Decision.Outcome(method: method, position: statement.position, result: value(statement))
            if outcome.allows {
                verdict = .allowed
                // What allowed at once is asked for only with its trace.
                if endsEarly, traces == nil { return verdict }
            }
            outcomes.append(outcome)
            if let trace = evaluator.trace {
                traces?.append(Trace(mayRead: evaluator.context.reads.isReading, steps: trace.steps))
            }
            if outcome.allows, endsEarly { return verdict }
            if case .success(.bool) = outcome.result { continue }
            if verdict == .denied { verdict = .undecided }
        }
        return verdict
    }

    private mutating func value(_ statement: Program.Statement) -> Result<RuleValue, EvaluationError> {
        guard let condition = statement.condition else { return .success(.bool(true)) }
        do { return .success(try evaluator.evaluate(condition)) } catch { return .failure(error) }
    }

    private mutating func prepare(_ item: RequestItem, _ method: RequestMethod) {
        let isReading = evaluator.context.reads.isReading
        let database = evaluator.context.request.database
        evaluator.context.reads.beginItem(item.document, isNamedByQuery: item.document != nil && method == .list)
        evaluator.context.request.method = method
        evaluator.context.request.path = item.requestPath
        evaluator.context.request.others = item.members
        if let write = item.write {
            let value = write.after.map { DocumentReads.value(write.path, $0, database) } ?? .null
            evaluator.context.request.resource = isReading || write.isAfterKnown ? .value(value) : .unread
        }
        if let resource = item.resource {
            evaluator.context.resource = .value(resource)
        } else if isReading, let document = item.document {
            let fields = evaluator.context.reads.stored(document)
            let value = fields.map { DocumentReads.value(document, $0, database) }
            evaluator.context.resource = value.map { .value($0) } ?? (method == .list ? .unreadable : .value(.null))
        } else {
            evaluator.context.resource = .unread
        }
    }
}
