// SPDX-License-Identifier: Apache-2.0

/// Numbers in pages that were read from the file; LMDB's files have the machine's byte order.
extension [UInt8] {
    func integer(at offset: Int) -> Int {
        unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int.self)
    }

    func word(at offset: Int) -> Int {
        unsafe Int(span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    func short(at offset: Int) -> Int {
        unsafe Int(span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
}
