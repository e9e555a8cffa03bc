// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The JSON Schema (draft 07) of `firestore.indexes.json`, for editors.
package enum ConfigurationJSONSchema {
    package static var node: JSONNode {
        let members: [(String, JSONNode)] = [
            ("$schema", .string("http://json-schema.org/draft-07/schema#")),
            ("title", .string("Cloud Firestore index configuration (firestore.indexes.json)")),
        ]
        return .keyed(members + schema(of: .file))
    }

    private static func schema(of shape: ObjectShape) -> [(String, JSONNode)] {
        var members: [(String, JSONNode)] = [
            ("type", .string("object")),
            ("properties", .keyed(shape.keys.map { ($0.name, schema(of: $0)) })),
        ]
        var required: [JSONNode] = []
        var alternatives: [JSONNode] = []
        for key in shape.keys {
            guard case .required = key.need else { continue }
            let names = [key.name] + shape.legacyNames(of: key.name)
            if names.count == 1 {
                required.append(.string(key.name))
            } else {
                alternatives.append(.object(["anyOf": .array(names.map(requiring))]))
            }
        }
        if !required.isEmpty { members.append(("required", .array(required))) }
        if !shape.exactlyOneOf.isEmpty {
            let names = shape.exactlyOneOf + shape.exactlyOneOf.flatMap(shape.legacyNames)
            alternatives.append(.object(["oneOf": .array(names.map(requiring))]))
        }
        if !alternatives.isEmpty { members.append(("allOf", .array(alternatives))) }
        members.append(("additionalProperties", .boolean(false)))
        return members
    }

    private static func schema(of key: SchemaKey) -> JSONNode {
        var members: [(String, JSONNode)] =
            switch key.kind {
            case .string: [("type", .string("string"))] + (key.isNeeded ? [("minLength", .integer(1))] : [])
            case .boolean: [("type", .string("boolean"))]
            case .number: [("type", .string("number"))]
            case .enumeration(let values): [("enum", .array(values.map { .string($0) }))]
            case .object(let shape): schema(of: shape)
            case .array(let shape): [("type", .string("array")), ("items", .keyed(schema(of: shape)))]
            case .anyObject: [("type", .string("object"))]
            }
        if case .legacy(let name) = key.need {
            members.append(("description", .string("Legacy form of \"\(name)\".")))
            members.append(("deprecated", .boolean(true)))
        }
        return .keyed(members)
    }

    private static func requiring(_ name: String) -> JSONNode { .object(["required": .array([.string(name)])]) }
}

extension ObjectShape {
    fileprivate func legacyNames(of name: String) -> [String] {
        keys.compactMap { if case .legacy(for: name) = $0.need { $0.name } else { nil } }
    }
}

extension SchemaKey {
    fileprivate var isNeeded: Bool { if case .required = need { true } else { false } }
}

extension JSONNode {
    fileprivate static func keyed(_ members: [(String, JSONNode)]) -> JSONNode {
        JSONNode(.object(members.map { JSONMember(key: $0.0, node: $0.1) }))
    }
}
