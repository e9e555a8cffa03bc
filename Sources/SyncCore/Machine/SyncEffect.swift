// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// What the client's surroundings must do, in this order.
package enum SyncEffect: Sendable {
    case openStream(SyncStream, connection: Int)
    /// Nothing that the stream still says reaches the machine.
    case closeStream(SyncStream, connection: Int)
    case send(WatchRequest)
    case sendWrites(WriteRequest)
    /// The timer fires once, with this ticket. It replaces a running one.
    case startTimer(SyncTimer, ticket: Int, milliseconds: Int)
    case cancelTimer(SyncTimer)
    /// The next stream needs a fresh token.
    case invalidateCredentials
    /// Reads documents as they are on the server now. The answer is ``SyncInput/documentsRead(_:read:)``.
    case readDocuments([DocumentPath], read: Int)

    case snapshot(ViewSnapshot, listener: Int)
    /// The listener has ended.
    case listenerFailed(SyncError, listener: Int)
    /// Every listener has been told of one and the same state.
    case snapshotsInSync(observer: Int)
    /// The writes are in the queue and shown. They survive a restart from here on.
    case writeStored(write: Int)
    /// The server has committed or refused the writes, or the replica could not store them.
    case writeFinished(SyncError?, write: Int)
    case pendingWritesFinished(SyncError?, wait: Int)
    case callFinished(SyncError?, call: Int)
    case onlineState(OnlineState)
    case bundleProgress(BundleProgress, load: Int)
    case bundleFailed(SyncError, load: Int)
}

/// A request on the write stream.
package enum WriteRequest: Sendable {
    /// The first request of a stream.
    case handshake
    case writes([Write], streamToken: [UInt8])
    /// The last one.
    case goodbye(streamToken: [UInt8])
}

/// How much of a bundle was read.
package struct BundleProgress: Sendable, Hashable {
    package let documentsLoaded: Int
    package let totalDocuments: Int
    package let bytesLoaded: Int
    package let totalBytes: Int
    package let isComplete: Bool
}
