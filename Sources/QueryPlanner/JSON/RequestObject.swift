// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// A JSON object of a request, read by the rules of protobuf JSON: keys in camel or snake case, null for absent
/// values, numbers also as strings. Errors use production's words.
package struct RequestObject: Sendable {
    /// The location in the request, in protobuf spelling: `structured_query.order_by[0]`. Empty for the request itself.
    package let place: String
    let offset: Int
    private let members: [JSONMember]

    /// - Parameter keys: the known keys, in camel case. Any other key is an error.
    package init(_ node: JSONNode, place: String, keys: [String]) throws(InvalidQueryError) {
        self.place = place
        offset = node.offset
        guard let members = node.members else {
            throw InvalidQueryError(
                "Invalid value at '\(place)': an object is expected, not \(node.kind).", offset: offset)
        }
        self.members = members
        for member in members where !keys.contains(where: { member.key.spells($0) }) {
            throw InvalidQueryError(
                "Invalid JSON payload received. Unknown name \"\(member.key)\"\(place.isEmpty ? "" : " at '\(place)'"): "
                    + "Cannot find field.",
                offset: member.keyOffset)
        }
    }

    /// Nil if the key is missing or null.
    package subscript(key: String) -> JSONNode? {
        guard let node = members.last(where: { $0.key.spells(key) })?.node, !node.isNull else {
            return nil
        }
        return node
    }

    package func object(_ key: String, keys: [String]) throws(InvalidQueryError) -> RequestObject? {
        guard let node = self[key] else { return nil }
        return try RequestObject(node, place: placeOf(key), keys: keys)
    }

    package func elements(_ key: String) throws(InvalidQueryError) -> [JSONNode] {
        guard let node = self[key] else { return [] }
        guard let elements = node.elements else {
            throw InvalidQueryError(
                "Invalid value at '\(placeOf(key))': an array is expected, not \(node.kind).", offset: node.offset)
        }
        return elements
    }

    /// Refuses a second one of alternatives. As in the emulator, null may precede the one that is set and not follow it, and the last one
    /// of a repeated name holds.
    package func requireOne(of keys: [String], oneof name: String) throws(InvalidQueryError) {
        let given = members.drop { member in member.node.isNull || !keys.contains { member.key.spells($0) } }
        let second = given.first { member in
            member.key != given.first?.key && keys.contains { member.key.spells($0) }
        }
        guard let second else { return }
        let location = place.isEmpty ? "" : " at '\(place)'"
        throw InvalidQueryError(
            "Invalid value\(location) (oneof), oneof field '\(name)' is already set. Cannot set '\(second.key)'",
            offset: second.keyOffset)
    }

    package func boolean(_ key: String) throws(InvalidQueryError) -> Bool {
        guard let node = self[key] else { return false }
        if let boolean = node.boolean { return boolean }
        throw invalid(node, key, type: "TYPE_BOOL")
    }

    package func string(_ key: String) throws(InvalidQueryError) -> String? {
        guard let node = self[key] else { return nil }
        if let string = node.string { return string }
        throw invalid(node, key, type: "TYPE_STRING")
    }

    /// The path under `key`, or inside the field reference there, in wire syntax (D-9).
    func path(_ key: String) throws(InvalidQueryError) -> FieldPath {
        guard let reference = try object(key, keys: ["fieldPath"]) else {
            return try RequestObject.path("", offset: offset)
        }
        return try reference.path()
    }

    package func path() throws(InvalidQueryError) -> FieldPath {
        try RequestObject.path(try string("fieldPath") ?? "", offset: offset)
    }

    private static func path(_ text: String, offset: Int) throws(InvalidQueryError) -> FieldPath {
        do throws(FieldPathError) {
            return try FieldPath(wireSyntax: text)
        } catch {
            throw InvalidQueryError(error.message, offset: offset)
        }
    }

    /// An integer, also as a string or wrapped as `{"value": 3}`.
    package func integer(_ key: String, type: String, in range: ClosedRange<Int64>) throws(InvalidQueryError) -> Int64?
    {
        guard let (node, key) = unwrapped(key) else { return nil }
        let text = node.string ?? node.number?.text
        let number = text.flatMap { JSONNumber(decimal: $0) }
        guard let exact = number?.wholeNumber, range.contains(exact) else { throw invalid(node, key, type: type) }
        return exact
    }

    func double(_ key: String) throws(InvalidQueryError) -> Double? {
        guard let (node, key) = unwrapped(key) else { return nil }
        switch node.string ?? node.number?.text {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        case let text?: if let number = JSONNumber(decimal: text)?.double, number.isFinite { return number }
        case nil: break
        }
        throw invalid(node, key, type: "TYPE_DOUBLE")
    }

    private func unwrapped(_ key: String) -> (node: JSONNode, key: String)? {
        guard let node = self[key] else { return nil }
        if let inner = node["value"] { return inner.isNull ? nil : (inner, key + ".value") }
        return (node, key + ".value")
    }

    /// An enumeration case by name, in any letter case, or by number. Nil if it is missing or unspecified.
    package func enumeration(
        _ key: String, _ names: [String], unspecified: String, type: String
    ) throws(InvalidQueryError) -> String? {
        guard let node = self[key] else { return nil }
        if let number = node.number?.int64 {
            guard (1...Int64(names.count)).contains(number) else { return nil }
            let name = names[Int(number) - 1]
            return name.isEmpty ? nil : name
        }
        let name = node.string?.uppercased()
        if name == unspecified { return nil }
        if let name, !name.isEmpty, names.contains(name) { return name }
        throw invalid(node, key, type: "type.googleapis.com/google.firestore.v1.StructuredQuery.\(type)")
    }

    package func invalid(_ node: JSONNode, _ key: String, type: String) -> InvalidQueryError {
        InvalidQueryError("Invalid value at '\(placeOf(key))' (\(type)), \(node.text())", offset: node.offset)
    }

    package func placeOf(_ key: String) -> String {
        (place.isEmpty ? "" : place + ".") + key.snakeCase
    }
}
