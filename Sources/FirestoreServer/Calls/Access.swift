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
        ///
        /// - Throws: what is wrong with rules that were set in spite of their errors: as in the emulator, administrators are refused, too.
        func gate(for credentials: Credentials) throws(RequestError) -> AccessGate? {
            guard let served = rules.rules(of: id) else { return nil }
            let compiled = try served.compiled.get()
            let auth: RuleValue
            switch credentials {
            case .administrator: return nil
            case .user(let claims): auth = Claims.auth(claims)
            case .none: auth = .null
            }
            let coverage = coverage.recorder(of: served, compiled)
            return AccessGate(compiled, auth: auth, database: id.database) { coverage.add($0) }
        }

        /// What decides in the writer's turn whether the caller may commit; nil if nothing has to.
        func commitCheck(of writes: [Write], by credentials: Credentials) throws(RequestError) -> CommitCheck? {
            guard !writes.isEmpty else { return nil }
            let record = RequestRecord.current
            guard let gate = try gate(for: credentials) else {
                if let record { note(writes.map(\.subject), credentials, at: engine.latestTime, in: record) }
                return nil
            }
            return { (time, document) throws(EngineError) in
                let decision = try gate.decide(commit: writes, at: time) { (path) throws(EngineError) in
                    try document(DocumentPath(path))?.fields
                }
                if let record { self.note(writes.map(\.subject), credentials, at: time, decision, in: record) }
                guard decision.isAllowed else { throw .denied(decision.message) }
            }
        }

        /// Decides a read by the rules, on the state at a time.
        ///
        /// - Parameter now: the present, if it is known.
        /// - Throws: `permissionDenied` in the emulator's words; before that, what is invalid about a query.
        func authorize(
            _ request: ReadRequest, for credentials: Credentials, at time: Timestamp, now: Timestamp? = nil,
            isInTransaction: Bool = false
        ) throws(RequestError) {
            let record = RequestRecord.current
            guard let gate = try gate(for: credentials) else {
                if let record { note(request.subjects, credentials, at: time, in: record) }
                return
            }
            let now = if let now { now } else { try readTime() }
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
            if let record { note(request.subjects, credentials, at: now, decision, in: record) }
            guard decision.isAllowed else { throw RequestError(.permissionDenied, decision.message) }
        }

        /// Whether rules let the caller get a document as it is at a time.
        func allowsGet(
            of path: DocumentPath, for credentials: Credentials, at time: Timestamp
        ) throws(RequestError) -> Bool {
            guard let gate = try gate(for: credentials) else { return true }
            let decision = try gate.decide(
                get: [path.resource], at: try readTime(), isInTransaction: false, documents: lookup(at: time))
            return decision.isAllowed
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
