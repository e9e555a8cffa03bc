// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// A plan as a tree for people: what each node reads and keeps, in few words. The JSON form has all details.
struct PlanTree {
    private let width: Int
    private let style: Style

    init(width: Int, _ style: Style) {
        self.width = width
        self.style = style
    }

    func lines(_ node: PlanNode) -> [String] { lines(node, indent: 0) }

    private func lines(_ node: PlanNode, indent: Int) -> [String] {
        let (head, filter) = text(node)
        var lines: [String] = []
        let isLong = indent + node.name.count + 2 + head.count + 1 + filter.count > width
        let rest = [head, isLong ? "" : filter].filter { !$0.isEmpty }.joined(separator: " ")
        lines.append(style.cyan(node.name) + (rest.isEmpty ? "" : ": \(rest)"))
        if isLong, !filter.isEmpty {
            lines.append((node.children.isEmpty ? "     " : style.dim("│") + "    ") + filter)
        }
        for (index, child) in node.children.enumerated() {
            let isLast = index == node.children.count - 1
            for (number, line) in self.lines(child, indent: indent + 3).enumerated() {
                let branch = number == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")
                lines.append(style.dim(branch) + line)
            }
        }
        return lines
    }

    /// What a node does, and which rows it keeps.
    private func text(_ node: PlanNode) -> (head: String, filter: String) {
        var parts: [String] = []
        var filter = ""
        for particular in node.particulars {
            switch particular.summary {
            case .nameAndText: parts.append("\(particular.name) \(particular.text)")
            case .text: parts.append(particular.text)
            case .textJoined: parts.append(parts.popLast().map { "\($0) \(particular.text)" } ?? particular.text)
            case .condition: filter = "where \(particular.text)"
            case .omitted: break
            }
        }
        return (parts.joined(separator: ", "), filter)
    }
}
