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
    /// Nil for an expression.
    let node: JSONNode?
}
