// SPDX-License-Identifier: Apache-2.0

/// Writes the two kinds of protobuf fields that an index message uses.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(field: UInt8, _ value: Int) {
        bytes.append(field << 3)
        varint(value)
    }

    mutating func bytes(field: UInt8, _ content: [UInt8]) {
        bytes.append(field << 3 | 2)
        varint(content.count)
        bytes += content
    }

    private mutating func varint(_ value: Int) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads protobuf fields in sequence.
struct ProtobufReader {
    enum Content {
        case varint(UInt64)
        case bytes([UInt8])
        /// Fixed-width numbers, which an index message never has.
        case other
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        position = 0
    }

    /// Nil at the end.
    mutating func next() throws(ConsoleLinkError) -> (field: UInt64, content: Content)? {
        guard position < bytes.endIndex else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0 else { throw .damaged("a field has the number 0") }
        switch tag & 7 {
        case 0: return (tag >> 3, .varint(try varint()))
        case 1: return (tag >> 3, try skip(8))
        case 2:
            let count = try varint()
            guard count <= UInt64(bytes.endIndex - position) else { throw .damaged("a field ends beyond the payload") }
            defer { position += Int(count) }
            return (tag >> 3, .bytes(Array(bytes[position..<position + Int(count)])))
        case 5: return (tag >> 3, try skip(4))
        default: throw .damaged("a field has the unknown wire type \(tag & 7)")
        }
    }

    private mutating func skip(_ count: Int) throws(ConsoleLinkError) -> Content {
        guard count <= bytes.endIndex - position else { throw .damaged("a field ends beyond the payload") }
        position += count
        return .other
    }

    private mutating func varint() throws(ConsoleLinkError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard position < bytes.endIndex else { throw .damaged("a number ends beyond the payload") }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .damaged("a number has more than ten bytes")
    }
}
