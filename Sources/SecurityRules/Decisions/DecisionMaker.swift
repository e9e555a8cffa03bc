// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Judges the documents of a request in two phases. The first reads nothing: what it cannot know is an error there. If
/// it does not decide, the second reads and judges again.
struct DecisionMaker {
    private let request: RuleRequest
    private let stored: (ResourcePath) -> Fields?
    private var evaluator: Evaluator
    private var outcomes: [Decision.Outcome] = []
    /// What each outcome evaluated, if that is wanted.
    private var traces: [Trace]?
    /// Whether a statement that allows ends the request.
    private var endsEarly = false

    /// One document of the request, or all that a query's disjunct may return.
    private struct Item {
        let path: RequestPath
        let document: ResourcePath?
        /// What `request.path` is of.
        let requestPath: ResourcePath?
        var members: [RuleMap.Entry]
        /// The methods that come into question before the document is read.
        let methods: [RequestMethod]
        /// The `resource` of a disjunct.
        var resource: RuleValue?
        var write: RuleWrite?
    }

    private enum Verdict {
        case allowed, denied, undecided
    }

    static func decide(
        _ program: Program, _ request: RuleRequest, stored: @escaping (ResourcePath) -> Fields?
    ) -> Decision {
        var maker = DecisionMaker(program, request, stored)
        let isAllowed = maker.decide(maker.items())
        return Decision(isAllowed: isAllowed, outcomes: maker.outcomes)
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
        var maker = DecisionMaker(program, request, stored)
        maker.traces = []
        let isAllowed = maker.decide(maker.items())
        return (Decision(isAllowed: isAllowed, outcomes: maker.outcomes), maker.traces ?? [])
    }

