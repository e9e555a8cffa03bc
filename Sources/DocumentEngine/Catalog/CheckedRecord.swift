// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A catalog record whose content is followed by a checksum of it, with the record's key. One wrong bit can make another
/// valid record of it.
enum CheckedRecord {
    static func bytes(_ content: [UInt8], key: [UInt8]) -> [UInt8] {
        content + bytes(Checksum.of(content.span.bytes, key: key.span.bytes))
    }

    /// - Parameter name: what the record holds, for the error.
    static func content(of record: [UInt8], key: [UInt8], _ name: @autoclosure () -> String) throws(EngineError)
        -> [UInt8]
    {
        let content = Array(record.dropLast(8))
        guard record == bytes(content, key: key) else { throw .damaged("\(name()) is not as it was written") }
        return content
    }

    /// A checksum as it is stored.
    static func bytes(_ checksum: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    }
}
