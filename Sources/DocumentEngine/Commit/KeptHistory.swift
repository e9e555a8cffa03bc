// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// What an engine that keeps history needs for it.
struct KeptHistory: Sendable {
    let reader: HistoryReader
    let limits: HistoryLimits
    private let firstIncarnation: UInt64?
    let times: CommitTimes
    /// The current time in microseconds since 1970.
    let now: @Sendable () -> UInt64

    /// Nil if no history is wanted, or if the file is read-only and has none.
    ///
    /// - Parameter latest: every commit gets a later time.
    init?(
        _ storage: Storage, _ database: DatabaseID, _ limits: HistoryLimits?, after latest: Timestamp,
        _ firstIncarnation: UInt64?
    ) throws(EngineError) {
        guard let limits, let store = storage.stores.history else { return nil }
        reader = HistoryReader(store: store, database: database)
        self.limits = limits
        self.firstIncarnation = firstIncarnation
        now = storage.now
        let stored = try storage.read { (transaction) throws(EngineError) in
            try Counter(.commitTime).value(transaction)
        }
        times = CommitTimes(after: max(stored, UInt64(max(0, latest.microseconds))))
    }

    /// The earliest time that can be read, if the history reaches back to it, in microseconds since 1970.
    var windowStart: UInt64 { limits.windowStart(at: now()) }

    func recorder(_ transaction: inout Transaction) throws(EngineError) -> HistoryRecorder {
        try HistoryRecorder(reader, limits, firstIncarnation, now: now, &transaction)
    }
}

extension TransactionScheduler {
    /// Makes the history begin with this opening if it cannot continue.
    func beginHistory() throws(EngineError) {
        guard let history, !storage.environment.options.readOnly else { return }
        var isComplete = false
        do throws(EngineError) {
            isComplete = try read { (transaction) throws(EngineError) in
                try HistoryHead.read(from: history.reader.store, transaction)?.isComplete(transaction) ?? false
            }
        } catch {
            guard case .damaged = error else { throw error }
        }
        if !isComplete { try write { (_, _, _) in } }
    }

    /// Whether another program keeps a history that a commit of this one would end: it has every commit, and was added to within the
    /// window of a server.
    func hasHistoryOfOthers() throws(EngineError) -> Bool {
        guard history == nil, let store = try storage.historyStore() else { return false }
        let start = HistoryLimits().windowStart(at: storage.now())
        do throws(EngineError) {
            return try read { (transaction) throws(EngineError) in
                guard let head = try HistoryHead.read(from: store, transaction), head.commitTime >= start else {
                    return false
                }
                return try head.isComplete(transaction)
            }
        } catch {
            guard case .damaged = error else { throw error }
            return false
        }
    }

    /// Whether what a transaction has read is still so, after the commits before it that share its LMDB transaction.
    func isCurrent(
        _ reads: ReadSet, _ log: ChangeLog, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        guard let recorder = log.history else { throw .historyIsOff }
        var validator = ReadValidator(reads, recorder.history)
        return try validator.isCurrent(after: recorder.changes, &transaction)
    }

    /// Undoes every change after a time. See ``Engine/restore(to:)``.
    func restore(to time: UInt64) throws(EngineError) {
        guard let history else { throw .historyIsOff }
        try write { (transaction, _, log) throws(EngineError) in
            try history.requireReadable(time, transaction)
            let past = try PastVersions(
                at: time, in: .descendants(of: nil), history.reader, &transaction)
            let catalog = try self.catalogs.read(&transaction)
            let cached = WriterCache.Content(catalogVersion: catalog.version)
            var applier = try WriteApplier(catalog, cached: cached, database: self.database, &transaction)
            for version in past.versions.values {
                try applier.overwrite(version.path, with: try version.record?.decoded(), transaction)
            }
            _ = try applier.finish(placingPages: false, &transaction)
            try log.history?.erase(after: time, &transaction)
            try HistoryRecorder.beginIncarnation(&transaction)
            log.discard()
        }
    }
}

extension KeptHistory {
    /// Throws unless the database's state at a time is known.
    func requireReadable(_ time: UInt64, _ transaction: borrowing Transaction) throws(EngineError) {
        try reader.requireReadable(time, windowStart: windowStart, transaction)
    }
}

extension EngineError {
    static let historyIsOff = EngineError.refused(
        .failedPrecondition, "The database keeps no history. Open it with `Engine.Options.history`.")
}
