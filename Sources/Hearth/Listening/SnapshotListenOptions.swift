// SPDX-License-Identifier: Apache-2.0

/// Where to listen. Without a remote, both cases mean the local database.
public enum ListenSource: Sendable, Hashable {
    /// The server, with the local database in front of it.
    case `default`
    /// The local database alone: the server is not asked. What others ask it changes the result too.
    case cache
}

/// Options of a listener. They have no effect in a database without a remote: a snapshot never comes from a cache and
/// never holds pending writes, so its metadata never changes.
public final class SnapshotListenOptions: Sendable {
    /// Where to listen.
    public let source: ListenSource
    /// Whether to listen to metadata changes.
    public let includeMetadataChanges: Bool

    /// Creates options with the default source and without metadata changes.
    public convenience init() {
        self.init(source: .default, includeMetadataChanges: false)
    }

    private init(source: ListenSource, includeMetadataChanges: Bool) {
        self.source = source
        self.includeMetadataChanges = includeMetadataChanges
    }

    /// Returns a copy of the options with or without metadata changes.
    public func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }

    /// Returns a copy of the options with another source.
    public func withSource(_ source: ListenSource) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }
}

extension SnapshotListenOptions: Hashable {
    /// Whether both have the same options.
    public static func == (lhs: SnapshotListenOptions, rhs: SnapshotListenOptions) -> Bool {
        lhs.source == rhs.source && lhs.includeMetadataChanges == rhs.includeMetadataChanges
    }

    /// Hashes the options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(includeMetadataChanges)
    }
}
