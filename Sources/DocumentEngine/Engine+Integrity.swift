// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension Engine {
    /// Checks the file's pages, every document and every index entry, both ways, in one read.
    ///
    /// What is wrong is in the report; an error means that the file could not be read through. Where pages are so
    /// damaged that LMDB cannot be trusted to follow them, they are the only findings.
    ///
    /// - Parameter progress: told the share of documents and index entries that were read.
    package func verify(progress: ((Double) -> Void)? = nil) throws(EngineError) -> VerificationReport {
        var report = VerificationReport()
        guard try Engine.auditPages(environment, &report) else { return report }
        let total =
            progress == nil ? 0 : try scheduler.storage.entryCount(of: .documents, .fieldEntries, .compositeEntries)
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
                catalog, self.database, report, WorkProgress(total: total, progress), &transaction)
            try verifier.verify(&transaction)
            return verifier.report
        }
    }

    /// The same for a file, whose pages are checked before LMDB reads anything but its header.
    ///
    /// - Throws: where the file could not be begun to read: it is missing, no database, or of a newer format. All else that keeps
    ///   it from being read through is in the report.
    package static func verify(fileAt path: String) throws(EngineError) -> VerificationReport {
        var options = Options()
        options.readOnly = true
        options.creates = false
        // Opened once: the engine below shares it.
        let environment = try openEnvironment(path, options)
        var report = VerificationReport()
        do throws(EngineError) {
            guard try auditPages(environment, &report) else { return report }
            return try open(path, options).verify()
        } catch {
            if case .unusable = error { throw error }
            report.note(error.finding)
            return report
        }
    }

    /// Whether LMDB can read the file safely.
    private static func auditPages(
        _ environment: Environment, _ report: inout VerificationReport
    ) throws(EngineError) -> Bool {
        let findings: [PageFinding]
        do { findings = try environment.auditPages() } catch { throw .storage(error) }
        for finding in findings { report.note(finding.text) }
        return findings.allSatisfy { $0.disorderedStore != nil }
    }
}
