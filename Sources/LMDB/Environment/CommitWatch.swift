// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
package import Dispatch
internal import Glibc

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
        var status = stat()
        guard unsafe fstat(dataDescriptor, &status) != 0 || status.st_nlink > 0 else { return nil }
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
        guard let events = CommitWatch.events(of: file) else {
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
            CommitWatch.drain(events)
            look()
            self?.rest(queue)
        }
        source.setCancelHandler { close(events) }
        source.resume()
    }

    deinit { source.cancel() }

    /// `look` is not called any more, except for a call that has begun.
    package func cancel() { source.cancel() }

    /// A descriptor that can be read once the file has been written.
    private static func events(of file: Int32) -> Int32? {
        let events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard events >= 0 else { return nil }
        // This name leads to the open file, even if its path does not.
        if unsafe inotify_add_watch(events, "/proc/self/fd/\(file)", UInt32(IN_MODIFY)) >= 0 { return events }
        close(events)
        return nil
    }

    private func rest(_ queue: DispatchQueue) {
        source.suspend()
        // A suspended source must not be released: the block keeps it.
        queue.asyncAfter(deadline: .now() + CommitWatch.pause) { self.source.resume() }
    }

    private static func drain(_ events: Int32) {
        _ = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            unsafe read(events, buffer.baseAddress, buffer.count)
        }
    }
}
