// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// How the text of an index file is laid out, so that what is added looks like the rest.
struct ConfigurationLayout {
    private let source: [UInt8]
    private let lineBreak: String
    private let unit: String

    /// Where an element or a member is added to a container.
    struct Place {
        /// Where to put the comma after the last element; nil if there is none, or if it has one already.
        let comma: Int?
        /// Where to put the new text: after the comments that follow the last element.
        let offset: Int
        /// The white space before each new element.
        let separator: String
        /// The white space before the closing bracket, if the container has none.
        let closing: String
        /// The indentation of a new element; nil if it belongs on the same line.
        let indentation: String?
    }

    init(_ source: [UInt8], _ root: JSONNode) {
        self.source = source
        let firstBreak = source.firstIndex(of: UInt8(ascii: "\n"))
        lineBreak = firstBreak.map { $0 > 0 && source[$0 - 1] == UInt8(ascii: "\r") } == true ? "\r\n" : "\n"
        let member = root.members?.first
        let found = member.map { ConfigurationLayout.indentation(at: $0.keyOffset, in: source) } ?? ""
        unit = found.isEmpty ? "  " : found
    }

    func place(in container: JSONNode, after last: JSONNode?) -> Place {
        let bracket = container.range.upperBound - 1
        var end = bracket
        while JSONParser.isWhiteSpace(source[end - 1]) { end -= 1 }
        let lines = source[(last?.range.upperBound ?? container.offset)..<bracket].contains(UInt8(ascii: "\n"))
        guard last == nil || lines else {
            return Place(
                comma: last?.range.upperBound, offset: end, separator: " ", closing: "", indentation: nil)
        }
        let outer = ConfigurationLayout.indentation(at: lines ? bracket : container.offset, in: source)
        let inner = last.map { ConfigurationLayout.indentation(at: $0.offset, in: source) } ?? outer + unit
        return Place(
            comma: last?.range.upperBound, offset: end, separator: lineBreak + inner,
            closing: lines ? "" : lineBreak + outer, indentation: inner)
    }

    /// A node as it is written at a place.
    func text(_ node: JSONNode, _ place: Place) -> String {
        guard let indentation = place.indentation else { return node.text() }
        let lines = node.text(.indented).split(separator: "\n", omittingEmptySubsequences: false)
        let indented = lines.enumerated().map { number, line in
            let content = line.drop { $0 == " " }
            let depth = (line.count - content.count) / 2
            let margin = number == 0 ? "" : indentation + String(repeating: unit, count: depth)
            return margin + content
        }
        return indented.joined(separator: lineBreak)
    }

    /// The white space at the beginning of the line that contains an offset.
    private static func indentation(at offset: Int, in source: [UInt8]) -> String {
        let start = source[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let blank = source[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return String(decoding: blank, as: UTF8.self)
    }
}
