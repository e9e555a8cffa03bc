// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A place in the data that is built. A class, so that the containers of one value can be filled in turn.
final class EncodedNode {
    private enum Content {
        case empty
        case scalar(Any)
        case object([String: EncodedNode])
        case array([EncodedNode])
    }

    private var content = Content.empty

    func set(_ scalar: Any) { content = .scalar(scalar) }

    func beginObject() {
        if case .object = content { return }
        content = .object([:])
    }

    func beginArray() {
        if case .array = content { return }
        content = .array([])
    }

    func member(_ name: String) -> EncodedNode {
        guard case .object(var members) = content else { return EncodedNode() }
        if let known = members[name] { return known }
        let node = EncodedNode()
        content = .empty
        members[name] = node
        content = .object(members)
        return node
    }

    func append() -> EncodedNode {
        guard case .array(var elements) = content else { return EncodedNode() }
        let node = EncodedNode()
        content = .empty
        elements.append(node)
        content = .array(elements)
        return node
    }

    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }

    /// Nil if the content is not an object.
    var fields: [String: Any]? {
        if case .object(let members) = content { members.mapValues(\.value) } else { nil }
    }

    private var value: Any {
        switch content {
        case .empty: [String: Any]()
        case .scalar(let scalar): scalar
        case .object(let members): members.mapValues(\.value)
        case .array(let elements): elements.map(\.value)
        }
    }
}

struct ValueEncoder: Encoder {
    let node: EncodedNode
    let options: Database.Encoder
    let codingPath: [any CodingKey]

    init(_ node: EncodedNode, _ options: Database.Encoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
    }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginObject()
        return KeyedEncodingContainer(KeyedValueEncoder<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginArray()
        return UnkeyedValueEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoder(encoder: self) }

    /// Encodes any value at this encoder's place.
    func encodeValue<T: Encodable>(_ value: T) throws {
        switch value {
        case is String, is Bool, is Int, is Timestamp, is GeoPoint, is VectorValue, is DocumentReference, is FieldValue:
            node.set(value)
        case let number as Double: try encode(number)
        case let number as Float: try encode(Double(number))
        case let date as Date: try encode(date)
        case let data as Data: try encode(data)
        case let url as URL: node.set(url.absoluteString)
        case let number as Decimal: node.set(number.nearestDouble)
        default: try value.encode(to: self)
        }
    }

    func encode(_ number: Double) throws {
        guard !number.isFinite else { return node.set(number) }
        guard case .convertToString(let positive, let negative, let nan) = options.nonConformingFloatEncodingStrategy
        else {
            throw EncodingError.invalidValue(
                number,
                .init(
                    codingPath: codingPath,
                    debugDescription: "Unable to encode \(number) directly. Use "
                        + "NonConformingFloatEncodingStrategy.convertToString to say how it is written."))
        }
        node.set(number.isNaN ? nan : (number > 0 ? positive : negative))
    }

    private func encode(_ date: Date) throws {
        switch options.dateEncodingStrategy {
        case .timestamp: node.set(Timestamp(date: date))
        case .secondsSince1970: try encode(date.timeIntervalSince1970)
        case .millisecondsSince1970: try encode(date.timeIntervalSince1970 * 1_000)
        case .iso8601: node.set(date.formatted(.iso8601))
        case .formatted(let formatter): node.set(formatter.string(from: date))
        case .custom(let encode): try encode(date, self)
        }
    }

    private func encode(_ data: Data) throws {
        switch options.dataEncodingStrategy {
        case .blob: node.set(data)
        case .base64: node.set(data.base64EncodedString())
        case .custom(let encode): try encode(data, self)
        }
    }

    func child(_ node: EncodedNode, _ key: any CodingKey) -> ValueEncoder {
        ValueEncoder(node, options, codingPath + [key])
    }

    /// A property's name in the document.
    func name(_ key: any CodingKey) -> String {
        switch options.keyEncodingStrategy {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: SnakeCase.snake(key.stringValue)
        case .custom(let rename): rename(codingPath + [key]).stringValue
        }
    }
}

/// The key of an array element, or of a superclass's properties.
struct PlaceKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) { self.init(intValue) }

    /// The key of a superclass's properties (C-41).
    static let superclass = PlaceKey(stringValue: "super")
}
