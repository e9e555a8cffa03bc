// SPDX-License-Identifier: Apache-2.0

/// Where the lines and characters of a source begin. A line may be long and have many issues, so none is walked through for each.
struct SourceLines: Sendable {
    private let bytes: [UInt8]
    /// How many characters, that is scalars, come before each line.
    private let scalars: [Int]
    /// Where every so many characters one begins, from the first one on.
    private let marks: [Int]

    /// How many characters lie from one mark to the next.
    static let markDistance = 256

    init(_ source: RuleSource) {
        bytes = source.bytes
        var (scalars, marks, count) = ([0], [Int](), 0)
        for (offset, byte) in source.bytes.enumerated() where byte & 0xC0 != 0x80 {
            if count % SourceLines.markDistance == 0 { marks.append(offset) }
            count += 1
            if byte == 0x0A { scalars.append(count) }
        }
        (self.scalars, self.marks) = (scalars, marks)
    }

    /// How many characters come before a position.
    func scalarOffset(of position: SourcePosition) -> Int {
        scalars[min(max(position.line, 1), scalars.count) - 1] + max(position.column, 1) - 1
    }

    func offset(of position: SourcePosition) -> Int {
        guard position.line <= scalars.count else { return bytes.count }
        var (offset, rest) = mark(before: scalarOffset(of: position))
        while rest > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            rest -= 1
        }
        return offset
    }

    /// The last mark before a character, and how many characters lie between; the end for a character behind it.
    func mark(before scalar: Int) -> (offset: Int, rest: Int) {
        let place = scalar / SourceLines.markDistance
        guard place < marks.count else { return (bytes.count, 0) }
        return (marks[place], scalar % SourceLines.markDistance)
    }
}
