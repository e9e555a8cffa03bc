// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
public import Foundation

extension Database {
    /// Copies the database to a new file while others read and write.
    ///
    /// ```swift
    /// try await database.backup(to: URL(filePath: "cities-backup.db"))
    /// ```
    ///
    /// The copy is one consistent state with all indexes, and is on the device when this returns. It opens like any
    /// other database. Copying an open file by other means does not give a usable copy. Every
    /// page is checked before it is copied. Until the copy is written, the database file grows with what others write.
    ///
    /// - Parameters:
    ///   - file: the new file, readable by its owner only. An existing file is never overwritten.
    ///   - progress: called on any thread, one call at a time, with the completed fraction of the work, from 0 to 1. It may use
    ///     the database; the copy does not wait for it before its end.
    /// - Throws: ``FirestoreError``: `alreadyExists` if the file exists, `resourceExhausted` if the disk is full,
    ///   `dataLoss` if pages are damaged. No incomplete copy is left.
    public nonisolated(nonsending) func backup(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws {
        try await copyJob(file, compacting: false, progress).value()
    }

    /// Copies the database to a new file without its free space.
    ///
    /// The open database keeps its size. To replace it, close it in every process, then rename the copy.
    ///
    /// - Parameters:
    ///   - file: the new file, readable by its owner only. An existing file is never overwritten.
    ///   - progress: called on any thread, one call at a time, with the completed fraction of the work, from 0 to 1. It may use
    ///     the database; the copy does not wait for it before its end.
    /// - Throws: ``FirestoreError``, as ``backup(to:progress:)``.
    public nonisolated(nonsending) func compact(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws {
        try await copyJob(file, compacting: true, progress).value()
    }

    fileprivate func copyJob(
        _ file: URL, compacting: Bool, _ progress: (@Sendable (Double) -> Void)?
    ) -> Job<Void> {
        Job(self, .read) { engine in
            // Not inside the engine's read, in which the caller's code could not write.
            let reports = DispatchQueue(label: "hearth.copy.progress")
            defer { reports.sync {} }
            let report = progress.map { progress in
                { (fraction: Double) in reports.async { progress(fraction) } }
            }
            do throws(EngineError) {
                try engine.copy(to: file.path, compacting: compacting, progress: report)
            } catch {
                throw FirestoreError(error)
            }
            report?(1)
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/backup(to:progress:)``.
    public func backup(to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil) throws {
        try base.copyJob(file, compacting: false, progress).wait()
    }

    /// The blocking form of ``Database/compact(to:progress:)``.
    public func compact(to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil) throws {
        try base.copyJob(file, compacting: true, progress).wait()
    }
}
