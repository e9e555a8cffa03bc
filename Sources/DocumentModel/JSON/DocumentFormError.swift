// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A document, name or value that Firestore does not accept; its status is always INVALID_ARGUMENT.
package struct DocumentFormError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and with what, in production's words where they are known.
    package let message: String
    /// Where in the JSON source it stands, as a byte offset; nil for input that has no source.
    package let offset: Int?

    package init(_ message: String, offset: Int? = nil) {
        self.message = message.boundedMessage
        self.offset = offset
    }

    package var description: String { message }
}