    /// The conditions that decide a query, each with an evaluator that stands before it.
    static func conditions(
        _ program: Program, _ request: RuleRequest
    ) -> [(node: Program.NodeID, evaluator: Evaluator)] {
        var maker = DecisionMaker(program, request) { _ in nil }
        var conditions: [(Program.NodeID, Evaluator)] = []
        guard case .list = request.operation, let item = maker.items().first else { return [] }
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

    private init(_ program: Program, _ request: RuleRequest, _ stored: @escaping (ResourcePath) -> Fields?) {
        self.request = request
        self.stored = stored
        let limits: DocumentReads.Limits
        switch request.operation {
        case .get(let paths): limits = paths.count > 1 ? .batch : .single
        case .list: limits = .query
        case .commit(let writes): limits = writes.count > 1 ? .batch : .single
        }
        var reads = DocumentReads(database: request.database, limits: limits, stored: stored)
        var isWrite = false
        if case .commit(let writes) = request.operation {
            isWrite = true
            for write in writes { reads.changed[write.path] = .some(write.after) }
        }
        let values = RequestValues(
            method: .get, auth: request.auth, path: nil, database: request.database, time: request.time,
            isInTransaction: isWrite || request.isInTransaction)
        evaluator = Evaluator(program, EvaluationContext(request: values, resource: .unread, reads: reads))
    }

    // MARK: What is judged

    private func items() -> [Item] {
        let database = request.database
        switch request.operation {
        case .get(let paths):
            return paths.map { path in
                Item(
                    path: RequestPath(document: path, database: database), document: path, requestPath: path,
                    members: DecisionMaker.readMembers, methods: DecisionMaker.getOnly)
            }
        case .commit(let writes):
            return writes.map { write in
                Item(
                    path: RequestPath(document: write.path, database: database), document: write.path,
                    requestPath: write.path, members: DecisionMaker.members(write), methods: write.methods,
                    write: write)
            }
        case .list(let query): return items(query)
        }
    }

    private static let readMembers: [RuleMap.Entry] = [("fields", .null)]
    private static let plainMembers: [RuleMap.Entry] = [
        ("readFields", .null), ("writeFields", .null), ("transforms", .null),
    ]
    private static let getOnly: [RequestMethod] = [.get]

    private static func members(_ write: RuleWrite) -> [RuleMap.Entry] {
        if write.writeFields == nil, write.transforms == nil { return plainMembers }
        func list(_ paths: [Text]?) -> RuleValue { paths.map { .list($0.map(RuleValue.string)) } ?? .null }
        return [
            ("readFields", .null), ("writeFields", list(write.writeFields)), ("transforms", list(write.transforms)),
        ]
    }

    private func items(_ query: Query) -> [Item] {
        let database = request.database
        let members = QueryValue.members(query, database: database)
        let parent = query.parent?.resource ?? .root
        var collection: ResourcePath?
        let path: RequestPath
        if query.from.allDescendants {
            path = RequestPath(group: query.from.collectionID, below: parent, database: database)
        } else if let id = query.from.collectionID {
            collection = parent.appending(id)
            path = RequestPath(collection: parent.appending(id), database: database)
        } else {
            path = RequestPath(allCollections: database)
        }
        // A query with too many disjuncts is no valid query: nothing is known of its documents.
        return (QueryResource.all(query.filter) ?? []).map { resource in
            switch resource {
            case .document(let document):
                Item(
                    path: RequestPath(document: document, database: database), document: document,
                    requestPath: document, members: members, methods: [.list])
            case .constrained(let value):
                Item(
                    path: path, document: nil, requestPath: collection, members: members, methods: [.list],
                    resource: value)
            }
        }
    }

    // MARK: The two phases

    private mutating func decide(_ items: [Item]) -> Bool {
        // The statements after one that allows matter only to what follows it.
        endsEarly = items.count == 1 && items[0].methods.count == 1
        if case .list = request.operation, items.isEmpty { return false }
        var undecided: [Item] = []
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

    private mutating func judgeUnread(_ item: Item) -> Verdict {
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
        outcomes.contains { if case .failure(.tooManyExpressions) = $0.result { true } else { false } }
    }

    private mutating func judgeRead(_ item: Item) -> Bool {
        guard let write = item.write, write.after != nil, write.exists == nil else {
            return judge(item, item.methods[0]) == .allowed
        }
        return judge(item, stored(write.path) == nil ? .create : .update) == .allowed
    }

    /// Evaluates all statements that fit: those after one that allows may read documents, too.
    private mutating func judge(_ item: Item, _ method: RequestMethod) -> Verdict {
        prepare(item, method)
        evaluator.beginItem()
        evaluator.path = item.path
        var verdict = Verdict.denied
        var (pattern, fits) = (-1, false)
        for number in evaluator.program.statements.indices {
            let statement = evaluator.program.statements[number]
            guard statement.methods.contains(MethodSet(method)) else { continue }
            if statement.pattern != pattern {
                pattern = statement.pattern
                fits = evaluator.program.patterns[pattern].fits(item.path)
            }
            guard fits else { continue }
            evaluator.pattern = pattern
            if traces != nil { evaluator.trace = EvaluationTrace() }
            let outcome = Decision.Outcome(method: method, position: statement.position, result: value(statement))
            outcomes.append(outcome)
            if let trace = evaluator.trace {
                traces?.append(Trace(mayRead: evaluator.context.reads.isReading, steps: trace.steps))
            }
            if outcome.allows {
                verdict = .allowed
                if endsEarly { return verdict }
            }
            if case .success(.bool) = outcome.result { continue }
            if verdict == .denied { verdict = .undecided }
        }
        return verdict
    }

    private mutating func value(_ statement: Program.Statement) -> Result<RuleValue, EvaluationError> {
        guard let condition = statement.condition else { return .success(.bool(true)) }
        do { return .success(try evaluator.evaluate(condition)) } catch { return .failure(error) }
    }

    private mutating func prepare(_ item: Item, _ method: RequestMethod) {
        let isReading = evaluator.context.reads.isReading
        evaluator.context.reads.beginItem(item.document, isNamedByQuery: item.document != nil && method == .list)
        evaluator.context.request.method = method
        evaluator.context.request.path = item.requestPath
        evaluator.context.request.others = item.members
        if let write = item.write {
            let value = write.after.map { DocumentReads.value(write.path, $0, request.database) } ?? .null
            evaluator.context.request.resource = isReading || write.isAfterKnown ? .value(value) : .unread
        }
        if let resource = item.resource {
            evaluator.context.resource = .value(resource)
        } else if isReading, let document = item.document {
            let fields = stored(document)
            let value = fields.map { DocumentReads.value(document, $0, request.database) }
            evaluator.context.resource = value.map { .value($0) } ?? (method == .list ? .unreadable : .value(.null))
        } else {
            evaluator.context.resource = .unread
        }
    }
}
