// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import QueryPlanner

    /// A database of the server: its engine, and what is known of the requests to it.
    final class ServedDatabase: Sendable {
        let engine: Engine
        let id: DatabaseID
        let notes: DatabaseNotes
        let traffic: Traffic
        let transactions: TransactionTable
        let turns = RetryTurns()
        let router: ListenRouter
        let notices = ChangeNotices()
        let rules: RulesSource
        let coverage: CoverageRecord
        private let options: ServerOptions

        init(
            _ engine: Engine, _ id: DatabaseID, _ options: ServerOptions, _ rules: RulesSource, _ notes: DatabaseNotes
        ) {
            self.engine = engine
            self.id = id
            self.options = options
            self.rules = rules
            self.notes = notes
            traffic = notes.traffic
            transactions = notes.transactions
            coverage = notes.coverage
            router = ListenRouter(engine, looksUp: options.routesCommits)
            engine.changes.observe { [weak router, notices] changes in
                router?.look()
                notices.tell(changes)
            }
        }

        var allowsScans: Bool { options.mode != .strict }

        /// The database that console links name.
        var linked: DatabaseID {
            options.linkedProject.map { DatabaseID(project: $0, database: id.database) } ?? id
        }
    }
#endif
