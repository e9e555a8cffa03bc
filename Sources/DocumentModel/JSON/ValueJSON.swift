// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Values in Firestore's REST form, such as `{"integerValue":"5"}` and `{"mapValue":{"fields":{…}}}`.
package enum ValueJSON {
    /// Reads one value. A reference without a database name belongs to `database`.
    package static func read(_ node: JSONNode, database: DatabaseID) throws(DocumentFormError) -> Value {
        try read(node, .fullOrRelative(in: database))
    }

    /// Reads one value.
    package static func read(_ node: JSONNode, _ names: DocumentNames) throws(DocumentFormError) -> Value {
        guard case .object(let members) = node.value else {
            throw DocumentFormError(
                "A value is an object such as {\"integerValue\":\"5\"}, not \(node.kind).", offset: node.offset)
        }
        guard let member = members.first else {
            throw DocumentFormError("Cannot convert firestore.v1.Value with type unset.", offset: node.offset)
        }
        guard members.count == 1 else { return try read(choice(members), names) }
        return try read(member, names)
    }

    /// The member that is set, of several. As in the emulator, null may precede it and not follow it.
    private static func choice(_ members: [JSONMember]) throws(DocumentFormError) -> JSONMember {
        let last = members.count - 1
        let index = members.firstIndex { !$0.node.isNull || $0.key.spells("nullValue") } ?? last
        guard index == last else {
            throw DocumentFormError(
                "A value has one type, not both \"\(members[index].key)\" and \"\(members[index + 1].key)\".",
                offset: members[index + 1].keyOffset)
        }
        return members[index]
    }

    /// Reads an object whose members are values: the `fields` of a document or map.
    package static func readFields(_ node: JSONNode, database: DatabaseID) throws(DocumentFormError) -> Fields {
        try readFields(node, .fullOrRelative(in: database))
    }

    package static func readFields(_ node: JSONNode, _ names: DocumentNames) throws(DocumentFormError) -> Fields {
        guard case .object(let members) = node.value else {
            throw DocumentFormError("\"fields\" is an object of values, not \(node.kind).", offset: node.offset)
        }
        var fields: [Field] = []
        fields.reserveCapacity(members.count)
        for member in members {
            fields.append(Field(Text(member.key), try read(member.node, names)))
        }
        return try unique(fields, members)
    }

    static func unique(_ fields: [Field], _ members: [JSONMember]) throws(DocumentFormError) -> Fields {
        if let result = Fields(fields) { return result }
        var seen: Set<Text> = []
        let repeated = members.first { !seen.insert(Text($0.key)).inserted }
        throw DocumentFormError("The field \"\(repeated?.key ?? "")\" occurs twice.", offset: repeated?.keyOffset)
    }

    private static func read(_ member: JSONMember, _ names: DocumentNames) throws(DocumentFormError) -> Value {
        let node = member.node
        switch member.key {
        case "nullValue":
            guard node.isNull || node.string == "NULL_VALUE" || node.number?.wholeNumber == 0 else {
                throw mismatch(member, "null")
            }
            return .null
        case "booleanValue":
            guard let flag = node.boolean else { throw mismatch(member, "true or false") }
            return .boolean(flag)
        case "integerValue": return .integer(try integer(member))
        case "doubleValue": return .double(try double(member))
        case "timestampValue":
            guard let text = node.string, let time = Timestamp(rfc3339: text) else {
                throw mismatch(member, "a time such as \"2024-01-01T00:00:00Z\", from year 1 to 9999")
            }
            return .timestamp(time)
        case "stringValue":
            guard let text = node.string else { throw mismatch(member, "a string") }
            return .string(Text(text))
        case "bytesValue":
            guard let text = node.string, let bytes = Base64.decode(text) else { throw mismatch(member, "base64 text") }
            return .bytes(bytes)
        case "referenceValue": return .reference(try reference(member, names))
        case "geoPointValue": return .geoPoint(try geoPoint(node))
        case "arrayValue": return .array(try elements(member, names))
        case "mapValue": return try map(node, names)
        default:
            // Rare, so that names in camel case cost no more.
            guard let type = types.first(where: { member.key.spells($0) }) else {
                throw DocumentFormError(
                    "Unknown value type \"\(member.key)\". The types are \(types.dropLast().joined(separator: ", ")) and "
                        + "\(types.last!).", offset: member.keyOffset)
            }
            return try read(JSONMember(key: type, keyOffset: member.keyOffset, node: node), names)
        }
    }

    private static let types = [
        "nullValue", "booleanValue", "integerValue", "doubleValue", "timestampValue", "stringValue", "bytesValue",
        "referenceValue", "geoPointValue", "arrayValue", "mapValue",
    ]

    private static func mismatch(_ member: JSONMember, _ expected: String) -> DocumentFormError {
        DocumentFormError("\(member.key) takes \(expected).", offset: member.node.offset)
    }

    private static func integer(_ member: JSONMember) throws(DocumentFormError) -> Int64 {
        let number = member.node.string.map { JSONNumber(text: $0) } ?? member.node.number
        guard let integer = number?.wholeNumber else {
            throw mismatch(member, "a whole number from -9223372036854775808 to 9223372036854775807, as text or number")
        }
        return integer
    }

    private static func double(_ member: JSONMember) throws(DocumentFormError) -> Double {
        switch member.node.value {
        case .number(let number) where number.double.isFinite: return number.double
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        case .string(let text):
            guard let number = JSONNumber(decimal: text), number.double.isFinite else { fallthrough }
            return number.double
        default:
            throw mismatch(member, "a number within the range of doubles, or \"NaN\", \"Infinity\" or \"-Infinity\"")
        }
    }

    private static func reference(
        _ member: JSONMember, _ names: DocumentNames
    ) throws(DocumentFormError) -> Reference {
        guard let text = member.node.string else { throw mismatch(member, "the name of a document") }
        do {
            return try names.reference(text)
        } catch {
            throw DocumentFormError(error.message, offset: member.node.offset)
        }
    }

    private static func geoPoint(_ node: JSONNode) throws(DocumentFormError) -> GeoPoint {
        func degrees(_ name: String, _ limit: Double) throws(DocumentFormError) -> Double {
            guard let member = node[name], !member.isNull else { return 0 }
            guard let number = member.number?.double else {
                throw DocumentFormError("The \(name) of a geo point is a number.", offset: member.offset)
            }
            guard (-limit...limit).contains(number) else {
                throw DocumentFormError(
                    "Geo point \(name) '\(number)' outside permitted range -\(limit) to \(limit).",
                    offset: member.offset)
            }
            return number
        }
        try checkObject(node, keys: ["latitude", "longitude"], "geoPointValue takes {\"latitude\":…,\"longitude\":…}.")
        let latitude = try degrees("latitude", 90)
        guard let point = GeoPoint(latitude: latitude, longitude: try degrees("longitude", 180)) else {
            throw DocumentFormError("A geo point has a latitude and a longitude.", offset: node.offset)
        }
        return point
    }

    /// Refuses anything but an object, and members with unknown names, which would otherwise be lost silently.
    private static func checkObject(
        _ node: JSONNode, keys: [String], _ expected: @autoclosure () -> String
    ) throws(DocumentFormError) {
        guard let members = node.members else { throw DocumentFormError(expected(), offset: node.offset) }
        if let stranger = members.first(where: { !keys.contains($0.key) }) {
            throw DocumentFormError("Unknown key \"\(stranger.key)\": \(expected())", offset: stranger.keyOffset)
        }
        try checkUnique(members)
    }

    /// Refuses a repeated key: one of its values would be lost silently.
    static func checkUnique(_ members: [JSONMember]) throws(DocumentFormError) {
        for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.key == member.key }) {
            throw DocumentFormError("The key \"\(member.key)\" occurs twice.", offset: member.keyOffset)
        }
    }

    /// The elements of a member such as `"arrayValue":{"values":[…]}`.
    static func elements(_ member: JSONMember, _ names: DocumentNames) throws(DocumentFormError) -> [Value] {
        let node = member.node
        try checkObject(node, keys: ["values"], "\(member.key) takes {\"values\":[…]}.")
        guard let values = node["values"], !values.isNull else { return [] }
        guard let nodes = values.elements else {
            throw DocumentFormError("The \"values\" of \(member.key) are an array.", offset: values.offset)
        }
        var elements: [Value] = []
        elements.reserveCapacity(nodes.count)
        for element in nodes { elements.append(try read(element, names)) }
        return elements
    }

    private static func map(_ node: JSONNode, _ names: DocumentNames) throws(DocumentFormError) -> Value {
        try checkObject(node, keys: ["fields"], "mapValue takes {\"fields\":{…}}.")
        guard let fields = node["fields"], !fields.isNull else { return .map(.empty) }
        let map = try readFields(fields, names)
        return VectorForm.vector(map).map(Value.vector) ?? .map(map)
    }
}
