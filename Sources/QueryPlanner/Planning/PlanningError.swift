// SPDX-License-Identifier: Apache-2.0

/// Why a query has no plan.
package enum PlanningError: Error, Sendable {
    /// INVALID_ARGUMENT.
    case invalid(InvalidQueryError)
    /// FAILED_PRECONDITION.
    case missingIndex(MissingIndexError)
    /// INVALID_ARGUMENT: the index that the query names cannot be read for it.
    case hint(IndexHintError)
}
