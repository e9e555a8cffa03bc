// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
public import Foundation
internal import JSONText
internal import ReplicaStore

/// The result of ``Database/verify(progress:)``.
public struct VerificationResult: Sendable, Hashable {
    /// The number of documents read.
    public let documents: Int
    /// The number of index entries read.
    public let indexEntries: Int
    /// The number of problems; zero for an intact database.
    public let problemCount: Int
    /// The first hundred problems, in words.
    public let problems: [String]
}

/// The result of a repair, such as ``Database/repair(settingAsideIn:progress:)``.
public struct RepairResult: Sendable, Hashable {
    /// The number of documents in the database.
    public let documents: Int
    /// The number of index entries built.
    public let indexEntries: Int
    /// The problems of the catalog of collections and indexes that were repaired, in words.
    public let repaired: [String]
    /// Why each unreadable record was removed from the database, in words.
    public let setAside: [String]
}

extension Database {
    /// Checks the file's pages and every document, and that documents and index entries match in both directions.
    ///
    /// ```swift
    /// let result = try await database.verify()
    /// if result.problemCount > 0 { print(result.problems.joined(separator: "\n")) }
    /// ```
    ///
    /// It reads the whole file in one read transaction; others read and write meanwhile.
    ///
    /// - Parameter progress: called about a hundred times with the fraction that is checked, from 0 to 1, on the thread
    ///   that checks. It must not use the database.
    /// - Throws: ``FirestoreError`` if the file cannot be read to its end. Other damage is part of the result.
    public nonisolated(nonsending) func verify(
        progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws -> VerificationResult {
        try await verifyJob(progress).value()
    }

    /// Rebuilds every index from the documents, and removes records that cannot be read.
    ///
    /// Everything happens in one commit, so an interrupted repair changes nothing. Reads continue meanwhile; writes
    /// wait.
    ///
    /// - Parameters:
    ///   - file: where unreadable records are appended before they are removed from the database, one line of JSON each
    ///     with `name` if it is known, `reason`, and the base64 of `key` and `record`. It is created only if there is
    ///     such a record.
    ///   - progress: called about a hundred times with the fraction of documents that are read, from 0 to 1, on the
    ///     thread that writes. It must not use the database.
    /// - Throws: ``FirestoreError``: `dataLoss` if pages other than those of indexes are damaged; only a backup helps
    ///   then.
    public nonisolated(nonsending) func repair(
        settingAsideIn file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws -> RepairResult {
        try await repairJob(file, progress).value()
    }

    /// Repairs a database that is not open, and upgrades a file that an older version of Hearth made.
    ///
    /// Opening a file of an older format throws `failedPrecondition`. This call upgrades it to the current format, and does what
    /// ``repair(settingAsideIn:progress:)`` does, in one commit: an interrupted repair leaves the file as it was. Copy the file
    /// before, and close it in every program. In an asynchronous function the asynchronous form of this call is chosen.
    ///
    /// - Parameters:
    ///   - path: of the database file.
    ///   - file: where records that cannot be read are appended before they leave the database.
    ///   - progress: called as in ``repair(settingAsideIn:progress:)``.
    /// - Throws: ``FirestoreError``: `dataLoss` if pages other than those of indexes are damaged, so that only a backup helps;
    ///   `failedPrecondition` if the file is not a Hearth database, has a newer format, or has an older one and another
    ///   process has it open.
    public static func repair(
        path: String, settingAsideIn file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) throws -> RepairResult {
        try repairJob(path, file, progress).wait()
    }

    /// Repairs the file at a path that no database of this process has open, and upgrades it if it has an older format. See
    /// the blocking form for what it throws.
    public nonisolated(nonsending) static func repair(
        path: String, settingAsideIn file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws -> RepairResult {
        try await repairJob(path, file, progress).value()
    }

    fileprivate func verifyJob(_ progress: (@Sendable (Double) -> Void)?) -> Job<VerificationResult> {
        Job(self, .read) { engine in
            do throws(EngineError) {
                let records = engine.isReplica ? ReplicaCheck.check(of: engine) : nil
                let report = try engine.verify(progress: progress, records: records)
                return VerificationResult(
                    documents: report.documents, indexEntries: report.entries, problemCount: report.problemCount,
                    problems: report.problems)
            } catch {
                throw FirestoreError(error)
            }
        }
    }

    fileprivate func repairJob(_ file: URL, _ progress: (@Sendable (Double) -> Void)?) -> Job<RepairResult> {
        Job(self, .maintenance) { engine in
            try RepairResult(settingAsideIn: file) { (keep) throws(EngineError) in
                try engine.repair(progress: progress, keeping: keep)
            }
        }
    }

    private static func repairJob(
        _ path: String, _ file: URL, _ progress: (@Sendable (Double) -> Void)?
    ) -> Job<RepairResult> {
        // It gives the job its queues and does not open.
        let database = Database(path: path, settings: FirestoreSettings().values)
        return Job(withoutEngine: database, .maintenance) {
            try RepairResult(settingAsideIn: file) { (keep) throws(EngineError) in
                try Engine.repair(fileAt: path, progress: progress, keeping: keep)
            }
        }
    }
}

extension RepairResult {
    /// Runs a repair, which hands over the records that it takes out.
    fileprivate init(
        settingAsideIn file: URL,
        _ repair: (_ keep: ([SetAsideRecord]) throws(EngineError) -> Void) throws(EngineError) -> RepairReport
    ) throws(FirestoreError) {
        do throws(EngineError) {
            let report = try repair { (records) throws(EngineError) in try RepairResult.append(records, to: file) }
            documents = report.documents
            indexEntries = report.entries
            repaired = report.repaired
            setAside = report.setAside.map(\.reason)
        } catch {
            throw FirestoreError(error)
        }
    }

    private static func append(_ records: [SetAsideRecord], to file: URL) throws(EngineError) {
        var writer = JSONWriter()
        for record in records { record.writeLine(to: &writer) }
        do throws(FirestoreError) {
            let aside = try OwnFile(appendingTo: file)
            try aside.write(writer.bytes)
            try aside.close()
        } catch {
            throw EngineError(error)
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/verify(progress:)``.
    public func verify(progress: (@Sendable (_ fraction: Double) -> Void)? = nil) throws -> VerificationResult {
        try base.verifyJob(progress).wait()
    }

    /// The blocking form of ``Database/repair(settingAsideIn:progress:)``.
    public func repair(
        settingAsideIn file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) throws -> RepairResult {
        try base.repairJob(file, progress).wait()
    }
}
