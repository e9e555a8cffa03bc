// SPDX-License-Identifier: Apache-2.0

/// Why a query has no plan.
package enum PlanningError: Error, Sendable {
    /// INVALID_ARGUMENT.
    case invalid(InvalidQueryError)
    /// FAILED_PRECONDITION.
    case missingIndex(MissingIndexError)
}
