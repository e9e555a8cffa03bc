// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// What happens to a client: calls of the program, messages of streams, and timers.
///
/// Listeners, writes, waits, observers and bundle loads have numbers that the caller gives, each kind its own, and never
/// twice. A number that is unknown is ignored, as is a message of a stream that was closed and a timer that was
/// cancelled: they were on their way.
package enum SyncInput: Sendable {
    /// The first input. Queued writes of an earlier run are sent.
    case start
    /// The last input. Streams are closed; what is queued stays queued.
    case shutdown

    case listen(SyncQuery, ListenOptions, listener: Int)
    case unlisten(listener: Int)
    case write([Write], write: Int)
    case waitForPendingWrites(wait: Int)
    case observeSnapshotsInSync(observer: Int)
    case endSnapshotsInSync(observer: Int)
    case enableNetwork
    case disableNetwork
    /// The device has a connection again: what was waiting to try again tries now.
    case connectivityRestored
    case changeUser(SyncUser)
    case loadBundle([UInt8], load: Int)
    /// Forgets `percentile` percent of what was used least recently, in small transactions, as long as the replica has at
    /// least `threshold` bytes.
    case collectGarbage(threshold: Int, percentile: Int)

    case streamOpened(SyncStream, connection: Int)
    /// - Parameter isNetworkFailure: whether the server was not reached at all, so that waiting long serves nobody.
    case streamClosed(SyncStream, connection: Int, SyncError?, isNetworkFailure: Bool)
    case watch(WatchChange, connection: Int)
    case writeResponse(WriteResponse, connection: Int)
    case timer(SyncTimer, ticket: Int)
}

/// The server's answer on the write stream.
package struct WriteResponse: Sendable {
    package let streamToken: [UInt8]
    /// Nil in the answer to the handshake.
    package let commit: CommitResult?

    package init(streamToken: [UInt8], commit: CommitResult?) {
        self.streamToken = streamToken
        self.commit = commit
    }
}

package enum SyncStream: Sendable, Hashable, CaseIterable {
    case watch, write
}

/// A timer. At most one of each runs.
package enum SyncTimer: Sendable, Hashable {
    case idle(SyncStream)
    case backoff(SyncStream)
    case health(SyncStream)
    case onlineState
    case storeRetry
    /// The next pass of a collection.
    case collection
}
