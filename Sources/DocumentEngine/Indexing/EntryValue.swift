// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The value of an index entry. In group scope it begins with the ID of the document's collection. Then comes one bit
/// for each ordered field, which tells a double from an integer because their keys are equal, or the elements of a
/// vector.
enum EntryValue {
    /// Whether the ordered field at `position` of the index was a double in the document.
    static func isDouble(_ value: RawSpan, after offset: Int, at position: Int) -> Bool {
        let byte = offset + position / 8
        return byte < value.byteCount && value.byte(at: byte) & (1 << UInt8(position % 8)) != 0
    }

    /// Appends the bits for fields with these values, without trailing zero bytes. Usually that is nothing.
    static func appendKinds(_ values: [Value?], to bytes: inout [UInt8]) {
        let start = bytes.count
        for (position, value) in values.enumerated() {
            guard case .double? = value else { continue }
            while bytes.count <= start + position / 8 { bytes.append(0) }
            bytes[start + position / 8] |= 1 << UInt8(position % 8)
        }
    }

    static func appendVector(_ vector: [Double], to bytes: inout [UInt8]) {
        for element in vector {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: element.bitPattern >> UInt64(shift)))
            }
        }
    }

    static func vector(_ value: RawSpan, at offset: Int, _ dimension: Int) -> [Double] {
        var vector: [Double] = []
        vector.reserveCapacity(dimension)
        for index in 0..<dimension {
            var bits: UInt64 = 0
            for byte in 0..<8 { bits |= UInt64(value.byte(at: offset + 8 * index + byte)) << UInt64(8 * byte) }
            vector.append(Double(bitPattern: bits))
        }
        return vector
    }
}
