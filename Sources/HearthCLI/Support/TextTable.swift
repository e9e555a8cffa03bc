// SPDX-License-Identifier: Apache-2.0

/// Rows of cells in aligned columns that fit a width; what does not fit is cut with `…`.
struct TextTable {
    private let header: [String]
    private let numeric: [Bool]
    private var rows: [[String]] = []

    private static let gap = 2
    private static let narrowest = 6

    /// - Parameter numeric: the columns that are aligned at the right.
    init(_ header: [String], numeric: Set<Int> = []) {
        self.header = header
        self.numeric = header.indices.map { numeric.contains($0) }
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var isEmpty: Bool { rows.isEmpty }

    func lines(width: Int, _ style: Style) -> [String] {
        let widths = widths(fitting: width)
        let head = style.bold(line(header, widths))
        let rule = style.dim(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
        return [head, rule] + rows.map { line($0, widths) }
    }

    /// Columns narrow from the widest on, until all fit or none can give more.
    private func widths(fitting width: Int) -> [Int] {
        var widths = header.indices.map { column in
            rows.reduce(header[column].displayWidth) { max($0, $1[column].displayWidth) }
        }
        var excess = widths.reduce(0, +) + TextTable.gap * (widths.count - 1) - width
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > TextTable.narrowest
        {
            let next = widths.filter { $0 < widths[widest] }.max() ?? TextTable.narrowest
            let step = min(excess, max(1, widths[widest] - max(next, TextTable.narrowest)))
            widths[widest] -= step
            excess -= step
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let cell = cells[column].cut(to: widths[column])
            let space = String(repeating: " ", count: widths[column] - cell.displayWidth)
            return numeric[column] ? space + cell : cell + space
        }
        var line = padded.joined(separator: String(repeating: " ", count: TextTable.gap))
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}

extension String {
    /// How many columns of a terminal it takes: characters of East Asian scripts and emoji take two.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// No wider than `width`, cut with `…`.
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

    /// On one line and harmless to a terminal: control characters are replaced.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
            return self
        }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : $0 }))
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first, !isASCII else { return 1 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

enum Screen {
    /// Columns to print in: the terminal's, those of `COLUMNS`, or enough for a file.
    static var width: Int {
        if let width = System.terminalWidth(System.standardOutput) { return max(40, width) }
        return max(40, System.environment("COLUMNS").flatMap { Int($0) } ?? 120)
    }
}
