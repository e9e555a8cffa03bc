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
    /// The copy is one consistent state with all indexes, and is on the device when this returns. It opens like any other database.
    /// Copying a file by other means while it is open does not give a usable copy. All pages are checked first.
    ///
    /// - Parameters:
    ///   - file: the new file, readable by its owner only. An existing file is never overwritten.
    ///   - progress: called with the share of the file that is written, from 0 to 1, on any thread.
    /// - Throws: ``FirestoreError``: `alreadyExists` where there is a file, `resourceExhausted` where the disk is full,
    ///   `dataLoss` where pages are damaged; no file is left then.
    public nonisolated(nonsending) func backup(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws {
        try await copyJob(file, compacting: false, progress).value()
    }

    /// Copies the database to a new file without its free space, which takes longer than ``backup(to:progress:)``.
    ///
    /// The open database keeps its size. To replace it, close all its users first, then rename the copy.
    ///
    /// - Parameters:
    ///   - file: the new file, readable by its owner only. An existing file is never overwritten.
    ///   - progress: called with the share of the copy that is written, from 0 to 1, on any thread.
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
            do throws(EngineError) {
                let size = try engine.copiedByteCount(compacting: compacting)
                let growth = progress.map { FileGrowth(of: file, to: size, $0) }
                defer { growth?.stop() }
                try engine.copy(to: file.path, compacting: compacting)
                growth?.finish()
            } catch {
                throw FirestoreError(error)
            }
        }
    }
}

extension Synchronous where Base == Database {
    /// ``Database/backup(to:progress:)``, blocking.
    public func backup(to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil) throws {
        try base.copyJob(file, compacting: false, progress).wait()
    }

    /// ``Database/compact(to:progress:)``, blocking.
    public func compact(to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil) throws {
        try base.copyJob(file, compacting: true, progress).wait()
    }
}

/// Tells how far a file has grown, ten times a second: LMDB copies in one call.
private final class FileGrowth {
    private let queue = DispatchQueue(label: "hearth.progress")
    private let timer: any DispatchSourceTimer
    private let tell: @Sendable (Double) -> Void

    init(of file: URL, to size: Int, _ tell: @escaping @Sendable (Double) -> Void) {
        self.tell = tell
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            guard let written = (attributes?[.size] as? NSNumber)?.doubleValue else { return }
            tell(min(written / Double(max(size, 1)), 0.99))
        }
        timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
        timer.resume()
    }

    func stop() { timer.cancel() }

    /// After this, nothing is told.
    func finish() {
        timer.cancel()
        queue.sync { tell(1) }
    }
}
