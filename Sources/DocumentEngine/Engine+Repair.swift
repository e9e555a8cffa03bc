// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension Engine {
    /// Repairs a file that is not open; see ``repair(progress:keeping:)``. Also upgrades a file of an older format, in the
    /// same commit.
    package static func repair(
        fileAt path: String, progress: ((Double) -> Void)? = nil,
        keeping keep: ([SetAsideRecord]) throws(EngineError) -> Void
    ) throws(EngineError) -> RepairReport {
        var options = Options()
        options.creates = false
        return try open(path, options, acceptsOlderFormats: true).repair(progress: progress, keeping: keep)
    }

    /// Rebuilds every index from the documents and removes unreadable data, in one atomic commit.
    ///
    /// Readers continue meanwhile; writers wait. Every document keeps its update time.
    ///
    /// - Parameters:
    ///   - progress: called with the share of the documents that have been read.
    ///   - keep: called once before the commit with the records that the repair removes, if there are any, so that the
    ///     caller can save them. If it throws, the repair is undone.
    /// - Throws: `damaged` if pages that hold no index entries are damaged, so that the file cannot be repaired in
    ///   place.
    package func repair(
        progress: ((Double) -> Void)? = nil, keeping keep: ([SetAsideRecord]) throws(EngineError) -> Void
    ) throws(EngineError) -> RepairReport {
        try environment.whileMaintaining { () throws(EngineError) in try repairAlone(progress, keeping: keep) }
    }

    private func repairAlone(
        _ progress: ((Double) -> Void)?, keeping keep: ([SetAsideRecord]) throws(EngineError) -> Void
    ) throws(EngineError) -> RepairReport {
        try requireValidPages()
        catalogs.invalidate()
        defer {
            catalogs.invalidate()
            idTables.invalidate()
        }
        let total = progress == nil ? 0 : try scheduler.storage.entryCount(of: .documents)
        // A transaction that runs again, over a larger map, removes the same records again.
        var isKept = false
        return try environment.write { (frame) throws(EngineError) in
            let broken = try self.removeBrokenLongKeys(&frame)
            do throws(LMDBError) {
                try frame.empty(self.stores.fieldEntries)
                try frame.empty(self.stores.compositeEntries)
            } catch {
                throw .storage(error)
            }
            var transaction = Transaction(frame.makeCursors(), self.stores)
            var repairer = try Repairer(
                self.database, WorkProgress(total: total, progress), &transaction)
            try repairer.repair(&transaction)
            var report = repairer.report
            // An older version that goes on would write records in its own format.
            guard report.upgradedFormat == nil || self.environment.isAlone else {
                throw .unusable("Another process has the database open. Close it there before the upgrade.")
            }
            report.setAside = broken + report.setAside
            if !report.setAside.isEmpty, !isKept {
                try keep(report.setAside)
                isKept = true
            }
            return report
        }
    }

    /// Other stores must have valid pages. Those of index entries are emptied unread.
    private func requireValidPages() throws(EngineError) {
        let findings: [PageFinding]
        do { findings = try environment.auditPages() } catch { throw .storage(error) }
        let rebuilt = [Stores.names[2], Stores.names[3]]
        let inTheWay = findings.first { finding in !rebuilt.contains { $0 == finding.disorderedStore } }
        guard let inTheWay else { return }
        throw .damaged("\(inTheWay.text), so the file cannot be repaired in place: restore a backup")
    }

    /// Removes data that belongs to no long key, and returns it except for index entries, which are rebuilt.
    private func removeBrokenLongKeys(_ frame: inout WriteTransaction) throws(EngineError) -> [SetAsideRecord] {
        var records: [SetAsideRecord] = []
        var transaction = Transaction(frame.makeCursors(), stores)
        try OverflowAudit.removeBroken(&transaction) { entry in
            guard entry.store != stores.fieldEntries, entry.store != stores.compositeEntries else { return }
            records.append(SetAsideRecord(key: entry.key, record: entry.value, path: nil, reason: entry.problem))
        }
        return records
    }
}
