// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
package import Dispatch

extension Environment {
    /// Calls `look` on the queue whenever the file may have a new commit, of this process or another, until the watch is
    /// cancelled. ``info`` then tells whether it has one; reads may see the commit a little later.
    ///
    /// The kernel reports writes to the file, so that nothing runs while nobody writes.
    ///
    /// - Parameter queue: a serial queue.
    /// - Returns: nil where nobody else can write: the file has no name any more, or was opened as immutable.
    package func watchCommits(on queue: DispatchQueue, look: @escaping @Sendable () -> Void) -> CommitWatch? {
        guard !options.isImmutable else { return nil }
        guard System.status(of: dataDescriptor).map({ $0.names > 0 }) ?? true else { return nil }
        return CommitWatch(dataDescriptor, queue, look)
    }
}

/// Waits for writes to a database file; see ``Environment/watchCommits(on:look:)``.
///
/// It watches the file and not the lock file: LMDB changes the lock file through a map, which the kernel does not report, and
/// loses its locks if the process closes another descriptor of it. A watch opens neither.
package final class CommitWatch: @unchecked Sendable {  // Immutable; sources may be used from any thread.
    private let source: any DispatchSourceProtocol

    /// How often to look where the kernel reports nothing: it has no watches left, or `/proc` is missing.
    private static let slow = DispatchTimeInterval.milliseconds(500)
    /// A commit is several writes, and many commits may follow each other. All writes within this time are taken together.
    private static let pause = DispatchTimeInterval.milliseconds(2)

    fileprivate init(_ file: Int32, _ queue: DispatchQueue, _ look: @escaping @Sendable () -> Void) {
        guard let events = System.writeEvents(of: file) else {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + CommitWatch.slow, repeating: CommitWatch.slow, leeway: .milliseconds(100))
            timer.setEventHandler(handler: look)
            source = timer
            source.resume()
            return
        }
        source = DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
        source.setEventHandler { [weak self] in
            // Before `look`: a write from now on makes it readable again.
            System.drain(events)
            look()
            self?.rest(queue)
        }
        source.setCancelHandler { System.close(events) }
        source.resume()
    }

    deinit { source.cancel() }

    /// `look` is not called any more, except for a call that has begun.
    package func cancel() { source.cancel() }

    private func rest(_ queue: DispatchQueue) {
        source.suspend()
        // A suspended source must not be released: the block keeps it.
        queue.asyncAfter(deadline: .now() + CommitWatch.pause) { self.source.resume() }
    }
}
