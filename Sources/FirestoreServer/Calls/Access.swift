// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner
    internal import SecurityRules

    /// What a request is going to read.
    enum ReadRequest: Sendable {
        /// All of the documents, or none.
        case documents([DocumentPath])
        case query(Query)
        /// Names of collections, of missing documents, or of all documents: for administrators only.
        case metadata
    }

    extension ServedDatabase {
        /// What rules let the caller do; nil for an administrator, and without rules.
        func gate(for credentials: Credentials) -> AccessGate? {
            let auth: RuleValue
            switch credentials {
            case .administrator: return nil
            case .user(let claims): auth = Claims.auth(claims)
            case .none: auth = .null
            }
            guard let coverage = rules.coverage(of: id) else { return nil }
            return AccessGate(coverage.served.rules, auth: auth, database: id.database) { coverage.add($0) }
        }

        /// What decides in the writer's turn whether the caller may commit; nil if nothing has to.
        func commitCheck(of writes: [Write], by credentials: Credentials) -> CommitCheck? {
            guard let gate = gate(for: credentials) else { return nil }
            return { (time, document) throws(EngineError) in
                let decision = try gate.decide(commit: writes, at: time) { (path) throws(EngineError) in
                    try document(DocumentPath(path))?.fields
                }
                guard decision.isAllowed else { throw .refused(.permissionDenied, decision.message) }
            }
        }

        /// Decides a read by the rules, on the state at a time.
        ///
        /// - Throws: `permissionDenied` in the emulator's words; before that, what is invalid about a query.
        func authorize(
            _ request: ReadRequest, for credentials: Credentials, at time: Timestamp, isInTransaction: Bool = false
        ) throws(RequestError) {
            guard let gate = gate(for: credentials) else { return }
            let now = try readTime()
            let decision: Decision
            switch request {
            case .metadata:
                throw RequestError(.permissionDenied, "Metadata operations require admin authentication.")
            case .documents(let paths):
                decision = try gate.decide(
                    get: paths.map(\.resource), at: now, isInTransaction: isInTransaction, documents: lookup(at: time))
            case .query(let query):
                do throws(InvalidQueryError) { try QueryValidator.validate(query, database: id) } catch {
                    throw RequestError(error)
                }
                decision = try gate.decide(
                    list: query, at: now, isInTransaction: isInTransaction, documents: lookup(at: time))
            }
            guard decision.isAllowed else { throw RequestError(.permissionDenied, decision.message) }
        }

        private func lookup(at time: Timestamp) -> (ResourcePath) throws(RequestError) -> Fields? {
            { [engine] (path) throws(RequestError) in
                let record: DocumentRecord?
                do throws(EngineError) { record = try engine.record(DocumentPath(path), at: time) } catch {
                    throw RequestError(error)
                }
                return try record?.whole().fields
            }
        }
    }
#endif
