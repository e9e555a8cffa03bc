// SPDX-License-Identifier: Apache-2.0

import Hearth
import Synchronization
import TestSupport
import Testing

/// What a listener received.
final class Heard<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    let errors = Mutex<[FirestoreError]>([])
    let registration = Mutex<(any ListenerRegistration)?>(nil)

    func add(_ element: Element?, _ error: (any Error)? = nil) {
        if let element { elements.withLock { $0.append(element) } }
        if let error = error as? FirestoreError { errors.withLock { $0.append(error) } }
    }

    /// The elements since the last call.
    func take() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }

    /// The oldest element that was not taken.
    func takeFirst() -> Element? {
        elements.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func remove() { registration.withLock { $0?.remove() } }
}

extension Heard {
    var failures: [FirestoreError] { errors.withLock { $0 } }

    /// Waits for the next elements; returns them when there are this many.
    nonisolated(nonsending) func next(_ count: Int = 1, _ event: String = "a snapshot") async throws -> [Element] {
        var found: [Element] = []
        try await wait(for: "\(count) times \(event)") {
            found += take()
            return found.count >= count
        }
        return found
    }

    /// Waits for an element, and drops those before it.
    nonisolated(nonsending) func first(_ event: String, where isIt: (Element) -> Bool) async throws -> Element {
        var found: Element?
        try await wait(for: event) {
            while let next = takeFirst() {
                guard !isIt(next) else {
                    found = next
                    return true
                }
            }
            return false
        }
        return try #require(found)
    }
}
