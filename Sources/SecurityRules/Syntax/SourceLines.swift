// SPDX-License-Identifier: Apache-2.0

/// Where the lines of a source begin.
struct SourceLines: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int]

    init(_ source: RuleSource) {
        bytes = source.bytes
        starts = [0] + bytes.indices.filter { source.bytes[$0] == 0x0A }.map { $0 + 1 }
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
