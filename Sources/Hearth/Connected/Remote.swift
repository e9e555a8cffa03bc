// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import SyncCore

/// The server's database whose offline data a local database keeps. The product HearthConnected makes it.
public struct Remote: Sendable {
    /// The server's database.
    package let database: DatabaseID
    /// Makes the way to the server, once for each time that the database is opened. An address is that of another server than
    /// the usual one. Throws a ``FirestoreError`` if the credentials cannot be used at all.
    package let connect: @Sendable (ServerAddress?) throws -> any RemoteTransport

    /// Distinguishes remotes, whose credentials cannot be compared.
    private let identity = Identity()

    private final class Identity: Sendable {}

    package init(
        database: DatabaseID, connect: @escaping @Sendable (ServerAddress?) throws -> any RemoteTransport
    ) {
        self.database = database
        self.connect = connect
    }
}

extension Remote: Hashable {
    /// Whether both are copies of one remote.
    public static func == (lhs: Remote, rhs: Remote) -> Bool { lhs.identity === rhs.identity }

    /// Hashes which remote this is a copy of.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// Where a server is.
package struct ServerAddress: Sendable {
    /// A name or an address, with a port.
    package let host: String
    package let isSSLEnabled: Bool
}
