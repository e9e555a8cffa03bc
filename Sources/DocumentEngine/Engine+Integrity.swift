// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension Engine {
    /// Checks the file's pages, the documents and index entries against each other, and the history if it is kept, in one read
    /// transaction.
    ///
    /// The report lists the problems; an error means that the file could not be read to its end. If damaged pages make
    /// it unsafe for LMDB to follow them, the report lists only those pages.
    ///
    /// - Parameters:
    ///   - progress: called with the completed share of the work.
    ///   - records: what is to be checked of a replica's records besides their checksums.
    package func verify(
        progress: ((Double) -> Void)? = nil, records: RecordsCheck? = nil
    ) throws(EngineError) -> VerificationReport {
        var report = VerificationReport()
        let work = progress == nil ? VerificationWork() : verificationWork
        let isSound = try Engine.auditPages(environment, &report) { progress?(work.share(pages: $0)) }
        guard isSound else { return report }
        return try read { (transaction) throws(EngineError) in
            let catalog: CatalogSnapshot
            do throws(EngineError) {
                catalog = try self.catalogs.read(&transaction)
            } catch {
                guard case .damaged(let what) = error else { throw error }
                var report = report
                report.note(what)
                return report
            }
            var verifier = try Verifier(
                catalog, self.database, report, work, WorkProgress(total: work.total, done: work.pages, progress),
                isReplica: self.isReplica, &transaction)
            try verifier.verify(&transaction)
            var report = verifier.report
            if self.isReplica { try self.check(records, &report, &transaction) }
            guard let store = self.stores.history else { return report }
            var check = HistoryCheck(HistoryReader(store: store, database: self.database))
            try check.check(&report, &transaction)
            return report
        }
    }

    /// A guess where the counts cannot be read: the report will say why.
    private var verificationWork: VerificationWork {
        let storage = scheduler.storage
        return VerificationWork(
            pages: environment.info.pages, documents: (try? storage.entryCount(of: .documents)) ?? 0,
            entries: (try? storage.entryCount(of: .fieldEntries, .compositeEntries)) ?? 0)
    }

    private func check(
        _ records: RecordsCheck?, _ report: inout VerificationReport, _ transaction: inout Transaction
    ) throws(EngineError) {
        try RecordsCheck.readRecords(of: database, &report, &transaction) { records?.note($0, $1) }
        guard let records else { return }
        try records.finish(
            { (path) throws(EngineError) in try self.document(path, transaction) }, report.timeless, &report)
    }

    /// Checks a file. Audits its pages before LMDB reads anything except the header.
    ///
    /// - Parameter records: as in ``verify(progress:records:)``, for a file that is a replica.
    /// - Throws: if the file cannot be opened because it is missing, is no database, or has a newer format. The report
    ///   lists all other failures.
    package static func verify(
        fileAt path: String, records: (Engine) -> RecordsCheck? = { _ in nil }
    ) throws(EngineError) -> VerificationReport {
        var options = Options()
        options.readOnly = true
        options.creates = false
        // Opens the history if there is one.
        options.history = HistoryLimits()
        // Keeps the environment open, so that the engine below shares it.
        let environment = try openEnvironment(path, options)
        var report = VerificationReport()
        do throws(EngineError) {
            guard try auditPages(environment, &report) else { return report }
            let engine = try open(path, options)
            return try engine.verify(records: engine.isReplica ? records(engine) : nil)
        } catch {
            if case .unusable = error { throw error }
            report.note(error.finding)
            return report
        }
    }

    /// Adds damaged pages to the report, and returns whether LMDB can read the file safely.
    private static func auditPages(
        _ environment: Environment, _ report: inout VerificationReport, progress: ((_ share: Double) -> Void)? = nil
    ) throws(EngineError) -> Bool {
        let findings: [PageFinding]
        do { findings = try environment.auditPages(progress: progress) } catch { throw .storage(error) }
        for finding in findings { report.note(finding.text) }
        return findings.allSatisfy { $0.disorderedStore != nil }
    }
}

extension Engine {
    /// The approximate size of a copy.
    package func copiedByteCount(compacting: Bool) throws(EngineError) -> Int {
        do { return try environment.copiedByteCount(compacting: compacting) } catch { throw .storage(error) }
    }

    /// Copies one snapshot of the database to a new file while others read and write. Never overwrites a file, and
    /// refuses a file with damaged pages.
    ///
    /// - Parameters:
    ///   - compacting: leaves out free pages.
    ///   - progress: called on this thread, inside the read, with the completed share of the work. It must not write, nor wait for
    ///     a thread that reads or writes the database.
    package func copy(
        to path: String, compacting: Bool, progress: ((Double) -> Void)? = nil
    ) throws(EngineError) {
        do {
            try environment.copy(to: path, compacting: compacting, progress: progress)
        } catch {
            throw .storage(error)
        }
    }
}
