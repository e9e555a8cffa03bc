// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Dispatch
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import LMDB
    internal import Synchronization

    /// The databases of the server. Each is opened, or created with its indexes, when a request names it, and closed when nobody has
    /// used it for minutes.
    final class DatabaseRegistry: Sendable {
        typealias Opened = Result<ServedDatabase, RequestError>

        let folder: DataFolder
        let options: ServerOptions
        let clock: ServerClock
        let indexes: IndexSource
        private let rules: RulesSource
        let state: Mutex<OpenDatabases>
        /// Held while databases are closed.
        let closing = Mutex(())

        private let notesLimit: Int
        /// Makes incarnations of other runs different.
        private let incarnationSeed = UInt64.random(in: .min ... .max)
        /// How many databases may be open: each has three descriptors, and connections and files that are read need some, too.
        private let limit: Int

        /// - Parameters:
        ///   - limit: how many databases may be open; nil for what the system's limit of files allows.
        ///   - notesLimit: see ``KnownDatabases``.
        init(
            _ options: ServerOptions, _ indexes: IndexSource, _ rules: RulesSource, limit: Int? = nil,
            notesLimit: Int = KnownDatabases.limit
        ) throws(DataFolderError) {
            self.options = options
            self.notesLimit = notesLimit
            state = Mutex(OpenDatabases(notesLimit: notesLimit))
            let files = Termination.fileLimit
            self.limit = limit ?? min(10_000, (files - min(options.limits.connections + 64, files / 4)) / 3)
            clock = options.clock
            self.indexes = indexes
            self.rules = rules
            folder = try DataFolder(options.folder)
        }

        /// The database of a request. Opening it, which may build indexes, makes no other database's requests wait.
        func database(_ id: DatabaseID) async throws(RequestError) -> ServedDatabase {
            RequestRecord.current?.name(id)
            return try await opened(id)
        }

        /// The same, of a request that names no database.
        func opened(_ id: DatabaseID) async throws(RequestError) -> ServedDatabase {
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
                return (nil, state.wait(for: id, completion))
            }
            if let known { return completion(.success(known)) }
            if isFirst { openLater(id) }
        }

        /// Opens a database for those who wait for it.
        func openLater(_ id: DatabaseID) {
            DispatchQueue.global().async { [self] in finish(id, Result { () throws(RequestError) in try make(id) }) }
        }

        func finish(_ id: DatabaseID, _ made: Result<OpenDatabases.Entry, RequestError>) {
            let waiting = state.withLock { $0.finish(id, made) }
            // Whoever applied a changed file meanwhile has not found the database among the open ones.
            if case .success(let entry) = made, indexes.configuration(of: id) != entry.configuration {
                applyIndexes(to: entry.database)
            }
            let opened = made.map { $0.database }
            for completion in waiting { completion(opened) }
        }

        func make(_ id: DatabaseID) throws(RequestError) -> OpenDatabases.Entry {
            try requireRoom()
            try requireRoomForNotes(of: id)
            let file = try folder.file(of: id)
            let isNew = !DataFolder.exists(file)
            if isNew, state.withLock({ $0.isLost(id) }) { throw DatabaseRegistry.lost(id, file) }
            let engine: Engine
            do throws(EngineError) { engine = try Engine.open(file, engineOptions(id, isNew: isNew)) } catch {
                throw RequestError(error)
            }
            let notes = state.withLock { $0.notes(of: id) }
            if notes.left?.isFormer(of: engine) != true { notes.configuration = nil }
            let database = ServedDatabase(engine, id, options, rules, notes)
            let configuration = applyIndexes(to: database)
            // Of two servers or programs that create it at once, one may have written to it already, or may after the look.
            let last = engine.environment.lastCommit
            let isUnwritten = isNew && (try? engine.collectionIDs(under: nil).isEmpty) == true
            return OpenDatabases.Entry(
                database: database, unwritten: isUnwritten ? last : nil, configuration: configuration)
        }

        private func engineOptions(_ id: DatabaseID, isNew: Bool) -> Engine.Options {
            var opening = Engine.Options()
            opening.identity = id
            opening.mapSize = 1 << 30
            opening.history = HistoryLimits()
            opening.clock = { [clock] in UInt64(max(0, clock.now.microseconds)) }
            // Those who have read the database at a time have seen all that happened up to it.
            opening.latestTime = state.withLock { $0.latestTime(of: id) }
            if isNew { opening.firstIncarnation = firstIncarnation(of: id) }
            if options.folder == nil { opening.durability = .mayLoseDatabase }
            return opening
        }

        /// The same each time that a database is made in this run: the file was removed because nobody had written to it, so the states
        /// that clients know of it are all empty, as it is.
        private func firstIncarnation(of id: DatabaseID) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(incarnationSeed)
            hasher.combine(id)
            return max(1, UInt64(bitPattern: Int64(hasher.finalize())))
        }

        /// Room for one more database, which those leave that nobody is using.
        private func requireRoom() throws(RequestError) {
            if state.withLock({ $0.count }) > limit { closeIdle(after: 1) }
            guard state.withLock({ $0.count }) <= limit else {
                throw RequestError(
                    .resourceExhausted,
                    "The server has \(limit) databases in use, and opens no more as it may have "
                        + "\(Termination.fileLimit) files open. Use fewer projects at once, or start the server again, with a larger limit "
                        + "of files (ulimit -n).")
            }
        }

        /// Room for what is known of a database that has no file yet.
        private func requireRoomForNotes(of id: DatabaseID) throws(RequestError) {
            guard !state.withLock({ $0.mayKeepNotes(of: id) }), try !folder.holds(id) else { return }
            throw RequestError(
                .resourceExhausted,
                "The server takes no further names: it knows which indexes the queries to \(notesLimit) databases without documents "
                    + "need. Use fewer projects and databases, or start the server again.")
        }

        /// An empty database instead would look as if all documents had been deleted.
        private static func lost(_ id: DatabaseID, _ file: String) -> RequestError {
            RequestError(
                .failedPrecondition,
                "The documents of \(id.resourceName) are gone: another program has removed the file \"\(file)\". Put it back, or start "
                    + "the server again, which then makes a new one.")
        }

        /// The open databases, by name.
        var all: [ServedDatabase] { state.withLock { $0.all } }

        /// The names of the open databases and of those that have a file.
        var names: [DatabaseID] {
            Set(all.map(\.id)).union(folder.databases).sorted { $0.resourceName < $1.resourceName }
        }

        /// The databases whose files other programs have removed while they were closed, by name.
        var lost: [DatabaseID] {
            let stored = Set(folder.databases)
            return state.withLock { $0.closedWithDocuments }.filter { !stored.contains($0) }
                .sorted { $0.resourceName < $1.resourceName }
        }

        /// What is known of each database that this server has opened, by name.
        var notes: [(id: DatabaseID, notes: DatabaseNotes)] { state.withLock { $0.allNotes } }

        /// See ``OpenDatabases/forgottenLeftOut``.
        var forgottenLeftOut: LeftOutQueries { state.withLock { $0.forgottenLeftOut } }

        /// The names of the databases that this server has opened and that have a file.
        var usedNames: [DatabaseID] {
            let used = Set(notes.map { $0.id })
            return names.filter { used.contains($0) }
        }

        func removeTemporaryFiles() { folder.removeIfTemporary() }
    }

    extension RequestError {
        init(_ error: EngineError) { self.init(error.status, error.message) }
    }
#endif
