// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine

extension Database {
    /// The version of the program's own data: the last one that ``migrate(to:step:)`` reached, 0 in a new database.
    ///
    /// Hearth does not use it. It is not the version of the file format.
    ///
    /// - Throws: ``FirestoreError`` if the file cannot be read.
    public nonisolated(nonsending) func dataVersion() async throws -> Int {
        try await dataVersionJob().value()
    }

    /// Migrates the program's own data to a version, one version at a time.
    ///
    /// ```swift
    /// try await database.migrate(to: 2) { version in
    ///     switch version {
    ///     case 1: try await database.setIndexConfiguration(indexes)
    ///     case 2:
    ///         for try await users in database.collection("users").batches(of: 500) {
    ///             let batch = database.batch()
    ///             for user in users { batch.updateData(["isActive": true], forDocument: user.reference) }
    ///             try await batch.commit()
    ///         }
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// The version is recorded after each step. A step that throws, or during which the program ends, runs again next
    /// time, so it must give the same result if some of its writes are already there. If two programs migrate at the
    /// same time, both run steps, and one of them throws `aborted`.
    ///
    /// - Parameters:
    ///   - version: the version that the program needs.
    ///   - step: migrates the data from the previous version to the given one.
    /// - Throws: errors of the steps; ``FirestoreError``: `failedPrecondition` if the data already has a later version,
    ///   which means that a newer program has used it.
    public nonisolated(nonsending) func migrate(to version: Int, step: (_ version: Int) async throws -> Void)
        async throws
    {
        for next in try Database.steps(from: try await dataVersion(), to: version) {
            try await step(next)
            try await dataVersionJob(setting: next).value()
        }
    }

    fileprivate static func steps(from current: Int, to version: Int) throws -> ClosedRange<Int>.SubSequence {
        guard current <= version else {
            throw FirestoreError(
                .failedPrecondition,
                "The data has version \(current). This program knows versions up to \(version): use a newer one.")
        }
        return (current...version).dropFirst()
    }

    fileprivate func dataVersionJob() -> Job<Int> {
        Job(self, .read) { engine in
            do throws(EngineError) { return Int(clamping: try engine.dataVersion()) } catch {
                throw FirestoreError(error)
            }
        }
    }

    fileprivate func dataVersionJob(setting version: Int) -> Job<Void> {
        Job(self, .maintenance) { engine in
            do throws(EngineError) { try engine.setDataVersion(UInt64(version)) } catch { throw FirestoreError(error) }
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/dataVersion()``.
    public func dataVersion() throws -> Int { try base.dataVersionJob().wait() }

    /// The blocking form of ``Database/migrate(to:step:)``.
    public func migrate(to version: Int, step: (_ version: Int) throws -> Void) throws {
        for next in try Database.steps(from: try dataVersion(), to: version) {
            try step(next)
            try base.dataVersionJob(setting: next).wait()
        }
    }
}
