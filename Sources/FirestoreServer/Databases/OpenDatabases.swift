// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import LMDB
    internal import Synchronization

    /// The databases of a server that are open, or are being opened or closed.
    ///
    /// Whoever uses a database holds it, so the references to it are the count of its users. Nobody gets a new one but from here.
    struct OpenDatabases: Sendable {
        typealias Completion = @Sendable (DatabaseRegistry.Opened) -> Void

        struct Entry: Sendable {
            var database: ServedDatabase
            /// The file's last commit if this server has made the file: until the next one, nothing was written.
            var unwritten: Environment.LastCommit?
            /// What its index file said when it was opened.
            let configuration: IndexConfiguration?
            /// How many looks on end have found nobody who uses it.
            var idleLooks = 0

            /// The file's last commit if the file may be removed as long as that is the last one.
            var removable: Environment.LastCommit? {
                database.notes.hasSnapshot.load(ordering: .relaxed) ? nil : unwritten
            }

            /// Whether only this process has the file.
            var isDisplaced: Bool { database.engine.environment.isDisplaced }

            /// Whether anybody may have written to the file.
            var isWritten: Bool { unwritten.map { $0 != database.engine.environment.lastCommit } ?? true }
        }

        private var open: [DatabaseID: Entry] = [:]
        /// The last database that was asked for, as most servers serve one.
        private var latest: ServedDatabase?
        /// Who waits for a database that is being opened or closed.
        private var waiting: [DatabaseID: [Completion]] = [:]
        private var notes: KnownDatabases

        /// - Parameter notesLimit: see ``KnownDatabases``.
        init(notesLimit: Int) { notes = KnownDatabases(limit: notesLimit) }

        var count: Int { open.count + waiting.count }

        /// By name.
        var all: [ServedDatabase] {
            open.values.map(\.database).sorted { $0.id.resourceName < $1.id.resourceName }
        }

        /// The names of the open ones, in order.
        var names: [DatabaseID] { open.keys.sorted { $0.resourceName < $1.resourceName } }

        /// A database if it is open. That is no use of it.
        func openDatabase(_ id: DatabaseID) -> ServedDatabase? { open[id]?.database }

        /// Whether a database is open whose file this server has made and nobody has written to.
        func isUnwritten(_ id: DatabaseID) -> Bool { open[id].map { !$0.isWritten } ?? false }

        /// The commits to the file of such a database, up to this one, were the server's own.
        mutating func noteUnwritten(_ id: DatabaseID, at last: Environment.LastCommit) { open[id]?.unwritten = last }

        /// The projects of the open databases and of those that are being opened or closed.
        var projects: Set<Text> { Set(open.keys.map(\.project)).union(waiting.keys.map(\.project)) }

        // MARK: Opening

        mutating func database(_ id: DatabaseID) -> ServedDatabase? {
            if let latest, latest.id == id { return latest }
            guard let known = open[id]?.database else { return nil }
            open[id]?.idleLooks = 0
            latest = known
            return known
        }

        /// Returns whether the database is to be opened: nobody else does it.
        mutating func wait(for id: DatabaseID, _ completion: @escaping Completion) -> Bool {
            let isFirst = waiting[id] == nil
            waiting[id, default: []].append(completion)
            return isFirst
        }

        /// Returns who waits for the database.
        mutating func finish(_ id: DatabaseID, _ made: Result<Entry, RequestError>) -> [Completion] {
            if case .success(let entry) = made {
                open[id] = entry
                latest = entry.database
            }
            return waiting.removeValue(forKey: id) ?? []
        }

        // MARK: Closing

        /// Takes out the databases that nobody has used in some looks, this one included, but none whose documents would be lost, because
        /// its file was removed while it was open. Who asks for one waits for ``finishClosing(_:)``.
        ///
        /// - Parameter keepsWritten: whether only those are taken to which nobody has written.
        mutating func takeIdle(after looks: Int, keepsWritten: Bool) -> [Entry] {
            var taken: [Entry] = []
            let ids = Array(open.keys)
            for id in ids {
                // Out of the dictionary, so that the reference here is the only one if nobody has another.
                guard var entry = open.removeValue(forKey: id) else { continue }
                let isHeld = !isKnownUniquelyReferenced(&entry.database)
                let hasTransactions = entry.database.transactions.hasOpen()
                let isUsed = isHeld || hasTransactions
                entry.idleLooks = isUsed ? 0 : entry.idleLooks + 1
                if entry.idleLooks >= looks, !(entry.isWritten && (keepsWritten || entry.isDisplaced)) {
                    entry.database.transactions.forgetAborted()
                    entry.database.notes.latestTime = entry.database.engine.latestTime
                    waiting[id] = []
                    taken.append(entry)
                } else {
                    open[id] = entry
                }
            }
            return taken
        }

        /// Returns whether somebody has asked for the database meanwhile, who waits for its opening.
        mutating func finishClosing(_ id: DatabaseID) -> Bool {
            guard waiting[id]?.isEmpty ?? true else { return true }
            waiting[id] = nil
            return false
        }

        mutating func forgetLatest() { latest = nil }

        // MARK: Notes

        /// The notes of a database that is being opened.
        mutating func notes(of id: DatabaseID) -> DatabaseNotes { notes.use(id) }

        /// Whether notes can be kept of a database that has no file.
        func mayKeepNotes(of id: DatabaseID) -> Bool { notes.mayKeep(id) }

        /// Whether a database that has no file would not be the one that was closed.
        func isLost(_ id: DatabaseID) -> Bool { notes[id]?.left?.isWritten ?? false }

        /// The file of a database that is closed; nil also for one that is being opened or closed.
        func leftFile(of id: DatabaseID) -> LeftFile? {
            open[id] == nil && waiting[id] == nil ? notes[id]?.left : nil
        }

        /// The databases that are not open and whose files have documents, if they are still there.
        var closedWithDocuments: [DatabaseID] { notes.ids.filter { isLost($0) && open[$0] == nil } }

        /// The time up to which a database that is not open was used.
        func latestTime(of id: DatabaseID) -> Timestamp { notes[id]?.latestTime ?? notes.forgottenTime }

        /// The database that was read or written last, open or closed, and when. Nil for one of which no notes are kept.
        var lastUsed: (id: DatabaseID?, time: Timestamp) {
            var last = (id: nil as DatabaseID?, time: notes.forgottenTime)
            for (id, notes) in notes.all {
                // Before one is open again, it is known when it was closed.
                let time = max(notes.latestTime, openDatabase(id)?.engine.latestTime ?? .minimum)
                if time > last.time { last = (id, time) }
            }
            return last
        }

        /// The server has removed the file of a database that it is closing.
        mutating func noteRemoval(of id: DatabaseID) { notes.noteRemoval(of: id) }

        /// The queries to databases of which no notes are kept that were left out of index advice.
        var forgottenLeftOut: LeftOutQueries { notes.forgottenLeftOut }

        /// By name.
        var allNotes: [(id: DatabaseID, notes: DatabaseNotes)] {
            notes.all.sorted { $0.id.resourceName < $1.id.resourceName }
        }
    }
#endif
