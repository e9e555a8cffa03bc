// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import LMDB
    internal import Synchronization

    /// The databases of the server. Each is opened, or created with its indexes, when the first request names it.
    final class DatabaseRegistry: Sendable {
        private struct State {
            var open: [DatabaseID: ServedDatabase] = [:]
            /// The last database that was asked for, as most servers serve one.
            var latest: ServedDatabase?
        }

        private let folder: DataFolder
        private let options: ServerOptions
        let clock: ServerClock
        private let indexes: IndexSource
        private let rules: RulesSource
        private let state = Mutex(State())

        /// A database is a file with two descriptors.
        private static let limit = 10_000

        init(_ options: ServerOptions, _ indexes: IndexSource, _ rules: RulesSource) throws(DataFolderError) {
            self.options = options
            clock = options.clock
            self.indexes = indexes
            self.rules = rules
            folder = try DataFolder(options.folder)
        }

        /// The database of a request.
        func database(_ id: DatabaseID) throws(RequestError) -> ServedDatabase {
            RequestRecord.current?.name(id)
            return try state.withLock { (state) throws(RequestError) in
                if let latest = state.latest, latest.id == id { return latest }
                let database: ServedDatabase
                if let open = state.open[id] { database = open } else { database = try open(id, state.open.count) }
                state.open[id] = database
                state.latest = database
                return database
            }
        }

        private func open(_ id: DatabaseID, _ count: Int) throws(RequestError) -> ServedDatabase {
            guard count < DatabaseRegistry.limit else {
                throw RequestError(.resourceExhausted, "The server has \(count) databases open and opens no more.")
            }
            var opening = Engine.Options()
            opening.identity = id
            opening.mapSize = 1 << 30
            opening.history = HistoryLimits()
            opening.clock = { [clock] in UInt64(max(0, clock.now.microseconds)) }
            if options.folder == nil { opening.durability = .mayLoseDatabase }
            let file = try folder.file(of: id)
            do throws(EngineError) {
                let database = ServedDatabase(try Engine.open(file, opening), id, options, rules)
                try database.apply(indexes.configuration(of: id))
                return database
            } catch {
                throw RequestError(error)
            }
        }

        /// The open databases, by name.
        var all: [ServedDatabase] {
            state.withLock { $0.open.values.sorted { $0.id.resourceName < $1.id.resourceName } }
        }

        /// Gives every open database the indexes that the files now define.
        func applyIndexes() {
            for database in all {
                do throws(EngineError) {
                    try database.apply(indexes.configuration(of: database.id))
                } catch {
                    options.log("The indexes of \(database.id.resourceName) were not changed: \(error.message)")
                }
            }
        }
    }

    extension ServedDatabase {
        /// Makes the indexes those of a configuration; nil leaves them.
        fileprivate func apply(_ configuration: IndexConfiguration?) throws(EngineError) {
            guard let configuration else { return }
            try engine.apply(configuration, prune: true)
        }
    }

    extension RequestError {
        init(_ error: EngineError) { self.init(error.status, error.message) }
    }
#endif
