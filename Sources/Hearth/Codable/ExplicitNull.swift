// SPDX-License-Identifier: Apache-2.0

/// An optional property that is written as null where it is nil, instead of being left out (C-44), so that queries for null
/// find it.
@propertyWrapper
public struct ExplicitNull<Value: Codable>: Codable {
    /// The value; nil for null.
    public var wrappedValue: Value?

    /// A value, or nil for null.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Null decodes to nil.
    public init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Nil encodes null.
    public func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}
extension ExplicitNull: Sendable where Value: Sendable {}
