// SPDX-License-Identifier: Apache-2.0

/// Metadata about the origin of a snapshot. Both properties are always false in a database without a remote, which holds
/// the truth itself.
public struct SnapshotMetadata: Sendable, Hashable {
    /// Whether the snapshot holds writes of this client that the server has not confirmed yet.
    public let hasPendingWrites: Bool
    /// Whether the snapshot may be incomplete or out of date. False means that the client has all of the server's latest
    /// changes.
    public let isFromCache: Bool

    init(hasPendingWrites: Bool = false, isFromCache: Bool = false) {
        self.hasPendingWrites = hasPendingWrites
        self.isFromCache = isFromCache
    }
}

/// How to read a server timestamp that the server has not set yet, in a document whose writes are pending
/// (``SnapshotMetadata/hasPendingWrites``). In a database without a remote there is none: the commit sets the time.
public enum ServerTimestampBehavior: Sendable {
    /// As null.
    case none
    /// As an estimate by the local clock.
    case estimate
    /// As the value before; null if there was none.
    case previous
}
