// SPDX-License-Identifier: Apache-2.0

/// Stored bytes that Hearth did not write: the file is damaged or was written by another program.
package struct StoredFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    static let truncated = StoredFormatError("a stored record ends too early")
}
