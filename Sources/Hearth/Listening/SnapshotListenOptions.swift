// SPDX-License-Identifier: Apache-2.0

/// Where a listener looks in FirebaseFirestore (C-29). Here both mean the database on this machine.
public enum ListenSource: Sendable, Hashable {
    /// The database.
    case `default`
    /// The database.
    case cache
}

/// How a listener listens (C-29). The options change nothing here: a snapshot never comes from a cache and never holds pending
/// writes, so that its metadata never changes.
public final class SnapshotListenOptions: Sendable {
    /// Where it looks.
    public let source: ListenSource
    /// Whether it asked for changes of metadata.
    public let includeMetadataChanges: Bool

    /// The default source, without metadata changes.
    public convenience init() {
        self.init(source: .default, includeMetadataChanges: false)
    }

    private init(source: ListenSource, includeMetadataChanges: Bool) {
        self.source = source
        self.includeMetadataChanges = includeMetadataChanges
    }

    /// The same options with or without metadata changes.
    public func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }

    /// The same options with another source.
    public func withSource(_ source: ListenSource) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }
}
