// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A document, name or value that Firestore refuses with INVALID_ARGUMENT.
package struct DocumentFormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in production's words if they are known.
    package let message: String
    /// The byte offset of the error in the JSON source; nil if the input has no source.
    package let offset: Int?

    package init(_ message: String, offset: Int? = nil) {
        self.message = message.boundedMessage
        self.offset = offset
    }

    package var description: String { message }
}
