// SPDX-License-Identifier: Apache-2.0

// Objective-C's name for `==`, which ported code may use.

extension Timestamp {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? Timestamp).map { self == $0 } ?? false }
}

extension GeoPoint {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? GeoPoint).map { self == $0 } ?? false }
}

extension VectorValue {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? VectorValue).map { self == $0 } ?? false }
}

extension FieldPath {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? FieldPath).map { self == $0 } ?? false }
}

extension SnapshotMetadata {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? SnapshotMetadata).map { self == $0 } ?? false }
}

extension DocumentReference {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? DocumentReference).map { self == $0 } ?? false }
}

extension Query {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? Query).map { self == $0 } ?? false }
}

extension DocumentSnapshot {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? DocumentSnapshot).map { self == $0 } ?? false }
}

extension QuerySnapshot {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? QuerySnapshot).map { self == $0 } ?? false }
}

extension DocumentChange {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? DocumentChange).map { self == $0 } ?? false }
}

extension AggregateField {
    /// Whether the other is equal, as by `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? AggregateField).map { self == $0 } ?? false }
}
