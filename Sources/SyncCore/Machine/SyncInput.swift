// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// What happens to a client: calls of the program, messages of streams, and timers.
///
/// Listeners, writes, waits, observers, bundle loads and other calls have numbers that the caller gives, each kind its
/// own, and never twice. A number that is unknown is ignored, as is a message of a stream that was closed and a timer that was
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
    /// Another client may have changed the replica. Only speed depends on it: every input looks.
    case replicaChanged
    /// Credentials name the user; nil when they will name one, maybe another one than before. What is written until then is that
    /// user's, and nothing is sent.
    case changeUser(SyncUser?)
    case loadBundle([UInt8], load: Int)
    /// Forgets `percentile` percent of what was used least recently, in small transactions, as long as the replica has at
    /// least `threshold` bytes.
    case collectGarbage(threshold: Int, percentile: Int)

    /// Takes a batch out of the queue that was never sent. Later batches no longer build on it.
    case cancelWrite(batch: Int, call: Int)
    /// Queues the writes of a refused batch again, behind all others.
    case retryRejectedWrite(batch: Int, write: Int)
    case dropRejectedWrite(batch: Int, call: Int)
    /// Lets collection spare what the replica has of a query, whether it is listened to or not.
    case pin(SyncQuery, call: Int)
    case unpin(SyncQuery, call: Int)
    /// Forgets the cached rows of a query that are not shown, listened to, pinned or queued.
    case evict(SyncQuery, call: Int)

    /// The answer to ``SyncEffect/readDocuments(_:read:)``. Documents that do not exist are `missing`.
    case documentsRead(Result<[SyncDocument], SyncError>, read: Int)
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
    /// Looks whether the replica has an owner, and guests.
    case peers
    /// The next pass of a collection.
    case collection
}
