// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a test waited for in vain.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until other threads or processes have brought something about: a minute on an idle machine, longer on a busy one.
///
/// It counts looks, not time. Where tests keep every thread of Swift's pool busy, each look takes longer, as does what it waits for.
///
/// - Parameter event: names it in the error.
/// - Throws: ``NeverHappened`` after 60,000 looks, each at least a millisecond after the last one.
package nonisolated(nonsending) func wait(for event: String, until happened: () async throws -> Bool) async throws {
    for _ in 0..<60_000 {
        if try await happened() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    throw NeverHappened(description: "waited in vain for \(event)")
}
