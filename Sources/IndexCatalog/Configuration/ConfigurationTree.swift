// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A parsed file as the rules see it: its objects and values with their schema, and its entries as far as they are
/// readable.
struct ConfigurationTree {
    /// An object in a place where the schema has an object.
    struct Object {
        let node: JSONNode
        let members: [JSONMember]
        let shape: ObjectShape
    }

    /// A value in a place where the schema has a value, of whatever type.
    struct Value {
        /// Nil for the file itself and for array elements.
        let key: String?
        let node: JSONNode
        let expected: ValueKind
    }

    let root: JSONNode
    let lines: LineMap
    let edition: Edition
    let indexes: [IndexEntry]
    let fieldOverrides: [OverrideEntry]
    /// The single-field indexes under the readable overrides.
    let singleFieldIndexes: IndexCatalog

    init(_ root: JSONNode, lines: LineMap, edition: Edition = .standard) {
        self.root = root
        self.lines = lines
        self.edition = edition
        let isObject = { (node: JSONNode) in node.members != nil }
        indexes = root["indexes"]?.elements?.filter(isObject).map(IndexEntry.init) ?? []
        fieldOverrides = root["fieldOverrides"]?.elements?.filter(isObject).map(OverrideEntry.init) ?? []
        singleFieldIndexes = IndexCatalog(
            composites: [], fieldOverrides: fieldOverrides.compactMap(\.fieldOverride))
    }

    func line(of offset: Int) -> Int { lines.position(of: offset).line }

    /// In source order.
    func forEachObject(_ body: (Object) -> Void) {
        forEachValue { value in
            guard case .object(let shape) = value.expected, let members = value.node.members else { return }
            body(Object(node: value.node, members: members, shape: shape))
        }
    }

    /// In source order. A container comes before its content.
    func forEachValue(_ body: (Value) -> Void) {
        ConfigurationTree.visit(Value(key: nil, node: root, expected: .object(.file)), body)
    }

    private static func visit(_ value: Value, _ body: (Value) -> Void) {
        body(value)
        switch value.expected {
        case .object(let shape):
            for member in value.node.members ?? [] {
                guard let key = shape.key(member.key), !shape.ignores(key, in: value.node) else { continue }
                visit(Value(key: member.key, node: member.node, expected: key.kind), body)
            }
        case .array(let shape):
            for element in value.node.elements ?? [] {
                visit(Value(key: nil, node: element, expected: .object(shape)), body)
            }
        case .string, .boolean, .number, .enumeration, .anyObject: break
        }
    }
}

extension JSONNode {
    /// The value of a key; nil if it is missing, null, false, 0 or empty, which the official tool treats as missing
    /// (J-9, J-10).
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
}
