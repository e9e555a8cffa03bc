// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Synchronization

/// Calls that the program did not await, over all databases of the process. The first one installs an exit handler,
/// which waits for the rest when the program ends.
final class UnawaitedWrites: Sendable {
    static let shared = UnawaitedWrites()
    /// The longest time that a program waits when it ends, in seconds.
    static let exitBound = 5.0

    private let group = DispatchGroup()
    private let count = Atomic<Int>(0)

    private init() {
        atexit { UnawaitedWrites.shared.finish() }
    }

    func begin() {
        count.add(1, ordering: .relaxed)
        group.enter()
    }

    func end() {
        count.subtract(1, ordering: .relaxed)
        group.leave()
    }

    private func finish() {
        guard group.wait(timeout: .now() + UnawaitedWrites.exitBound) == .timedOut else { return }
        let count = count.load(ordering: .relaxed)
        let message =
            "Hearth: \(count == 1 ? "1 call was" : "\(count) calls were") not finished when the program ended. "
            + "Await writes, or waitForPendingWrites(), before it ends."
        StandardError.write(message)
    }
}
