// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// What a client listens to, and which documents it knows to belong to it.
    struct ListenTarget {
        let id: Int32
        let isOnce: Bool
        let kind: Kind
        let database: ServedDatabase
        private let credentials: Credentials
        /// The rules that were asked last; nil also if there were none.
        private var judge: ServedRules?
        /// Nil for documents, and until the query has run.
        var matcher: DocumentMatcher?
        /// When each document last changed that the client has. Empty for a query whose rows depend on nothing but themselves: its rows
        /// before a change are told by the old version.
        var known: [DocumentPath: Timestamp] = [:]
        /// What is left to read of a state.
        private var rest: TargetRest?

        init(_ id: Int32, _ kind: Kind, isOnce: Bool, in database: ServedDatabase, for credentials: Credentials) {
            self.id = id
            self.kind = kind
            self.isOnce = isOnce
            self.database = database
            self.credentials = credentials
        }

        /// Which changes can change the target. A document that the client has is found by its old version, which is a row.
        var interest: ListenerInterest {
            switch kind {
            case .documents(let paths): .documents(Array(paths))
            case .query: matcher.map { ListenerInterest($0.query) } ?? .everything
            }
        }

        /// Whether a change makes it read its whole result again, at the time of the change.
        var readsAgain: Bool {
            if case .query = kind { dependsOnOthers } else { false }
        }

        // MARK: Rules

        /// Asks the rules whether the caller may listen to the target.
        mutating func authorize(at time: Timestamp) throws(RequestError) {
            // Noted before they are asked: those that come meanwhile are others.
            judge = database.rules.rules(of: database.id)
            try database.authorize(kind.read, for: credentials, at: time)
        }

        /// Asks the rules again if they have changed.
        mutating func authorizeAgain(at time: Timestamp) throws(RequestError) {
            if judge !== database.rules.rules(of: database.id) { try authorize(at: time) }
        }

        // MARK: States in parts

        /// The messages of the first part of the whole result at a time.
        mutating func start(at snapshot: Snapshot) throws(RequestError) -> [ProtoListenResponse] {
            try begin(TargetRest(TargetPages(kind), .all), at: snapshot)
        }

        mutating func begin(
            _ rest: TargetRest, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse] {
            known = [:]
            self.rest = rest
            return try next(at: snapshot)
        }

        /// Whether a part of the state is left.
        var hasMore: Bool { rest != nil }

        /// The messages of the next part of the state.
        mutating func next(at snapshot: Snapshot) throws(RequestError) -> [ProtoListenResponse] {
            guard var rest else { return [] }
            let responses =
                if rest.pages.hasMore { try nextDocuments(&rest, at: snapshot) } else {
                    try nextDepartures(&rest, at: snapshot)
                }
            self.rest = rest.pages.hasMore || !rest.gone.isEmpty ? rest : nil
            return responses
        }

        private mutating func nextDocuments(
            _ rest: inout TargetRest, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse] {
            let rows = try rest.pages.next(at: snapshot)
            note(rest.pages)
            var responses: [ProtoListenResponse] = []
            for (path, record) in rows {
                if let response = try response(path, record, &rest, at: snapshot.time) { responses.append(response) }
            }
            if case .changes = rest.kind { snapshot.count(read: responses.count) }
            if !rest.pages.hasMore, case .difference(let before, _) = rest.kind {
                rest.gone = before.keys.filter { known[$0] == nil }.sorted()[...]
            }
            return responses
        }

        /// - Parameter record: nil for a document that is missing.
        private mutating func response(
            _ path: DocumentPath, _ record: DocumentRecord?, _ rest: inout TargetRest, at time: Timestamp
        ) throws(RequestError) -> ProtoListenResponse? {
            if case .changes(let former) = rest.kind {
                if let record, try matches(record) { return .document(try message(record), added: [id]) }
                if former.contains(path) { rest.gone.append(path) }
                return nil
            }
            guard let record else {
                guard case .all = rest.kind else { return nil }
                return .deletion(path.name(in: database.id), id, at: time)
            }
            if dependsOnOthers {
                let changed = try record.changeTime()
                known[path] = changed
                if case .difference(let before, _) = rest.kind, before[path] == changed { return nil }
            }
            return .document(try message(record), added: [id])
        }

        /// Of documents that are not among the target's.
        private func nextDepartures(
            _ rest: inout TargetRest, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse] {
            let part = rest.gone.prefix(TargetRest.goneLimit)
            let records = try snapshot.documents(Array(part), byteGoal: FirestoreService.byteGoal)
            rest.gone = rest.gone.dropFirst(records.count)
            var responses: [ProtoListenResponse] = []
            for (path, record) in zip(part, records) {
                switch rest.kind {
                case .difference(_, let changed?) where record != nil && !changed.contains(path):
                    responses.append(.removal(path.name(in: database.id), id, at: snapshot.time))
                    continue
                case .difference, .changes, .all: break
                }
                responses.append(try departure(of: path, record, at: snapshot.time))
            }
            return responses
        }

        /// Whether which rows there are depends on other rows: they are among the first.
        var dependsOnOthers: Bool {
            guard case .query(let query) = kind else { return true }
            return query.limit != nil || query.offset > 0 || query.limitToLast || query.nearest != nil
        }

        /// The messages of the first part of what is different between two times.
        ///
        /// - Returns: nil if so much has changed that the whole result is the shorter way.
        mutating func resume(
            from old: Snapshot, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse]? {
            if dependsOnOthers {
                var pages = TargetPages(kind)
                try pages.forEachDocument(at: old) { path, record throws(RequestError) in
                    known[path] = try record.changeTime()
                }
                note(pages)
            }
            return try advance(from: old.time, at: snapshot)
        }

        /// Reads the changes alone, whose number may be a small part of the result's.
        mutating func resume(
            _ query: Query, from old: Timestamp, at snapshot: Snapshot
        ) throws(RequestError) -> [ProtoListenResponse]? {
            let matcher = if let matcher { matcher } else { try newMatcher(of: query, at: snapshot) }
            self.matcher = matcher
            let changed = try database.changedDocuments(
                since: old, upTo: snapshot.time, in: matcher.query.scope, limit: TargetRest.changeLimit,
                isFormer: { matcher.sortKey(of: $0) != nil })
            guard let changed else { return nil }
            // As in production, what is left comes last.
            let pages = TargetPages(changed.all, areCounted: false)
            return try begin(TargetRest(pages, .changes(former: changed.former)), at: snapshot)
        }

        /// The query needs its index as it did at first.
        private func newMatcher(of query: Query, at snapshot: Snapshot) throws(RequestError) -> DocumentMatcher {
            var empty = query
            empty.limit = 0
            return DocumentMatcher(try snapshot.run(.documents(empty)).plan.query)
        }

        private mutating func note(_ pages: TargetPages) {
            matcher = matcher ?? pages.query.map { DocumentMatcher($0) }
        }

        // MARK: Documents

        func matches(_ record: DocumentRecord) throws(RequestError) -> Bool {
            guard isInScope(try record.name().collection) else { return false }
            return matches(try record.whole())
        }

        func isInScope(_ collection: CollectionPath) -> Bool {
            matcher?.query.scope.contains(collection) ?? false
        }

        /// - Parameter document: one in scope.
        func matches(_ document: Document) -> Bool { matcher?.sortKey(of: document) != nil }

        /// The message of a document that no longer belongs to the target. What has made it leave may be hidden from the caller, whose
        /// rules were judged for the target's documents alone: then only the name is sent.
        func departure(
            of path: DocumentPath, _ record: DocumentRecord?, at time: Timestamp
        ) throws(RequestError) -> ProtoListenResponse {
            guard let record else { return .deletion(path.name(in: database.id), id, at: time) }
            guard try database.allowsGet(of: path, for: credentials, at: time) else {
                return .removal(path.name(in: database.id), id, at: time)
            }
            return .document(try message(record), removed: [id])
        }

        func message(_ record: DocumentRecord) throws(RequestError) -> ProtoDocument {
            message(try record.whole())
        }

        func message(_ document: Document) -> ProtoDocument {
            var paths: [FieldPath]?
            if case .query(let query) = kind { paths = query.projection.map { $0.filter { !$0.isDocumentName } } }
            return document.cut(to: paths).message(in: database.id)
        }
    }
#endif
