// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Values as table cells: as queries write them, but text without quotes if it is unambiguous.
enum ValueText {
    static func cell(_ value: Value?) -> String {
        switch value {
        case nil: "–"
        case .string(let text)? where isPlain(text.string): text.string
        case .timestamp(let time)?: time.description
        case .reference(let reference)?: reference.path.description
        case .bytes(let bytes)?: Numbers.bytes(bytes.count)
        case .geoPoint(let point)?: "\(point.latitude), \(point.longitude)"
        case let value?: QueryText.text(of: value)
        }
    }

    static func isNumber(_ value: Value?) -> Bool {
        switch value {
        case nil, .integer, .double: true
        default: false
        }
    }

    /// Whether the text cannot be mistaken for a number, a word such as `null`, or an empty cell.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20, Double(text) == nil
        else {
            return false
        }
        guard !["null", "true", "false", "–"].contains(text) else { return false }
        return text.printable.utf8.elementsEqual(text.utf8) && !"[{\"".utf8.contains(first)
    }
}
