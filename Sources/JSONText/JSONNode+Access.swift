// SPDX-License-Identifier: Apache-2.0

extension JSONNode {
    /// The value of a key; nil if the key is missing or this is not an object. The last value of a repeated key wins,
    /// as in other JSON readers. Keys compare by their UTF-8 bytes.
    package subscript(key: String) -> JSONNode? { member(key)?.node }

    /// The last member with this key.
    package func member(_ key: String) -> JSONMember? {
        members?.last { $0.key.hasSameBytes(as: key) }
    }

    /// Nil if this is not an object.
    package var members: [JSONMember]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// Nil if this is not an array.
    package var elements: [JSONNode]? {
        if case .array(let elements) = value { elements } else { nil }
    }

    package var string: String? {
        if case .string(let string) = value { string } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let number) = value { number } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let boolean) = value { boolean } else { nil }
    }

    package var isNull: Bool {
        if case .null = value { true } else { false }
    }

    /// Its kind with an article, such as `an object`, for messages.
    package var kind: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// Whether both have the same UTF-8 bytes; `==` compares by canonical equivalence. Most strings differ in length.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether it is this name of a member of a message, in camel case as `name` is, or in snake case.
    package func spells(_ name: String) -> Bool { hasSameBytes(as: name) || hasSameBytes(as: name.snakeCase) }

    /// A name in camel case, as protobuf spells it: `fieldPaths` is `field_paths`.
    package var snakeCase: String {
        var result: [UInt8] = []
        for byte in utf8 {
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                result.append(UInt8(ascii: "_"))
                result.append(byte | 0x20)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
