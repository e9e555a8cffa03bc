// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
    /// Writes a tree, with numbers as they were in the source.
    package mutating func node(_ node: JSONNode) {
        switch node.value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .number(let number): raw(number.text)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.node(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.key)
                self.node(member.node)
            }
            endObject()
        }
    }
}

extension JSONNode {
    /// The node as JSON text, without a final line break.
    package func text(_ style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style)
        writer.node(self)
        return writer.string
    }

}

/// Nodes without a source.
extension JSONNode {
    package static func object(_ members: KeyValuePairs<String, JSONNode>) -> JSONNode {
        JSONNode(.object(members.map { JSONMember(key: $0.key, node: $0.value) }))
    }

    package static func array(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }

    package static func string(_ string: String) -> JSONNode { JSONNode(.string(string)) }

    package static func boolean(_ value: Bool) -> JSONNode { JSONNode(.boolean(value)) }

    package static func integer(_ value: Int64) -> JSONNode { JSONNode(.number(JSONNumber(value))) }
}
