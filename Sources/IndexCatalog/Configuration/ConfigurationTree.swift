// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// A parsed file as the rules see it: every object and value that the schema knows, and the entries read as far as they
/// can be.
struct ConfigurationTree {
    /// An object that stands where the schema has one.
    struct Object {
        let node: JSONNode
        let members: [JSONMember]
        let shape: ObjectShape
    }

    /// A value that stands where the schema has one, whatever it is.
    struct Value {
        /// Nil for the whole file and for elements of arrays.
        let key: String?
        let node: JSONNode
        let expected: ValueKind
    }

    let root: JSONNode
    let lines: LineMap
    private(set) var objects: [Object] = []
    private(set) var values: [Value] = []
    let indexes: [IndexEntry]
    let fieldOverrides: [OverrideEntry]

    init(_ root: JSONNode, lines: LineMap) {
        self.root = root
        self.lines = lines
        indexes = root["indexes"]?.elements?.map(IndexEntry.init) ?? []
        fieldOverrides = root["fieldOverrides"]?.elements?.map(OverrideEntry.init) ?? []
        visit(Value(key: nil, node: root, expected: .object(.file)))
    }

    func line(of offset: Int) -> Int { lines.position(of: offset).line }

    private mutating func visit(_ value: Value) {
        values.append(value)
        switch value.expected {
        case .object(let shape):
            guard let members = value.node.members else { return }
            objects.append(Object(node: value.node, members: members, shape: shape))
            for member in members {
                guard let key = shape.key(member.key) else { continue }
                visit(Value(key: member.key, node: member.node, expected: key.kind))
            }
        case .array(let shape):
            for element in value.node.elements ?? [] {
                visit(Value(key: nil, node: element, expected: .object(shape)))
            }
        case .string, .boolean, .number, .enumeration, .anyObject: break
        }
    }
}

extension JSONNode {
    /// The value of a key unless it is missing, null, false, 0 or empty: what the official tool takes for present (J-9, J-10).
    func present(_ key: String) -> JSONNode? {
        guard let node = self[key], node.isTruthy else { return nil }
        return node
    }

    var isTruthy: Bool {
        switch value {
        case .null: false
        case .boolean(let value): value
        case .number(let number): number.double != 0
        case .string(let string): !string.isEmpty
        case .array, .object: true
        }
    }

    /// The offset of the last key or value inside the node, or its own.
    var lastOffset: Int {
        var node = self
        while let last = node.members?.last?.node ?? node.elements?.last { node = last }
        return node.offset
    }
}
