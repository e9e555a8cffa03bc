// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import IndexCatalog
internal import JSONText

extension Database {
    /// Makes the database's indexes those of a `firestore.indexes.json`, and builds the new ones.
    ///
    /// ```swift
    /// try await database.setIndexConfiguration("""
    ///     {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
    ///         {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "population", "order": "DESCENDING"}]}]}
    ///     """)
    /// ```
    ///
    /// The new configuration replaces the old one: composite indexes and field overrides that it lacks are dropped.
    /// Query scopes and field overrides apply, which FirebaseFirestore ignores. Comments are allowed.
    ///
    /// All indexes are ready when this returns. Reads and writes continue meanwhile. A query that needs an index that
    /// is not ready fails, as in production. If the program ends during a build, the build resumes when the database is
    /// opened again.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` for the first error in the text, with its line, its column and
    ///   what to do; nothing has changed then.
    public nonisolated(nonsending) func setIndexConfiguration(_ json: String) async throws {
        try await indexJob(json).value()
    }

    /// Sets the index configuration and calls `completion` when all indexes are ready or the change has failed, on
    /// ``FirestoreSettings/dispatchQueue``. Without a callback, a failure is logged (``FirestoreSettings/logHandler``).
    public func setIndexConfiguration(_ json: String, completion: (((any Error)?) -> Void)? = nil) {
        indexJob(json).start(completion, describedAs: "Setting the index configuration")
    }

    fileprivate func indexJob(_ json: String) -> Job<Void> {
        Job(self, .maintenance) { [self] engine in
            let configuration = try Database.configuration(json)
            do throws(EngineError) { try engine.apply(configuration, prune: true) } catch {
                throw FirestoreError(error)
            }
            log(
                .debug,
                "Set \(configuration.indexes.count) indexes and \(configuration.fieldOverrides.count) field overrides")
        }
    }

    private static func configuration(_ json: String) throws(FirestoreError) -> IndexConfiguration {
        let source = Array(json.utf8)
        let (configuration, findings) = ConfigurationReader.read(source)
        guard let first = findings.first(where: { $0.rule.severity == .error }) else { return configuration }
        let place = LineMap(source).position(of: first.offset)
        throw .invalidArgument(
            "Index configuration, line \(place.line), column \(place.column): \(first.message) (\(first.rule.id)).")
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/setIndexConfiguration(_:)``.
    public func setIndexConfiguration(_ json: String) throws {
        try base.indexJob(json).wait()
    }
}
