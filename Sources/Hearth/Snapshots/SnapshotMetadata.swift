// SPDX-License-Identifier: Apache-2.0

/// Metadata about the origin of a snapshot. Snapshots come from the database itself, where a write is visible only once
/// it is committed, so both properties are always false.
public struct SnapshotMetadata: Sendable, Hashable {
    /// Whether the snapshot holds writes that are not committed yet. Always false.
    public let hasPendingWrites = false
    /// Whether the snapshot may be out of date. Always false.
    public let isFromCache = false

    init() {}
}

/// How FirebaseFirestore shows a server timestamp that the server has not set yet. Here a commit sets it, so all three
/// cases mean the same.
public enum ServerTimestampBehavior: Sendable {
    /// As nil.
    case none
    /// As an estimate by the local clock.
    case estimate
    /// As the previous value.
    case previous
}
