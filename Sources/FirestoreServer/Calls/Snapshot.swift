// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import QueryPlanner

    /// A database at one time, as one request reads it. It holds no transaction of the engine, so a request may take as long
    /// as its client likes.
    struct Snapshot: Sendable {
        let database: ServedDatabase
        let time: Timestamp
        /// The transaction that the reads belong to.
        let transaction: [UInt8]?
        /// The ID to tell the client, if the request began the transaction.
        let newTransaction: [UInt8]?
        /// Whether the request asked for no time of its own.
        let isLatest: Bool

        init(
            _ database: ServedDatabase, at time: Timestamp, transaction: [UInt8]? = nil,
            newTransaction: [UInt8]? = nil, isLatest: Bool = false
        ) {
            self.database = database
            self.time = time
            self.transaction = transaction
            self.newTransaction = newTransaction
            self.isLatest = isLatest
        }

        private var engine: Engine { database.engine }

        func document(_ path: DocumentPath) throws(RequestError) -> DocumentRecord? {
            try documents([path])[0]
        }

        /// - Parameters:
        ///   - byteGoal: how many bytes of documents are enough: no more of the paths are read then.
        ///   - areCounted: whether they count as read by the client.
        func documents(
            _ paths: [DocumentPath], byteGoal: Int = .max, areCounted: Bool = true
        ) throws(RequestError) -> [DocumentRecord?] {
            try note { reads in for path in paths { reads.add(path) } }
            let records = try engineCall { () throws(EngineError) in
                try engine.records(paths, at: time, byteGoal: byteGoal)
            }
            if areCounted { count(read: records.count) }
            return records
        }

        func count(read count: Int) {
            database.traffic.count { $0.documentsRead += count }
            RequestRecord.current?.read(count)
        }

        /// Runs a query, and records it as traffic.
        ///
        /// - Parameters:
        ///   - isContinued: whether it is a later page of a query that was recorded.
        ///   - whole: the query of which this is a page; nil for the query itself.
        ///   - byteGoal: how many bytes of documents a page should have; nil for all rows.
        func run(
            _ request: QueryRequest, isContinued: Bool = false, loggedAs whole: QueryRequest? = nil,
            byteGoal: Int? = nil
        ) throws(RequestError) -> QueryResult {
            try RequestError.checkCancellation()
            if !isContinued { database.traffic.count { $0.queries += 1 } }
            let result: QueryResult
            do throws(QueryError) {
                result = try engine.run(request, at: time, allowScan: database.allowsScans, byteGoal: byteGoal)
            } catch {
                let refusal = refusal(error, of: request)
                RequestRecord.current?.note(whole ?? request, refusal)
                throw refusal
            }
            if !isContinued {
                database.traffic.record(request, isServed: !result.wasScanned)
                database.traffic.record(result.plan)
            }
            database.traffic.count {
                $0.documentsRead += result.counters.rows
                $0.entriesScanned += result.counters.entriesScanned
            }
            RequestRecord.current?.note(whole ?? request, result, isContinued: isContinued)
            try note { $0.add(result) }
            return result
        }

        private func refusal(_ error: QueryError, of request: QueryRequest) -> RequestError {
            if case .planning(.missingIndex) = error {
                database.traffic.record(request, isServed: false)
                database.traffic.count { $0.queriesRefused += 1 }
            }
            if case .engine(let error) = error { return refusal(error) }
            return RequestError(error, in: database)
        }

        /// A transaction that may write begins again at a later time, and so does a read that asked for none, whatever its time has
        /// become too old by: an import, or another program that writes the file and keeps no history.
        private func refusal(_ error: EngineError) -> RequestError {
            let refusal = RequestError(error)
            guard refusal.isTooOldReadTime else { return refusal }
            if isLatest { return .overtakenRead }
            guard let transaction, transaction.last != TransactionKind.readOnlyMark else { return refusal }
            return TransactionTable.expired(transaction)
        }

        func collectionIDs(under parent: DocumentPath?) throws(RequestError) -> [Text] {
            try note { $0.addNames(below: parent) }
            return try engineCall { () throws(EngineError) in try engine.collectionIDs(under: parent, at: time) }
        }

        func documentsAndParents(
            in scope: DocumentScope, parent: DocumentPath?, after: DocumentPath?, limit: Int, byteGoal: Int
        ) throws(RequestError) -> [ListedDocument] {
            try note { reads in
                reads.addNames(below: parent)
                reads.addDocuments(in: scope)
            }
            return try engineCall { () throws(EngineError) in
                try engine.documentsAndParents(in: scope, after: after, limit: limit, byteGoal: byteGoal, at: time)
            }
        }

        private func note(_ add: (inout ReadSet) -> Void) throws(RequestError) {
            if let transaction { try database.transactions.note(transaction, add) }
        }

        private func engineCall<R>(_ body: () throws(EngineError) -> R) throws(RequestError) -> R {
            try RequestError.checkCancellation()
            do throws(EngineError) { return try body() } catch { throw refusal(error) }
        }
    }

    extension RequestError {
        static let cancelled = RequestError(.cancelled, "The call was cancelled.")

        /// Ends a read whose client is gone: it would keep those of others waiting.
        static func checkCancellation() throws(RequestError) {
            if Task.isCancelled { throw .cancelled }
        }

        /// Whether the history does not reach back to the time of a read, as after an import or for a client that has not read for an
        /// hour. It is no fault of what was to be read.
        var isTooOldReadTime: Bool { self == RequestError(EngineError.readTimeTooOld) }

        /// Official clients repeat a read that ends so.
        static let overtakenRead = RequestError(
            .unavailable, "The state that was being read is no longer kept. Begin the read again.")

        /// Production's message. For a missing index, the definition and the nearest index follow after an empty line.
        init(_ error: QueryError, in database: ServedDatabase) {
            switch error {
            case .engine(let error): self.init(error)
            case .planning(.invalid(let error)): self.init(error)
            case .planning(.hint(let error)): self.init(.invalidArgument, error.message)
            case .planning(.missingIndex(let error)):
                let catalog = try? database.engine.catalog().indexes
                self.init(
                    .failedPrecondition,
                    error.message(in: database.linked)
                        + error.instructions(for: catalog ?? IndexCatalog(IndexConfiguration())))
            }
        }
    }
#endif
