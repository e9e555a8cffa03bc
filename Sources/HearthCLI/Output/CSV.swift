// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// Lines of comma-separated values (RFC 4180). Text is as it is, line breaks included, if ``Output`` is for data; lists and maps are
/// plain JSON; a missing field is empty.
enum CSV {
    static func line(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") }

    static func line(_ path: DocumentPath, _ fields: Fields, columns: [Text]) -> String {
        line([path.description] + columns.map { name in fields[name].map(cell) ?? "" })
    }

    static func cell(_ value: Value) -> String {
        let node = PlainOutput.node(value)
        return node.string ?? node.text()
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.utf8.contains(where: { "\",\n\r".utf8.contains($0) }) else { return cell }
        return "\"\(cell.replacing("\"", with: "\"\""))\""
    }
}
