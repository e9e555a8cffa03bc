// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension Engine {
    /// ``repair(progress:keeping:)`` of a file that is not open. It also upgrades a file of an older format to the current one, in the
    /// same commit.
    package static func repair(
        fileAt path: String, progress: ((Double) -> Void)? = nil,
        keeping keep: ([SetAsideRecord]) throws(EngineError) -> Void
    ) throws(EngineError) -> RepairReport {
        var options = Options()
        options.creates = false
        return try open(path, options, acceptsOlderFormats: true).repair(progress: progress, keeping: keep)
    }

    /// Builds every index anew from the documents and takes away what cannot be read, in one commit: all or nothing.
    ///
    /// Readers go on meanwhile, writers wait. The time of every document stays.
    ///
    /// - Parameters:
    ///   - progress: told the share of the documents that were read.
    ///   - keep: is handed the records that will be gone, before the commit, so that it can put them elsewhere; what it
    ///     throws undoes the repair. It may be called again, with all of them, when the map has to grow.
    /// - Throws: `damaged` where pages other than those of index entries are, so that nothing can be done to the file in place.
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
            ids.invalidate()
        }
        let total = progress == nil ? 0 : try scheduler.storage.entryCount(of: .documents)
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
            if !report.setAside.isEmpty { try keep(report.setAside) }
            return report
        }
    }

    /// The stores of index entries are emptied without looking at what is in them; all else must be in order.
    private func requireValidPages() throws(EngineError) {
        let findings: [PageFinding]
        do { findings = try environment.auditPages() } catch { throw .storage(error) }
        let rebuilt = [Stores.names[2], Stores.names[3]]
        let inTheWay = findings.first { finding in !rebuilt.contains { $0 == finding.disorderedStore } }
        if let inTheWay { throw .damaged("\(inTheWay.text), so that it cannot be repaired in place: restore a backup") }
    }

    /// Takes away what belongs to no long key. Index entries are made anew, so that only other records are kept.
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
