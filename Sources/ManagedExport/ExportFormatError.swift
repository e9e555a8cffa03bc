// SPDX-License-Identifier: Apache-2.0

/// Bytes that no export has.
package struct ExportFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    static let empty = ExportFormatError("it is empty; it is no export, or a damaged one")

    package var description: String { message }
}
