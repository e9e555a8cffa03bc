// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A query that production refuses with INVALID_ARGUMENT, in production's words.
package struct InvalidQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Status: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
    }

    package let message: String
    /// Where in the JSON source the offending value stands, as a byte offset; nil for what has no source or no one place.
    package let offset: Int?

    package init(_ message: String, offset: Int? = nil) {
        self.message = message.boundedMessage
        self.offset = offset
    }

    package var status: Status { .invalidArgument }
    package var description: String { message }
}
