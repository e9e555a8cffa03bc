// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A node of an explanation: an operation with its parameters, applied to the rows of its children.
///
/// Its text is an indented tree. Its JSON has the same content: `{"node":"Index scan","index":"(a ASC, __name__
/// ASC)","children":[…]}`.
package struct PlanNode: Sendable, Hashable {
    package struct Particular: Sendable, Hashable {
        /// How a tree of few words for people shows it.
        package enum Summary: Sendable {
            case nameAndText
            case text
            /// Its text, in one part with the particular before it.
            case textJoined
            /// As the condition for the node's rows, behind everything else.
            case condition
            case omitted
        }

        package let name: String
        package let text: String
        package let summary: Summary

        package init(_ name: String, _ text: String, _ summary: Summary = .nameAndText) {
            self.name = name
            self.text = text
            self.summary = summary
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
