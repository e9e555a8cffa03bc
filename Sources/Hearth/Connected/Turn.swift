// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What only the first of several may do.
final class Turn: Sendable {
    private let isTaken = Atomic<Bool>(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
