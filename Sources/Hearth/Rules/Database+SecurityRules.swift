// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner
internal import SecurityRules
internal import Synchronization

extension Database {
    /// The rules that decide for the users of ``asUser(_:)``; nil for none, which lets users do nothing.
    ///
    /// The database itself is the administrator's, for whom rules never count. Listeners of users are judged again when the rules
    /// change. The file does not store rules. To set them on what ``asUser(_:)`` returned is a programmer error.
    public var securityRules: SecurityRules? {
        get { state.withLock { $0.rules } }
        set {
            guard user == nil else {
                misuse("Only the administrator sets securityRules: use the database without asUser(_:).")
            }
            state.withLock { $0.rules = newValue }
            hub?.judgeAgain()
        }
    }

    /// Returns the same database as a user has it: ``securityRules`` decide on reads, queries, aggregations, writes, batches,
    /// transactions and listeners.
    ///
    /// ```swift
    /// let own = database.asUser(.user("alice"))
    /// try await own.document("notes/1").setData(["owner": "alice"])
    /// ```
    ///
    /// What the rules refuse fails with `permissionDenied` and production's text; the error's `debugDescription` names the
    /// statements that refused it. A query is decided before it runs, by its filters: rules filter nothing. A write is decided in one
    /// step with its commit, on the state that it changes. A listener ends with `permissionDenied` when a change of its documents or
    /// of the rules hides them.
    ///
    /// Whatever else a database offers (collection IDs, explanations, indexes, imports, exports, backups, migrations) is refused, as
    /// it is for administrators. References belong to the object that made them: a batch of a user takes references of the user's
    /// database.
    public func asUser(_ auth: SecurityRules.Auth) -> Database { Database(of: self, for: auth) }
}

// MARK: - Decisions

extension Database {
    /// Throws for a user.
    func requireAdministrator() throws(FirestoreError) {
        if user != nil { throw .denied("Only the administrator may do this: use the database without asUser(_:).") }
    }

    /// What decides on a read of a document by its name; nil for the administrator.
    func check(get path: DocumentPath, isInTransaction: Bool = false) -> ReadCheck? {
        guard let user else { return nil }
        return { [state] (document) throws(EngineError) in
            if let id = user.id, let tests = state.withLock({ $0.rules?.compiled.callerTests }),
                tests.allow(userID: id, toGet: path)
            {
                return
            }
            let gate = try state.gate(for: user)
            try gate.decide(get: [path.resource], at: .now, isInTransaction: isInTransaction) {
                (path) throws(EngineError) in try document(DocumentPath(path))?.fields
            }.enforce()
        }
    }

    /// What decides on a query or an aggregation of its rows; nil for the administrator.
    ///
    /// - Parameter basis: is told whether a decision has read documents or the time.
    /// - Throws: what is invalid about the query, which comes before the rules.
    func check(
        list query: QueryPlanner.Query, noting basis: DecisionBasis? = nil
    ) throws(FirestoreError) -> ReadCheck? {
        guard let user else { return nil }
        do throws(InvalidQueryError) {
            try QueryValidator.validate(query, database: expectedIdentity)
        } catch {
            throw .invalidArgument(error.message)
        }
        return { [state] (document) throws(EngineError) in
            let gate = try state.gate(for: user)
            basis?.mayChange = false
            let decision = try gate.decide(list: query, at: .now) { (path) throws(EngineError) in
                basis?.mayChange = true
                return try document(DocumentPath(path))?.fields
            }
            if decision.readsTime { basis?.mayChange = true }
            try decision.enforce()
        }
    }

    /// What decides on a commit, with the state that it changes; nil for the administrator.
    ///
    /// - Parameter reads: the update times of the documents that a transaction has read. If one has changed, the commit is aborted
    ///   and not refused, as the transaction would have made other writes.
    func check(
        commit writes: [Write], after reads: [DocumentPath: DocumentModel.Timestamp?] = [:]
    ) -> CommitCheck? {
        guard let user else { return nil }
        return { [state] (time, document) throws(EngineError) in
            let gate = try state.gate(for: user)
            let decision = try gate.decide(commit: writes, at: time) {
                (path) throws(EngineError) in try document(DocumentPath(path))?.fields
            }
            guard !decision.isAllowed else { return }
            for (path, updateTime) in reads where try document(path)?.updateTime != updateTime {
                throw .refused(.aborted, "Too much contention on these documents. Please try again.")
            }
            try decision.enforce()
        }
    }
}

/// What the last decision on a query depends on, besides the query and the rules.
final class DecisionBasis: Sendable {
    private let changes = Atomic<Bool>(false)

    /// Whether the next one may differ: it read documents or the time.
    var mayChange: Bool {
        get { changes.load(ordering: .relaxed) }
        set { changes.store(newValue, ordering: .relaxed) }
    }
}

extension Database.Shared {
    /// What the rules in force let a user do.
    fileprivate func gate(for user: SecurityRules.Auth) throws(EngineError) -> AccessGate {
        // A write may still wait for its turn when the database is terminated.
        let (rules, identity) = withLock { ($0.rules, $0.engine?.database ?? $0.identity) }
        guard let rules else {
            throw .denied("The database has no securityRules, so users may do nothing.")
        }
        return AccessGate(rules.compiled, auth: user.value, database: identity?.database ?? "(default)")
    }
}

extension Decision {
    fileprivate func enforce() throws(EngineError) {
        guard isAllowed else { throw .denied(message) }
    }
}

extension DocumentModel.Timestamp {
    static var now: DocumentModel.Timestamp {
        let now = Timestamp()
        return DocumentModel.Timestamp(
            microseconds: now.seconds * 1_000_000 + Int64(now.nanoseconds) / 1_000) ?? .minimum
    }
}
