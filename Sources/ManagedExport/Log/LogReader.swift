// SPDX-License-Identifier: Apache-2.0

/// Reads the records of a log. Memory grows with the longest record, never with the file.
package struct LogReader {
    private let read: (Int) throws -> [UInt8]
    private var block: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// Where the block begins in the file.
    private var blockStart = 0
    private let longest: Int

    /// - Parameters:
    ///   - longest: the longest record that is accepted. A document has at most 1 MiB.
    ///   - read: returns at most so many bytes; fewer only at the end of the file.
    package init(longest: Int = 16 << 20, read: @escaping (_ count: Int) throws -> [UInt8]) {
        self.longest = longest
        self.read = read
    }

    package var bytesRead: Int { blockStart + position }

    /// Returns nil at the end of the file.
    ///
    /// - Throws: ``ExportFormatError`` for a log that is damaged or ends within a record, and what `read` throws.
    package mutating func next() throws -> [UInt8]? {
        var record: [UInt8]?
        while let (kind, bytes) = try nextFragment() {
            switch (kind, record) {
            case (.full, nil): return Array(bytes)
            case (.first, nil): record = Array(bytes)
            case (.middle, .some), (.last, .some): record?.append(contentsOf: bytes)
            default: throw damaged("a record has its parts in the wrong order")
            }
            guard record?.count ?? 0 <= longest else { throw damaged("a record is longer than \(longest >> 20) MiB") }
            if kind == .last { return record }
        }
        guard record == nil else { throw damaged("the file ends within a record") }
        return nil
    }

    private mutating func nextFragment() throws -> (LogBlock.Kind, ArraySlice<UInt8>)? {
        while true {
            if block.count - position < LogBlock.headerLength {
                guard block.count == LogBlock.size || block.isEmpty && !isAtEnd else {
                    guard position == block.count else { throw damaged("the file ends within a record") }
                    return nil
                }
                try fill()
                continue
            }
            let stored = block[position..<position + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let length = Int(block[position + 4]) | Int(block[position + 5]) << 8
            let kind = block[position + 6]
            let start = position + LogBlock.headerLength
            // Some writers fill the rest of a block that they have begun with zeros.
            if kind == 0, length == 0, stored == 0 {
                guard position > 0 else { throw damaged("a block has zeros only") }
                position = block.count
                continue
            }
            guard let known = LogBlock.Kind(rawValue: kind) else { throw damaged("a record of kind \(kind)") }
            guard start + length <= block.count else { throw damaged("the file ends within a record") }
            let bytes = block[start..<start + length]
            guard LogBlock.maskedChecksum(kind, bytes) == stored else { throw damaged("a checksum is wrong") }
            position = start + length
            return (known, bytes)
        }
    }

    private mutating func fill() throws {
        blockStart += block.count
        block = try read(LogBlock.size)
        position = 0
        isAtEnd = block.count < LogBlock.size
    }

    private func damaged(_ what: String) -> ExportFormatError {
        ExportFormatError("\(what), at byte \(bytesRead); it is no export, or a damaged one")
    }
}
