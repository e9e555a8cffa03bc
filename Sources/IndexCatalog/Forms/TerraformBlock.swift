// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A block of Terraform's language: `type "label" "label" { … }`.
struct TerraformBlock {
    let type: String
    let labels: [String]
    let range: Range<Int>
    let attributes: [(name: String, value: TerraformValue)]
    let blocks: [TerraformBlock]

    func attribute(_ name: String) -> TerraformValue? { attributes.last { $0.name == name }?.value }
}

/// The value of an attribute.
struct TerraformValue {
    let offset: Int
    /// Nil for one that is not understood.
    let expression: TerraformExpression?

    /// Nil for an expression whose value is not known.
    var node: JSONNode? { if case .literal(let node)? = expression { node } else { nil } }

    func literal(_ name: String) throws(JSONSyntaxError) -> JSONNode {
        guard let node else {
            throw JSONSyntaxError(
                message: "\"\(name)\" is an expression, whose value only Terraform knows: write it out", offset: offset)
        }
        return node
    }
}

/// An expression whose value a file itself may tell.
indirect enum TerraformExpression {
    case literal(JSONNode)
    /// Such as `local.names` or `each.value`.
    case name(String, Range<Int>)
    /// Also a set.
    case list([TerraformExpression])
    case object(TerraformObject)

    /// How many elements or members it has, also equal ones; nil if it is neither a list nor an object.
    var count: Int? {
        switch self {
        case .list(let elements): elements.count
        case .object(let object): object.members.count
        default: nil
        }
    }
}

/// An object, whose members are found without going through all.
struct TerraformObject {
    let members: [(key: String, value: TerraformExpression)]
    private let places: [String: Int]

    init(_ members: [(key: String, value: TerraformExpression)]) {
        self.members = members
        // The last one of a key counts.
        places = Dictionary(members.indices.map { (members[$0].key, $0) }) { _, last in last }
    }

    subscript(key: String) -> TerraformExpression? { places[key].map { members[$0].value } }
}

/// A resource that is left out, because it has a value that only Terraform knows.
package struct UnreadableResource: Sendable {
    package let range: Range<Int>
    /// Where the value is.
    package let offset: Int
    package let message: String
}
