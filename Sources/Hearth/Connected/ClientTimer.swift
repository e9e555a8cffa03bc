// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Runs a piece of work once, unless it is cancelled or released before.
///
/// A cancelled timer lets go of its work. A work item of `asyncAfter` would stay in memory until its time, and a client cancels
/// a wait of a minute with each write.
final class ClientTimer: @unchecked Sendable {  // Immutable; sources may be used from any thread.
    private let source: any DispatchSourceTimer

    init(on queue: DispatchQueue, after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: work)
        // As late as `asyncAfter` may be.
        source.schedule(deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(milliseconds / 10))
        source.resume()
    }

    func cancel() { source.cancel() }

    deinit { source.cancel() }
}
