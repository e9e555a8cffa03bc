// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, and where.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What is wrong and what to do: a sentence without a full stop.
    package let message: String
    /// The offset of the wrong byte; the length of the input if something is missing at its end.
    package let offset: Int

    package init(message: String, offset: Int) {
        self.message = message.boundedMessage
        self.offset = offset
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    package var description: String { "\(message) (byte \(offset))" }
}

extension String {
    /// The message, with the middle cut out if it is long. A message can quote its input, and a number can have a
    /// hundred thousand digits.
    package var boundedMessage: String {
        let (limit, kept) = (4_000, 500)
        guard utf8.count > limit else { return self }
        return "\(String(unicodeScalars.prefix(2 * kept))) … \(String(unicodeScalars.suffix(kept)))"
    }
}
