// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The type of a ``ServerTimestamp`` property: `Date` or ``Timestamp``.
public protocol ServerTimestampWrappable {
    /// Returns the property's value for a stored time.
    static func wrap(_ timestamp: Timestamp) throws -> Self
    /// Returns the time to store for a value.
    static func unwrap(_ value: Self) throws -> Timestamp
}

extension Date: ServerTimestampWrappable {
    /// Converts the timestamp to a date.
    public static func wrap(_ timestamp: Timestamp) -> Date { timestamp.dateValue() }
    /// Converts the date to a timestamp.
    public static func unwrap(_ value: Date) -> Timestamp { Timestamp(date: value) }
}

extension Timestamp: ServerTimestampWrappable {
    /// Returns the timestamp itself.
    public static func wrap(_ timestamp: Timestamp) -> Timestamp { timestamp }
    /// Returns the timestamp itself.
    public static func unwrap(_ value: Timestamp) -> Timestamp { value }
}

/// A property that is set to the commit time if it is nil: it is then encoded as ``FieldValue/serverTimestamp()``.
///
/// ```swift
/// struct Task: Codable {
///     var title: String
///     @ServerTimestamp var createdTime: Timestamp?
/// }
/// ```
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable & Codable>: Codable {
    /// The time; nil if the write is to set it.
    public var wrappedValue: Value?

    /// Creates a property; nil lets the write set the time.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes null as nil.
    public init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try Value.wrap(container.decode(Timestamp.self))
    }

    /// Encodes nil as a server timestamp.
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
