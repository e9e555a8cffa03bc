// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Dispatch
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import LMDB
    internal import Synchronization

    /// The databases of the server. Each is opened, or created with its indexes, when the first request names it.
    final class DatabaseRegistry: Sendable {
        private typealias Opened = Result<ServedDatabase, RequestError>

        private struct State {
            var open: [DatabaseID: ServedDatabase] = [:]
            /// The last database that was asked for, as most servers serve one.
            var latest: ServedDatabase?
            /// Who waits for a database that is being opened.
            var opening: [DatabaseID: [@Sendable (Opened) -> Void]] = [:]

            mutating func database(_ id: DatabaseID) -> ServedDatabase? {
                if let latest, latest.id == id { return latest }
                guard let known = open[id] else { return nil }
                latest = known
                return known
            }
        }

        private let folder: DataFolder
        private let options: ServerOptions
        let clock: ServerClock
        private let indexes: IndexSource
        private let rules: RulesSource
        private let state = Mutex(State())

        /// How many databases may be open: each has three descriptors, and connections and files that are read need some, too.
        private let limit: Int

        init(_ options: ServerOptions, _ indexes: IndexSource, _ rules: RulesSource) throws(DataFolderError) {
            self.options = options
            let files = Termination.fileLimit
            limit = min(10_000, (files - min(options.limits.connections + 64, files / 4)) / 3)
            clock = options.clock
            self.indexes = indexes
            self.rules = rules
            folder = try DataFolder(options.folder)
        }

        /// The database of a request. Opening it, which may build indexes, makes no other database's requests wait.
        func database(_ id: DatabaseID) async throws(RequestError) -> ServedDatabase {
            RequestRecord.current?.name(id)
            if let known = state.withLock({ $0.database(id) }) { return known }
            let opened: Opened = await withCheckedContinuation { continuation in
                open(id) { continuation.resume(returning: $0) }
            }
            return try opened.get()
        }

        /// The database, for threads that no request waits for.
        func databaseWaiting(_ id: DatabaseID) throws(RequestError) -> ServedDatabase {
            let opened = Mutex<Opened?>(nil)
            let done = DispatchSemaphore(value: 0)
            open(id) { result in
                opened.withLock { $0 = result }
                done.signal()
            }
            done.wait()
            return try opened.withLock { $0! }.get()
        }

        /// Calls `completion` with a database, at once or from another thread when it is open.
        private func open(_ id: DatabaseID, then completion: @escaping @Sendable (Opened) -> Void) {
            let (known, isFirst) = state.withLock { state in
                if let known = state.database(id) { return (known as ServedDatabase?, false) }
                state.opening[id, default: []].append(completion)
                return (nil, state.opening[id]?.count == 1)
            }
            if let known { return completion(.success(known)) }
            guard isFirst else { return }
            DispatchQueue.global().async { [self] in finish(id, Result { () throws(RequestError) in try make(id) }) }
        }

        private func finish(_ id: DatabaseID, _ opened: Opened) {
            let waiting = state.withLock { state in
                if case .success(let database) = opened {
                    state.open[id] = database
                    state.latest = database
                }
                return state.opening.removeValue(forKey: id) ?? []
            }
            for completion in waiting { completion(opened) }
        }

        private func make(_ id: DatabaseID) throws(RequestError) -> ServedDatabase {
            let count = state.withLock { $0.open.count + $0.opening.count }
            guard count <= limit else {
                throw RequestError(
                    .resourceExhausted,
                    "The server has \(limit) databases open and opens no more, as it may have \(Termination.fileLimit) files open. "
                        + "Use fewer projects, or start the server again, with a larger limit of files (ulimit -n).")
            }
            var opening = Engine.Options()
            opening.identity = id
            opening.mapSize = 1 << 30
            opening.history = HistoryLimits()
            opening.clock = { [clock] in UInt64(max(0, clock.now.microseconds)) }
            if options.folder == nil { opening.durability = .mayLoseDatabase }
            let file = try folder.file(of: id)
            let database: ServedDatabase
            do throws(EngineError) {
                database = ServedDatabase(try Engine.open(file, opening), id, options, rules)
            } catch {
                throw RequestError(error)
            }
            applyIndexes(to: database)
            return database
        }

        /// The open databases, by name.
        var all: [ServedDatabase] {
            state.withLock { $0.open.values.sorted { $0.id.resourceName < $1.id.resourceName } }
        }

        /// The names of the open databases and of those that earlier servers left in the data folder.
        var names: [DatabaseID] {
            let open = state.withLock { Set($0.open.keys) }
            let stored = options.folder == nil ? [] : folder.databases
            return open.union(stored).sorted { $0.resourceName < $1.resourceName }
        }

        /// The open databases and those that earlier servers left in the data folder, by name. Opens all of them.
        func allStored() throws(RequestError) -> [ServedDatabase] {
            if options.folder != nil { for id in folder.databases { _ = try databaseWaiting(id) } }
            return all
        }

        func removeTemporaryFiles() { folder.removeIfTemporary() }

        /// Gives every open database the indexes that the files now define.
        func applyIndexes() {
            for database in all { applyIndexes(to: database) }
        }

        /// Without room for a new index everything else goes on.
        private func applyIndexes(to database: ServedDatabase) {
            do throws(EngineError) { try apply(to: database) } catch {
                options.log(
                    "The indexes of \(database.id.resourceName) were not changed: \(error.message) That is tried again when the "
                        + "index file changes, and by the next server.")
            }
        }

        /// Gives a database the indexes of its file, or leaves them if there is no file.
        private func apply(to database: ServedDatabase) throws(EngineError) {
            // The file may change while indexes are built.
            var applied: IndexConfiguration?
            while let configuration = indexes.configuration(of: database.id), configuration != applied {
                try database.engine.apply(configuration, prune: true)
                applied = configuration
            }
        }
    }

    extension RequestError {
        init(_ error: EngineError) { self.init(error.status, error.message) }
    }
#endif
