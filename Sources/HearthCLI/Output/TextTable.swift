// SPDX-License-Identifier: Apache-2.0

/// Rows of cells in aligned columns that fit into a width. Long cells are cut with `…`, but numbers and the
/// first column, which names the row, never are. Columns
/// that do not fit are left out and named at the end.
struct TextTable {
    private let header: [String]
    private let numeric: Set<Int>
    private var rows: [[String]] = []

    private static let gap = 2
    private static let narrowest = 10

    /// - Parameter numeric: the right-aligned columns.
    init(_ header: [String], numeric: Set<Int> = []) {
        self.header = header.map(\.printable)
        self.numeric = numeric
    }

    mutating func add(_ row: [String]) { rows.append(row.map(\.printable)) }

    var isEmpty: Bool { rows.isEmpty }

    func lines(width: Int, _ style: Style) -> [String] {
        let widths = widths(fitting: width)
        let head = style.bold(line(header, widths))
        let rule = style.dim(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
        let left = header.dropFirst(widths.count)
        let note =
            left.isEmpty
            ? [] : [style.dim("not shown for lack of space: \(left.joined(separator: ", "))".cut(to: width))]
        return [head, rule] + rows.map { line($0, widths) } + note
    }

    /// The widths of the columns that are shown. The widest columns narrow first, until all fit.
    private func widths(fitting width: Int) -> [Int] {
        let natural = header.indices.map { column in
            rows.reduce(header[column].displayWidth) { max($0, $1[column].displayWidth) }
        }
        let least = natural.indices.map { column in
            // A name that is cut names nothing.
            numeric.contains(column) || column == 0
                ? natural[column] : min(natural[column], TextTable.narrowest)
        }
        var count = header.count
        while count > 1, TextTable.total(least.prefix(count)) > width { count -= 1 }
        var widths = Array(natural.prefix(count))
        while TextTable.total(widths[...]) > width {
            let candidates = widths.indices.filter { widths[$0] > least[$0] }
            // The first column identifies the row, so it narrows last.
            guard let widest = candidates.max(by: { ($0 == 0 ? 0 : widths[$0]) < ($1 == 0 ? 0 : widths[$1]) }) else {
                break
            }
            widths[widest] -= 1
        }
        return widths
    }

    private static func total(_ widths: ArraySlice<Int>) -> Int {
        widths.reduce(0, +) + gap * (widths.count - 1)
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = widths.indices.map { column in
            let cell = cells[column].cut(to: widths[column])
            let space = String(repeating: " ", count: widths[column] - cell.displayWidth)
            return numeric.contains(column) ? space + cell : cell + space
        }
        var line = padded.joined(separator: String(repeating: " ", count: TextTable.gap))
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}

extension String {
    /// The number of terminal columns that the string takes. Characters of East Asian scripts and emoji take two.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The string's lines, broken between words if they are longer than `width`.
    func wrapped(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines = [""]
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                let last = lines[lines.count - 1]
                if last.isEmpty || last.displayWidth + 1 + String(word).displayWidth > width, !last.isEmpty {
                    lines.append(String(word))
                } else {
                    lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
                }
            }
            return lines
        }
    }

    /// The string, cut with `…` if it is wider than `width`.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var text = ""
        var used = 1
        for character in self {
            guard used + character.displayWidth <= width else { break }
            text.append(character)
            used += character.displayWidth
        }
        return text + "…"
    }
}

extension Character {
    var displayWidth: Int {
        guard let first = unicodeScalars.first, !isASCII else { return 1 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return first.properties.isEmojiPresentation ? 2 : 1
        }
    }
}

enum Screen {
    private static let least = 40

    /// The columns to print in: those of the terminal, those of `COLUMNS`, or enough for a file.
    static var width: Int { max(least, System.terminalWidth(System.standardOutput) ?? wanted ?? 120) }

    /// The columns of help, which prefers `COLUMNS`.
    static var helpWidth: Int { max(least, wanted ?? System.terminalWidth(System.standardOutput) ?? 80) }

    /// `COLUMNS`. Some terminals say 0 where they do not know.
    private static var wanted: Int? { System.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
}
