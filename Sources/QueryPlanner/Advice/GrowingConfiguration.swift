// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// A configuration that gains what queries lack, one query after another.
package struct GrowingConfiguration {
    package private(set) var configuration: IndexConfiguration
    /// What it has gained.
    package private(set) var added = IndexConfiguration()
    private var catalog: IndexCatalog

    package init(_ configuration: IndexConfiguration) {
        self.configuration = configuration
        catalog = IndexCatalog(configuration)
    }

    /// Adds what a query lacks; nothing if it is served or invalid.
    ///
    /// - Returns: what was missing, in the order in which production would name it.
    package mutating func serve(_ request: QueryRequest, database: DatabaseID) -> [MissingIndexError] {
        var missing: [MissingIndexError] = []
        // Each disjunct may lack an index of its own.
        for _ in 0..<30 {
            do throws(PlanningError) {
                _ = try Planner.plan(request, catalog: catalog, database: database)
                return missing
            } catch {
                guard case .missingIndex(let error) = error else { return missing }
                missing.append(error)
                let fix = error.fix(for: catalog)
                configuration = configuration.adding(fix)
                added = added.adding(fix)
                catalog = IndexCatalog(configuration)
            }
        }
        return missing
    }
}
