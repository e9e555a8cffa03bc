// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of a protobuf message, in the order of the bytes. Groups, which exports use, are messages without a length.
struct WireReader {
    enum Payload {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(Range<Int>)
        case group
        case fixed32
    }

    let buffer: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ buffer: [UInt8]) {
        self.init(buffer, 0..<buffer.count)
    }

    init(_ buffer: [UInt8], _ range: Range<Int>) {
        self.buffer = buffer
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next field; nil at the end of the message or group. A group's fields follow until nil.
    mutating func next() throws(ExportFormatError) -> (field: Int, payload: Payload)? {
        guard position < end else { return nil }
        let key = try varint()
        let field = Int(truncatingIfNeeded: key >> 3 & 0xFFFF_FFFF)
        // No message has a field 0. Zeros are what a file system leaves of a file whose bytes were lost.
        guard field > 0 else { throw WireReader.malformed }
        switch key & 7 {
        case 0: return (field, .varint(try varint()))
        case 1: return (field, .fixed64(try fixed64()))
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else { throw WireReader.malformed }
            defer { position += Int(length) }
            return (field, .bytes(position..<position + Int(length)))
        case 3: return (field, .group)
        case 4: return nil
        case 5:
            guard end - position >= 4 else { throw WireReader.malformed }
            position += 4
            return (field, .fixed32)
        default: throw WireReader.malformed
        }
    }

    /// Passes over a payload that nobody wants.
    mutating func skip(_ payload: Payload, depth: Int = 0) throws(ExportFormatError) {
        guard case .group = payload else { return }
        guard depth < 100 else { throw WireReader.malformed }
        while let (_, inner) = try next() { try skip(inner, depth: depth + 1) }
    }

    func message(_ range: Range<Int>) -> WireReader { WireReader(buffer, range) }

    private mutating func varint() throws(ExportFormatError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) as StrideTo<UInt64> {
            guard position < end else { throw WireReader.malformed }
            let byte = buffer[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw WireReader.malformed
    }

    private mutating func fixed64() throws(ExportFormatError) -> UInt64 {
        guard end - position >= 8 else { throw WireReader.malformed }
        defer { position += 8 }
        return buffer[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    static let malformed = ExportFormatError("a record is no entity")
}
