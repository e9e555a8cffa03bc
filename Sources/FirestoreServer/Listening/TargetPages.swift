// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// The documents of a target at one time, in parts of about a megabyte.
    struct TargetPages {
        /// Nil for a document that is missing.
        typealias Row = (path: DocumentPath, record: DocumentRecord?)

        private enum Rest {
            case documents(ArraySlice<DocumentPath>, areCounted: Bool)
            case query(QueryPages)
        }

        /// How many documents, most of which may be missing, are read at once by their names.
        static let limit = 10_000

        private var rest: Rest
        /// The query as it ran; nil for documents, and before the first part.
        private(set) var query: NormalizedQuery?

        init(_ kind: ListenTarget.Kind) {
            switch kind {
            case .documents(let paths): self.init(Array(paths))
            case .query(let query): self.init(query)
            }
        }

        private init(_ query: Query) { rest = .query(QueryPages(query)) }

        /// Documents by their names.
        ///
        /// - Parameter areCounted: whether each counts as read by the client.
        init(_ paths: [DocumentPath], areCounted: Bool = true) {
            rest = .documents(paths.sorted()[...], areCounted: areCounted)
        }

        /// Whether there may be more rows.
        var hasMore: Bool {
            switch rest {
            case .documents(let paths, _): !paths.isEmpty
            case .query(let pages): !pages.isDone
            }
        }

        mutating func next(at snapshot: Snapshot) throws(RequestError) -> [Row] {
            switch rest {
            case .documents(let paths, let areCounted):
                let records = try snapshot.documents(
                    Array(paths.prefix(Self.limit)), byteGoal: FirestoreService.byteGoal,
                    areCounted: areCounted)
                rest = .documents(paths.dropFirst(records.count), areCounted: areCounted)
                return zip(paths, records).map { ($0, $1) }
            case .query(var pages):
                let page = try pages.next(at: snapshot)
                rest = .query(pages)
                // Later pages begin behind a row.
                query = query ?? page?.plan.query
                var rows: [Row] = []
                for record in page?.records ?? [] { rows.append((try record.name(), record)) }
                return rows
            }
        }

        /// Calls `body` with each document that is left and exists.
        mutating func forEachDocument(
            at snapshot: Snapshot, _ body: (DocumentPath, DocumentRecord) throws(RequestError) -> Void
        ) throws(RequestError) {
            while hasMore {
                for (path, record) in try next(at: snapshot) { if let record { try body(path, record) } }
            }
        }
    }
#endif
