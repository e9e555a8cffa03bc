// SPDX-License-Identifier: Apache-2.0

/// Where the lines of a source begin.
struct SourceLines: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]
    /// How many characters, that is scalars, come before each line.
    private let scalars: [Int]

    init(_ source: RuleSource) {
        bytes = source.bytes
        let starts = [0] + bytes.indices.filter { source.bytes[$0] == 0x0A }.map { $0 + 1 }
        var (scalars, count) = ([0], 0)
        for (start, next) in zip(starts, starts.dropFirst()) {
            count += source.scalarCount(start..<next)
            scalars.append(count)
        }
        (self.starts, self.scalars) = (starts, scalars)
    }

    /// How many characters come before a position.
    func scalarOffset(of position: SourcePosition) -> Int {
        scalars[min(max(position.line, 1), scalars.count) - 1] + max(position.column, 1) - 1
    }

    func offset(of position: SourcePosition) -> Int {
        guard position.line <= starts.count else { return bytes.count }
        var offset = starts[max(position.line, 1) - 1]
        var column = 1
        while column < position.column, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            column += 1
        }
        return offset
    }
}
