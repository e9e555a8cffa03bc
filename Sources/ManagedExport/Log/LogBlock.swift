// SPDX-License-Identifier: Apache-2.0

/// The blocks and fragments of a log: the file format of LevelDB, in which an export keeps its records.
///
/// A block has 32 KiB. A record is in one fragment, or in several that begin blocks. A fragment has a checksum, a length and a
/// kind; a rest of a block that has no room for these is filled with zeros.
enum LogBlock {
    static let size = 32 << 10
    static let headerLength = 7

    enum Kind: UInt8 {
        case full = 1
        case first, middle, last
    }

    /// The checksum as a fragment stores it: rotated, so that a checksum of data that holds checksums is a good one.
    static func maskedChecksum(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        let sum = CRC32C.checksum(of: bytes, after: CRC32C.checksum(of: [kind]))
        return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
    }
}

/// The cyclic redundancy check with Castagnoli's polynomial.
enum CRC32C {
    static func checksum(of bytes: ArraySlice<UInt8>, after sum: UInt32 = 0) -> UInt32 {
        var rest = ~sum
        for byte in bytes { rest = table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ rest >> 8 }
        return ~rest
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0x82F6_3B78 }
    }
}
