// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a ``ServerTimestamp`` property can hold: `Date` or ``Timestamp``.
public protocol ServerTimestampWrappable {
    /// The property's value for a stored time.
    static func wrap(_ timestamp: Timestamp) throws -> Self
    /// The time to store for a value.
    static func unwrap(_ value: Self) throws -> Timestamp
}

extension Date: ServerTimestampWrappable {
    /// The same point in time.
    public static func wrap(_ timestamp: Timestamp) -> Date { timestamp.dateValue() }
    /// The same point in time.
    public static func unwrap(_ value: Date) -> Timestamp { Timestamp(date: value) }
}

extension Timestamp: ServerTimestampWrappable {
    /// The timestamp itself.
    public static func wrap(_ timestamp: Timestamp) -> Timestamp { timestamp }
    /// The timestamp itself.
    public static func unwrap(_ value: Timestamp) -> Timestamp { value }
}

/// A property that is the time of the write where it is nil: it is encoded as ``FieldValue/serverTimestamp()`` then (C-43).
///
/// ```swift
/// struct Task: Codable {
///     var title: String
///     @ServerTimestamp var createdTime: Timestamp?
/// }
/// ```
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable & Codable>: Codable {
    /// The time; nil to have it set by the write.
    public var wrappedValue: Value?

    /// A time, or nil to have it set by the write.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Null decodes to nil.
    public init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try Value.wrap(container.decode(Timestamp.self))
    }

    /// Nil encodes the sentinel.
    public func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(Value.unwrap(wrappedValue))
        } else {
            try container.encode(FieldValue.serverTimestamp())
        }
    }
}

extension ServerTimestamp: Equatable where Value: Equatable {}
extension ServerTimestamp: Hashable where Value: Hashable {}
extension ServerTimestamp: Sendable where Value: Sendable {}
