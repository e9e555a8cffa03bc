// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension ConditionReader {
    /// A text that two expressions share only if they mean the same. Cut off where it gets long.
    func key(_ site: Site) -> String {
        var text = ""
        var open: [Part] = [.site(site)]
        while let part = open.popLast() {
            guard text.utf8.count < 2000 else { return text + "…\(site.id).\(site.frame)" }
            switch part {
            case .text(let words): text += words
            case .site(let site): append(resolved(site), &text, &open)
            }
        }
        return text
    }

    private enum Part {
        case text(String)
        case site(Site)
    }

    private func append(_ site: Site, _ text: inout String, _ open: inout [Part]) {
        switch kind(site) {
        case .constant(let value): text += "\(value)"
        case .variable(let name): text += capture(name, site).map { "{\($0)}" } ?? name
        case .member(let operand, let name): open += [.text(".\(name)"), .site(sibling(operand, of: site))]
        case .path(let parts):
            for part in parts.reversed() {
                switch part {
                case .text(let segment): open.append(.text("/\(segment)"))
                case .binding(let id): open += [.text(")"), .site(sibling(id, of: site)), .text("/$(")]
                case .capture(let name, _): open.append(.text("/{\(name)}"))
                }
            }
        default:
            text += label(kind(site)) + "("
            open.append(.text(")"))
            for child in children(site).reversed() { open += [.text(","), .site(child)] }
        }
    }

    private func label(_ kind: SyntaxTree.Expression.Kind) -> String {
        switch kind {
        case .binary(let binary, _, _): binary.rawValue
        case .typeTest(_, let type): "is \(type.rawValue)"
        case .call(let name, _): name
        case .packageCall(let package, let name, _): "\(package).\(name)"
        case .method(_, let name, _): ".\(name)"
        case .not: "!"
        case .negated: "-"
        case .list: "list"
        case .map: "map"
        case .index: "index"
        case .range(_, let from, let to): "range\(from == nil ? 0 : 1)\(to == nil ? 0 : 1)"
        case .conditional: "?"
        case .constant, .variable, .parenthesized, .path, .member: ""
        }
    }
}
