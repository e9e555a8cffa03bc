// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The event that a test waited for in vain.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until other threads or processes have caused an event: a minute on an idle machine, longer on a busy one.
///
/// It counts checks, not time: when tests occupy every thread of Swift's pool, each check takes longer, and so does the
/// event.
///
/// - Parameter event: the event's name, for the error.
/// - Throws: ``NeverHappened`` after 60,000 checks, at least a millisecond apart.
package nonisolated(nonsending) func wait(for event: String, until happened: () async throws -> Bool) async throws {
    for _ in 0..<60_000 {
        if try await happened() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    throw NeverHappened(description: "waited in vain for \(event)")
}
