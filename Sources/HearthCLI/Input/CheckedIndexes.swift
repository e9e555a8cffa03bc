// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

/// The indexes that queries are checked with: those of a file, and those that the edition makes by itself.
struct CheckedIndexes {
    /// Nil if no file was named.
    let file: ConfigurationFile?
    let edition: Edition
    private(set) var catalog: IndexCatalog
    private let cache = PlanCache()

    /// - Parameter edition: nil for what `.hearth.json` or `firebase.json` says.
    init(_ path: String?, _ edition: Edition?) throws {
        file = try path.map { try ConfigurationFile.valid($0, edition: edition) }
        file?.warnOfContradictions()
        let usual = ConfigurationFile.usualName
        if path == nil, System.exists(usual) {
            Diagnostics.write("hearth: \(usual) is not used; --indexes \(usual) checks with it")
        }
        self.edition = try file?.edition ?? edition ?? RuleSettings.read(nil).edition ?? .standard
        catalog = IndexCatalog(composites: [], fieldOverrides: [])
        use(file?.configuration ?? IndexConfiguration())
    }

    /// Checks with other definitions than the file's.
    mutating func use(_ configuration: IndexConfiguration) {
        guard edition != .standard else { return catalog = IndexCatalog(configuration) }
        // No field has indexes by itself (I-7).
        catalog = IndexCatalog(
            composites: configuration.indexes.map { IndexCatalog.Composite($0) },
            fieldOverrides: [
                FieldOverride(collectionGroup: FieldOverride.everyGroup, path: nil, indexes: [], timeToLive: nil)
            ])
    }

    func outcome(_ input: QueryInput, _ database: DatabaseID) -> QueryAnswer.Outcome {
        served(QueryAnswer.Outcome.plan(input, catalog, database, cache))
    }

    func outcome(_ requests: [QueryRequest], _ database: DatabaseID) -> QueryAnswer.Outcome {
        served(QueryAnswer.Outcome.plan(requests, catalog, database, cache))
    }

    /// Other editions than Standard refuse no query for its index, but search for neighbours needs one.
    private func served(_ outcome: QueryAnswer.Outcome) -> QueryAnswer.Outcome {
        guard edition != .standard, case .missingIndex(let error) = outcome, !error.isAboutVectors else {
            return outcome
        }
        return .scan(error)
    }
}

extension MissingIndexError {
    fileprivate var isAboutVectors: Bool { definition.fields.last?.mode.isVector == true }

    /// What a query that is served by scanning costs, and what would spare it.
    var scanSentence: String {
        "no index serves it, so it reads the whole collection; \(properties(definition)) would serve it"
    }
}
