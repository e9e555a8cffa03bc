// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel

    /// The notes of the databases that a server has opened.
    ///
    /// A name costs a client nothing, so there may be any number of databases that were only asked something. Those without a file are
    /// forgotten, the oldest first, but none whose queries say something about indexes: of these there is a limit, beyond which the
    /// server takes no further names. Databases with files are bounded by the disk.
    struct KnownDatabases: Sendable {
        private var notes: [DatabaseID: DatabaseNotes] = [:]
        /// Those without a file that may be forgotten, by the order in which their files were removed.
        private var forgettable: [DatabaseID: UInt64] = [:]
        private var removals: UInt64 = 0
        /// Those without a file that are kept.
        private var kept: Set<DatabaseID> = []
        private let limit: Int
        private let shapes: ShapeRoom
        /// The time up to which the databases were used of which no notes are kept.
        private(set) var forgottenTime = Timestamp.minimum
        /// The queries to these that were left out of index advice.
        private(set) var forgottenLeftOut = LeftOutQueries()

        /// Notes take a kilobyte or more.
        static let limit = 50_000

        /// - Parameters:
        ///   - limit: how many databases without a file are known of those that may be forgotten, and of the others.
        ///   - shapes: the room for shapes of queries to all of them.
        init(limit: Int, shapes: ShapeRoom = ShapeRoom()) {
            self.limit = limit
            self.shapes = shapes
        }

        var ids: [DatabaseID] { Array(notes.keys) }

        var all: [(id: DatabaseID, notes: DatabaseNotes)] { notes.map { (id: $0.key, notes: $0.value) } }

        subscript(_ id: DatabaseID) -> DatabaseNotes? { notes[id] }

        /// Whether there is room for one more, or the database is known.
        func mayKeep(_ id: DatabaseID) -> Bool { kept.count < limit || notes[id] != nil }

        /// The notes of a database that has a file from now on.
        mutating func use(_ id: DatabaseID) -> DatabaseNotes {
            forgettable[id] = nil
            kept.remove(id)
            if let known = notes[id] { return known }
            let new = DatabaseNotes(id, shapes)
            notes[id] = new
            return new
        }

        /// A database has no file any more. Nothing is kept of names for which nothing was done.
        mutating func noteRemoval(of id: DatabaseID) {
            guard let known = notes[id] else { return }
            known.left = nil
            if known.isEmpty { return forget(id) }
            if known.traffic.concernsIndexes {
                kept.insert(id)
            } else {
                removals += 1
                forgettable[id] = removals
                if forgettable.count > limit { forgetOldest() }
            }
        }

        /// Several at once, because they must be sorted for it.
        private mutating func forgetOldest() {
            let oldest = forgettable.sorted { $0.value < $1.value }
            for (id, _) in oldest.prefix(1 + limit / 4) { forget(id) }
        }

        private mutating func forget(_ id: DatabaseID) {
            guard let known = notes.removeValue(forKey: id) else { return }
            forgottenTime = max(forgottenTime, known.latestTime)
            forgottenLeftOut = forgottenLeftOut + known.traffic.leftOut
            forgettable[id] = nil
        }
    }
#endif
