// SPDX-License-Identifier: Apache-2.0

internal import Foundation

struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func child(_ key: any CodingKey) -> ValueEncoder {
        encoder.child(encoder.node.member(encoder.name(key)), key)
    }

    mutating func encodeNil(forKey key: Key) throws { child(key).node.set(NSNull()) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        // The document's ID is in its path and is never a field (C-42).
        if value is any DocumentIDProperty { return }
        try child(key).encodeValue(value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        child(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { child(PlaceKey.superclass) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { child(key) }
}

struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    private func next() -> ValueEncoder {
        let key = PlaceKey(count)
        return encoder.child(encoder.node.append(), key)
    }

    mutating func encodeNil() throws { next().node.set(NSNull()) }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().encodeValue(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        next().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }
}

struct SingleValueEncoder: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { encoder.node.set(NSNull()) }
    mutating func encode(_ value: Bool) throws { encoder.node.set(value) }
    mutating func encode(_ value: String) throws { encoder.node.set(value) }
    mutating func encode(_ value: Double) throws { try encoder.encode(value) }
    mutating func encode(_ value: Float) throws { try encoder.encode(Double(value)) }
    mutating func encode(_ value: Int) throws { encoder.node.set(value) }
    mutating func encode(_ value: Int8) throws { encoder.node.set(value) }
    mutating func encode(_ value: Int16) throws { encoder.node.set(value) }
    mutating func encode(_ value: Int32) throws { encoder.node.set(value) }
    mutating func encode(_ value: Int64) throws { encoder.node.set(value) }
    mutating func encode(_ value: UInt) throws { encoder.node.set(value) }
    mutating func encode(_ value: UInt8) throws { encoder.node.set(value) }
    mutating func encode(_ value: UInt16) throws { encoder.node.set(value) }
    mutating func encode(_ value: UInt32) throws { encoder.node.set(value) }
    mutating func encode(_ value: UInt64) throws { encoder.node.set(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try encoder.encodeValue(value) }
}
