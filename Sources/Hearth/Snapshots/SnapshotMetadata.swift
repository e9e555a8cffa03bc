// SPDX-License-Identifier: Apache-2.0

/// Where a snapshot came from (C-16). Here always the database itself, so that both properties are false: a write is either
/// durable or not visible.
public struct SnapshotMetadata: Sendable, Hashable {
    /// Whether the snapshot holds writes that are not durable yet.
    public let hasPendingWrites = false
    /// Whether the snapshot may be out of date.
    public let isFromCache = false

    init() {}
}

/// How FirebaseFirestore shows a server timestamp that the server has not yet set (C-13). Here a timestamp is set when its write
/// is visible, so that all three mean the same.
public enum ServerTimestampBehavior: Sendable {
    /// As nil.
    case none
    /// As the time on this machine.
    case estimate
    /// As the value before.
    case previous
}
