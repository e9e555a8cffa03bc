// SPDX-License-Identifier: Apache-2.0

/// A query that production refuses with INVALID_ARGUMENT, in production's words.
package struct InvalidQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Status: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
    }

    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package var status: Status { .invalidArgument }
    package var description: String { message }
}
