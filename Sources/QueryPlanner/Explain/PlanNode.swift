// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A node of an explanation: an operation with its parameters, applied to the rows of its children.
///
/// Its text is an indented tree. Its JSON has the same content: `{"node":"Index scan","index":"(a ASC, __name__
/// ASC)","children":[…]}`.
package struct PlanNode: Sendable, Hashable {
    package struct Particular: Sendable, Hashable {
        package let name: String
        package let text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    package let name: String
    package var particulars: [Particular]
    package var children: [PlanNode]

    package init(_ name: String, _ particulars: [Particular] = [], children: [PlanNode] = []) {
        self.name = name
        self.particulars = particulars
        self.children = children
    }

    /// One line for each node, without a trailing newline.
    package var text: String {
        lines.joined(separator: "\n")
    }

    private var lines: [String] {
        let particulars = particulars.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        var lines = [particulars.isEmpty ? name : "\(name): \(particulars)"]
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            for (number, line) in child.lines.enumerated() {
                lines.append((number == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")) + line)
            }
        }
        return lines
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("node")
        writer.string(name)
        for particular in particulars {
            writer.key(particular.name)
            writer.string(particular.text)
        }
        if !children.isEmpty {
            writer.key("children")
            writer.beginArray()
            for child in children { child.write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }
}
