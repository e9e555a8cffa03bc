// SPDX-License-Identifier: Apache-2.0

/// What ends the official compiler before it looks at names and types.
extension Checker {
    /// Chains of members and methods may be long, but not so long that walking them could end the stack.
    private static let longestChain = 500

    /// Reports the expressions at the first level that is too deep, without going deeper, and packages among values.
    mutating func checkStructure(_ root: SyntaxTree.ExpressionID) {
        if tree[root].height > Checker.longestChain, tree[root].nestingHeight < Parser.deepestExpression {
            structuralErrors.append(.error(tree[root].start, Parser.tooComplex))
        }
        let isDeep = tree[root].nestingHeight >= Parser.deepestExpression
        guard isDeep || usesPackages else { return }
        var open = [(id: root, depth: 1)]
        while let (id, depth) = open.popLast() {
            guard depth < Parser.deepestExpression else {
                structuralErrors.append(.error(tree[id].start, Parser.tooComplex))
                continue
            }
            let kind = tree[id].kind
            if case .variable(let name) = kind {
                refusePackage(SyntaxTree.Name(text: name, position: tree[id].position))
            }
            for (place, child) in kind.children.enumerated() {
                open.append((child, depth + (place == 0 && kind.isPostfix ? 0 : 1)))
            }
        }
    }
}
