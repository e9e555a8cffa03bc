// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What names stand for in a Terraform file: its locals, and the element of `for_each` for which a resource is made.
struct TerraformScope {
    typealias Element = (key: String, value: TerraformExpression)

    private var locals: [String: TerraformExpression] = [:]
    private var each: Element?

    /// Names that stand for names are followed so far.
    private static let maximumDepth = 5

    init(_ blocks: [TerraformBlock]) {
        for block in blocks where block.type == "locals" && block.labels.isEmpty {
            for (name, value) in block.attributes { locals[name] = value.expression }
        }
    }

    /// The resources that a block stands for: one, or one for each element.
    ///
    /// - Parameter budget: what the `for_each` and the names of the file may still make.
    func resources(
        _ block: TerraformBlock, _ budget: inout TerraformBudget
    ) throws(JSONSyntaxError) -> [TerraformBlock] {
        guard let value = block.attribute("for_each") else { return [try filled(block, &budget)] }
        let given = value.expression.map { known($0) }
        if let count = given?.count, !budget.take(count, size: block.range.count) {
            throw JSONSyntaxError(message: "\"for_each\" makes too many resources", offset: value.offset)
        }
        guard let elements = elements(of: given) else {
            throw JSONSyntaxError(
                message: "\"for_each\" has elements that only Terraform knows: write the resources out",
                offset: value.offset)
        }
        var resources: [TerraformBlock] = []
        for element in elements {
            var scope = self
            scope.each = element
            resources.append(try scope.filled(block, &budget))
        }
        return resources
    }

    /// Nil if only Terraform knows them.
    private func elements(of expression: TerraformExpression?) -> [Element]? {
        switch expression {
        case .object(let object)?: return object.members
        case .list(let elements)?:
            var result: [Element] = []
            var keys: Set<String> = []
            for element in elements.map({ known($0) }) {
                guard case .literal(let node) = element, let key = node.string else { return nil }
                // A set has each element once.
                if keys.insert(key).inserted { result.append((key, element)) }
            }
            return result
        default: return nil
        }
    }

    /// A resource with values in the place of names. Names share a text, but whoever writes the resources out writes it for each.
    private func filled(
        _ resource: TerraformBlock, _ budget: inout TerraformBudget
    ) throws(JSONSyntaxError) -> TerraformBlock {
        var length = 0
        let filled = filled(resource, &length)
        guard budget.take(text: length) else {
            throw JSONSyntaxError(
                message: "names stand for too much text here: write it out", offset: resource.range.lowerBound)
        }
        return filled
    }

    /// - Parameter length: grows by the text that takes the place of names.
    private func filled(_ block: TerraformBlock, _ length: inout Int) -> TerraformBlock {
        TerraformBlock(
            type: block.type, labels: block.labels, range: block.range,
            attributes: block.attributes.map { (name: $0.name, value: filled($0.value, &length)) },
            blocks: block.blocks.map { filled($0, &length) })
    }

    private func filled(_ value: TerraformValue, _ length: inout Int) -> TerraformValue {
        guard let expression = value.expression, case .name = expression else { return value }
        let filled = TerraformValue(offset: value.offset, expression: known(expression))
        length += filled.node?.string?.utf8.count ?? 0
        return filled
    }

    /// What a name stands for; the name itself if that is not known. A literal has the place of the name.
    private func known(_ expression: TerraformExpression, depth: Int = 0) -> TerraformExpression {
        guard case .name(let name, let range) = expression, depth < TerraformScope.maximumDepth else {
            return expression
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (2...5).contains(parts.count), var value = start(parts[0], parts[1]) else { return expression }
        for part in parts.dropFirst(2) {
            guard case .object(let object) = known(value, depth: depth + 1), let member = object[part] else {
                return expression
            }
            value = member
        }
        value = known(value, depth: depth + 1)
        guard case .literal(let node) = value else { return value }
        return .literal(JSONNode(node.value, range: range))
    }

    /// What `local.name`, `each.key` or `each.value` is.
    private func start(_ first: String, _ second: String) -> TerraformExpression? {
        switch (first, second) {
        case ("local", _): locals[second]
        case ("each", "key"): each.map { .literal(JSONNode(.string($0.key))) }
        case ("each", "value"): each?.value
        default: nil
        }
    }
}

/// What the `for_each` and the names of a file may still make: a few bytes could ask for thousands of resources, or for a long text,
/// again and again.
struct TerraformBudget {
    private var resources = 10_000
    /// How long the text may be if each resource and each name were written out.
    private var size = 16 << 20

    /// A resource for more elements is not read: a database has no more indexes.
    private static let maximumCount = 1_000
    /// Nor one whose text would be longer if it were written out for each.
    private static let maximumSize = 4 << 20

    /// Takes what a resource costs; false, and nothing is taken, if that is too much. Equal elements, and resources that come to
    /// the same entry, cost as much as others.
    mutating func take(_ count: Int, size length: Int) -> Bool {
        guard count <= min(resources, TerraformBudget.maximumCount),
            count * length <= min(size, TerraformBudget.maximumSize)
        else { return false }
        resources -= count
        size -= count * length
        return true
    }

    /// Takes what the text in the place of names costs, in the same way.
    mutating func take(text length: Int) -> Bool {
        guard length <= size else { return false }
        size -= length
        return true
    }
}
