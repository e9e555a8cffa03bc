// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// What one caller may do with a database under rules. The server and the library decide every read, query and commit
/// here.
///
/// Each decision takes the stored documents from a closure, which is called only for what the decision depends on, and
/// once for a document. The caller sees to it that all of them are of one state: that of the read, or the one before the
/// commit. Errors of the closure end the decision.
package struct AccessGate: Sendable {
    package let rules: RuleSet
    /// `request.auth`: null, or a map of `uid` and `token`.
    package let auth: RuleValue
    /// The database's ID.
    package let database: Text
    /// Called with what each decision evaluated. Without it, that is not kept.
    private let observe: (@Sendable (RuleEvaluation) -> Void)?

    package init(
        _ rules: RuleSet, auth: RuleValue, database: Text, observe: (@Sendable (RuleEvaluation) -> Void)? = nil
    ) {
        self.rules = rules
        self.observe = observe
        self.auth = auth
        self.database = database
    }

    /// A read of documents by their names: all or none.
    package func decide<E: Error>(
        get paths: [ResourcePath], at time: Timestamp, isInTransaction: Bool = false,
        documents: (ResourcePath) throws(E) -> Fields?
    ) throws(E) -> Decision {
        try reading(documents) { stored in
            decide(.get(paths), at: time, isInTransaction: isInTransaction, stored)
        }
    }

    /// A query, or an aggregation of its rows. It is decided once, whatever documents there are.
    package func decide<E: Error>(
        list query: Query, at time: Timestamp, isInTransaction: Bool = false,
        documents: (ResourcePath) throws(E) -> Fields?
    ) throws(E) -> Decision {
        try reading(documents) { stored in
            decide(.list(query), at: time, isInTransaction: isInTransaction, stored)
        }
    }

    /// A commit: all writes or none. Each document is judged once, from its state before the commit to that after it, and as a read if the
    /// commit only sets a condition on it.
    ///
    /// - Parameter time: the commit's time, which server timestamps get.
    package func decide<E: Error>(
        commit writes: [Write], at time: Timestamp, documents: (ResourcePath) throws(E) -> Fields?
    ) throws(E) -> Decision {
        try reading(documents) { stored in
            var staging = WriteStaging(time: time)
            for write in writes {
                staging.apply(write.path.resource, write.operation, exists: write.expectedExistence, stored: stored)
            }
            return decide(.commit(staging.writes), at: time, isInTransaction: true, stored)
        }
    }

    private func decide(
        _ operation: RuleRequest.Operation, at time: Timestamp, isInTransaction: Bool,
        _ stored: @escaping (ResourcePath) -> Fields?
    ) -> Decision {
        let request = RuleRequest(
            operation, auth: auth, database: database, time: RuleTimestamp(time.inWholeMilliseconds),
            isInTransaction: isInTransaction)
        guard let observe else { return rules.decide(request, documents: stored) }
        let (decision, evaluation) = rules.evaluate(request, documents: stored)
        observe(evaluation)
        return decision
    }

    private func reading<E: Error>(
        _ documents: (ResourcePath) throws(E) -> Fields?, _ body: (@escaping (ResourcePath) -> Fields?) -> Decision
    ) throws(E) -> Decision {
        var known: [ResourcePath: Fields?] = [:]
        var failure: E?
        func read(_ path: ResourcePath) -> Fields? {
            if let fields = known[path] { return fields }
            guard failure == nil else { return nil }
            do throws(E) {
                let fields = try documents(path)
                known[path] = .some(fields)
                return fields
            } catch {
                failure = error
                return nil
            }
        }
        let decision = withoutActuallyEscaping(read, do: body)
        if let failure { throw failure }
        return decision
    }
}
