// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

@Suite struct LineMapTests {
    @Test(arguments: [
        (0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 1), (4, 2, 2), (5, 2, 2), (6, 2, 3), (7, 2, 4), (8, 3, 1), (9, 4, 1),
        (13, 4, 2), (99, 4, 2), (-1, 1, 1),
    ])
    func positions(_ offset: Int, _ line: Int, _ column: Int) {
        let map = LineMap(Array("ab\naéb\n\n😀".utf8))
        #expect(map.position(of: offset) == LineMap.Position(line: line, column: column))
    }

    @Test func positionsOutside() {
        let map = LineMap(Array("ab\né".utf8))
        #expect(map.offset(of: LineMap.Position(line: 1, column: 9)) == 2)
        #expect(map.offset(of: LineMap.Position(line: 2, column: 9)) == 5)
        #expect(map.offset(of: LineMap.Position(line: 3, column: 1)) == 5)
    }

    @Test func lines() {
        let map = LineMap(Array("ab\r\n\té\n\nlast".utf8))
        #expect(
            [0, 3, 4, 8, 9, 99].map { map.excerpt(at: $0, width: 50).text } == ["ab", "ab", "\té", "", "last", "last"])
        #expect(LineMap([]).position(of: 0) == LineMap.Position(line: 1, column: 1))
        #expect(LineMap([0x61, 0xFF]).excerpt(at: 0, width: 50).text == "a\u{FFFD}")
    }

    /// The excerpt of a one-line file shows the part around the position.
    @Test func excerptsOfLongLines() {
        let map = LineMap(
            Array((String(repeating: "é", count: 5_000) + "x" + String(repeating: "ü", count: 5_000)).utf8))
        let excerpt = map.excerpt(at: 10_000, width: 100)
        #expect(excerpt.text == String(repeating: "é", count: 50) + "x" + String(repeating: "ü", count: 49))
        #expect(excerpt.mark == 50)
        #expect(excerpt.isCutBefore && excerpt.isCutAfter)
        let first = map.excerpt(at: 4, width: 100)
        #expect(first.text == String(repeating: "é", count: 100))
        #expect(first.mark == 2 && !first.isCutBefore && first.isCutAfter)
    }

    /// Compares with counting by `String`, over lines longer than the map's stride.
    @Test func agreesWithCountingScalars() {
        var fuzz = JSONFuzz(seed: 3)
        let text = (0..<400).map { _ in fuzz.text() }.joined(separator: "é")
        let map = LineMap(Array(text.utf8))
        var offset = 0
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars {
            #expect(map.position(of: offset) == LineMap.Position(line: line, column: column))
            #expect(map.offset(of: LineMap.Position(line: line, column: column)) == offset)
            offset += String(scalar).utf8.count
            column += 1
            if scalar == "\n" { (line, column) = (line + 1, 1) }
        }
    }

    /// Positions on long lines are found from the nearest mark.
    @Test func longLines() {
        let line = String(repeating: "aé😀", count: 300)
        let text = "\(line)\n\n\(line)b"
        let map = LineMap(Array(text.utf8))
        var (position, offset) = (LineMap.Position(line: 1, column: 1), 0)
        for (place, scalar) in text.unicodeScalars.enumerated() {
            #expect(map.offset(of: position) == offset && map.scalars(before: offset) == place)
            offset += UTF8.width(scalar)
            position =
                scalar == "\n"
                ? LineMap.Position(line: position.line + 1, column: 1)
                : LineMap.Position(line: position.line, column: position.column + 1)
        }
        #expect(offset == text.utf8.count)
        let behind = [position, LineMap.Position(line: 3, column: 5_000), LineMap.Position(line: 4, column: 1)]
        #expect(behind.allSatisfy { map.offset(of: $0) == offset })
        #expect(LineMap([]).offset(of: LineMap.Position(line: 1, column: 1)) == 0)
    }
}
