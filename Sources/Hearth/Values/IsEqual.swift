// SPDX-License-Identifier: Apache-2.0

// Objective-C's form of `==`, for ported code.

extension Timestamp {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? Timestamp).map { self == $0 } ?? false }
}

extension GeoPoint {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? GeoPoint).map { self == $0 } ?? false }
}

extension VectorValue {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? VectorValue).map { self == $0 } ?? false }
}

extension FieldPath {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? FieldPath).map { self == $0 } ?? false }
}

extension SnapshotMetadata {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? SnapshotMetadata).map { self == $0 } ?? false }
}

extension DocumentReference {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? DocumentReference).map { self == $0 } ?? false }
}

extension Query {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? Query).map { self == $0 } ?? false }
}

extension DocumentSnapshot {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? DocumentSnapshot).map { self == $0 } ?? false }
}

extension QuerySnapshot {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? QuerySnapshot).map { self == $0 } ?? false }
}

extension DocumentChange {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? DocumentChange).map { self == $0 } ?? false }
}

extension AggregateField {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? AggregateField).map { self == $0 } ?? false }
}

extension FieldValue {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? FieldValue).map { self == $0 } ?? false }
}

extension AggregateQuery {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? AggregateQuery).map { self == $0 } ?? false }
}

extension AggregateQuerySnapshot {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? AggregateQuerySnapshot).map { self == $0 } ?? false }
}

extension FirestoreSettings {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? FirestoreSettings).map { self == $0 } ?? false }
}

extension PersistentCacheSettings {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? PersistentCacheSettings).map { self == $0 } ?? false }
}

extension MemoryCacheSettings {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? MemoryCacheSettings).map { self == $0 } ?? false }
}

extension MemoryEagerGCSetting {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? MemoryEagerGCSetting).map { self == $0 } ?? false }
}

extension MemoryLRUGCSettings {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? MemoryLRUGCSettings).map { self == $0 } ?? false }
}

extension LoadBundleTaskProgress {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? LoadBundleTaskProgress).map { self == $0 } ?? false }
}

extension TransactionOptions {
    /// Whether the object is equal to this one, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? TransactionOptions).map { self == $0 } ?? false }
}
