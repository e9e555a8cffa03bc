// SPDX-License-Identifier: Apache-2.0

// Objects of FirebaseFirestore that are equal to themselves only.

extension Database: Hashable {
    /// Whether both are one object.
    public static func == (lhs: Database, rhs: Database) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension WriteBatch: Hashable {
    /// Whether both are one object.
    public static func == (lhs: WriteBatch, rhs: WriteBatch) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Transaction: Hashable {
    /// Whether both are one object.
    public static func == (lhs: Transaction, rhs: Transaction) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LoadBundleTask: Hashable {
    /// Whether both are one object.
    public static func == (lhs: LoadBundleTask, rhs: LoadBundleTask) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentCacheIndexManager: Hashable {
    /// Whether both are one object.
    public static func == (lhs: PersistentCacheIndexManager, rhs: PersistentCacheIndexManager) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
