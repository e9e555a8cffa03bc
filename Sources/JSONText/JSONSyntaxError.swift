// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, and where.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What is wrong and what to do, for people: a sentence without a full stop.
    package let message: String
    /// The offset of the offending byte; the input's length where something is missing at its end.
    package let offset: Int

    package init(message: String, offset: Int) {
        self.message = message.boundedMessage
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    package var description: String { "\(message) (byte \(offset))" }
}
