// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Why a text is no query in the form that people write in code.
package struct QueryTextError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// The byte of the text at which it went wrong.
    package let offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message.boundedMessage
        self.offset = offset
    }

    package var description: String { "\(message) (at character \(offset + 1))" }
}
