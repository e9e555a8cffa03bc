// SPDX-License-Identifier: Apache-2.0

/// An optional property that is encoded as null if it is nil, instead of being left out, so that queries for null find
/// it.
@propertyWrapper
public struct ExplicitNull<Value> {
    /// The value; nil for null.
    public var wrappedValue: Value?

    /// Creates a property, which nil makes null.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

extension ExplicitNull: Encodable where Value: Encodable {
    /// Encodes nil as null.
    public func encode(to encoder: any Swift.Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension ExplicitNull: Decodable where Value: Decodable {
    /// Decodes null as nil.
    public init(from decoder: any Swift.Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}
extension ExplicitNull: Sendable where Value: Sendable {}
