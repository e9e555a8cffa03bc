// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of a protobuf message.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ field: Int, _ value: UInt64) {
        key(field, 0)
        append(value)
    }

    mutating func fixed64(_ field: Int, _ value: UInt64) {
        key(field, 1)
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
    }

    mutating func bytes(_ field: Int, _ value: some Collection<UInt8>) {
        key(field, 2)
        append(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func message(_ field: Int, _ write: (inout WireWriter) -> Void) {
        var inner = WireWriter()
        write(&inner)
        bytes(field, inner.bytes)
    }

    mutating func group(_ field: Int, _ write: (inout WireWriter) -> Void) {
        key(field, 3)
        write(&self)
        key(field, 4)
    }

    private mutating func key(_ field: Int, _ kind: UInt64) { append(UInt64(field) << 3 | kind) }

    private mutating func append(_ varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
