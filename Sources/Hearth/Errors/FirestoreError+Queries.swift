// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import QueryPlanner

extension FirestoreError {
    /// Why a query failed; for a missing index, with everything that the database knows about it.
    convenience init(_ error: QueryError, _ engine: Engine) {
        switch error {
        case .engine(let error): self.init(error)
        case .planning(.invalid(let error)): self.init(.invalidArgument, error.message)
        case .planning(.hint(let error)): self.init(.invalidArgument, error.message)
        case .planning(.missingIndex(let error)):
            let catalog = try? engine.catalog().indexes
            self.init(
                .failedPrecondition, error.message(in: engine.linked),
                missingIndex: MissingIndex(error, catalog: catalog, database: engine.linked))
        }
    }
}
