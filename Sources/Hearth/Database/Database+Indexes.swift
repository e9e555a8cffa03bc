// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import IndexCatalog
internal import JSONText

extension Database {
    /// Makes the database's indexes those of a `firestore.indexes.json`, and builds what is new.
    ///
    /// ```swift
    /// try await database.setIndexConfiguration("""
    ///     {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
    ///         {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "population", "order": "DESCENDING"}]}]}
    ///     """)
    /// ```
    ///
    /// It replaces the former configuration: composite indexes and field overrides that this one lacks are dropped. Scopes and
    /// overrides are honoured (unlike J-36). When it returns, the indexes are ready; others read and write meanwhile, and a query
    /// that needs an index that is not ready yet fails as in production. If the program ends before, the change goes on when the
    /// database is opened again. Comments are allowed.
    ///
    /// - Throws: ``FirestoreError``: `invalidArgument` with line, column and what to do for the first error in the text; then
    ///   nothing was changed.
    public nonisolated(nonsending) func setIndexConfiguration(_ json: String) async throws {
        try await indexJob(json).value()
    }

    /// The same with a callback; without one, a failure is logged (``FirestoreSettings/logHandler``).
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

extension Synchronous where Base == Database {
    /// ``Database/setIndexConfiguration(_:)``, blocking.
    public func setIndexConfiguration(_ json: String) throws {
        try base.indexJob(json).wait()
    }
}
