// SPDX-License-Identifier: Apache-2.0

/// Makes the bytes of a log.
package struct LogWriter {
    /// The bytes since ``take()``.
    private var bytes: [UInt8] = []
    private var usedOfBlock = 0

    package init() {}

    /// How many bytes wait to be taken.
    package var count: Int { bytes.count }

    /// Appends a record.
    package mutating func append(_ record: [UInt8]) {
        var rest = record[...]
        var isFirst = true
        repeat {
            if LogBlock.size - usedOfBlock < LogBlock.headerLength {
                bytes.append(contentsOf: repeatElement(0, count: LogBlock.size - usedOfBlock))
                usedOfBlock = 0
            }
            let part = rest.prefix(LogBlock.size - usedOfBlock - LogBlock.headerLength)
            rest = rest.dropFirst(part.count)
            let kind: LogBlock.Kind =
                switch (isFirst, rest.isEmpty) {
                case (true, true): .full
                case (true, false): .first
                case (false, false): .middle
                case (false, true): .last
                }
            append(kind, part)
            isFirst = false
        } while !rest.isEmpty
    }

    private mutating func append(_ kind: LogBlock.Kind, _ part: ArraySlice<UInt8>) {
        let sum = LogBlock.maskedChecksum(kind.rawValue, part)
        for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: sum >> shift)) }
        bytes.append(UInt8(truncatingIfNeeded: part.count))
        bytes.append(UInt8(truncatingIfNeeded: part.count >> 8))
        bytes.append(kind.rawValue)
        bytes.append(contentsOf: part)
        usedOfBlock = (usedOfBlock + LogBlock.headerLength + part.count) % LogBlock.size
    }

    /// Returns the bytes that were not taken yet, and forgets them.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
