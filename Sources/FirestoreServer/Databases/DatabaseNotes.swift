// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import IndexCatalog
    internal import Synchronization

    /// What a server knows of a database as long as it runs, whether the database is open or not.
    final class DatabaseNotes: Sendable {
        let traffic: Traffic
        let transactions = TransactionTable()
        let coverage = CoverageRecord()
        private let applied = Mutex<IndexConfiguration?>(nil)
        /// Held while the database is given indexes.
        let applying = Mutex(())
        private let closed = Mutex<LeftFile?>(nil)
        private let latest = Mutex(Timestamp.minimum)
        /// Whether a client knows a state to which the database may be restored, be it an empty one.
        let hasSnapshot = Atomic(false)

        init(_ id: DatabaseID, _ shapes: ShapeRoom = ShapeRoom()) { traffic = Traffic(id, room: shapes) }

        /// Whether there is nothing to know but when it was used.
        var isEmpty: Bool {
            traffic.isEmpty && transactions.isUnused && coverage.isEmpty && !hasSnapshot.load(ordering: .relaxed)
        }

        /// The configuration of indexes that the database was last given; nil if it must get that of its file.
        var configuration: IndexConfiguration? {
            get { applied.withLock { $0 } }
            set { applied.withLock { $0 = newValue } }
        }

        /// The file at the last closing; nil if the server has removed it, or has not closed the database yet.
        var left: LeftFile? {
            get { closed.withLock { $0 } }
            set { closed.withLock { $0 = newValue } }
        }

        /// The time up to which the database was read and written when it was last closed.
        var latestTime: Timestamp {
            get { latest.withLock { $0 } }
            set { latest.withLock { $0 = newValue } }
        }
    }
#endif
