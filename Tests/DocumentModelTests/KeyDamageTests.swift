// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// Bytes that no encoder wrote give an error or some value, but never a trap or a position outside the bytes.
@Suite struct KeyDamageTests {
    @Test func damagedEncodingsNeverTrap() {
        var random = SeededGenerator.printingSeed()
        let values = ValueGenerator(allowsLong: false)
        var refused = 0
        for _ in 0..<Rounds.of(12_000) {
            let descending = random.chance(0.5)
            let sound = key(values.value(&random), descending: descending)
            for _ in 0..<5 { refused += read(damage(sound, &random), descending) ? 0 : 1 }
        }
        #expect(refused > Rounds.of(5_000))
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededGenerator.printingSeed()
        // Every label and mark, and bytes near them, so that damage goes deep.
        let labels: [UInt8] = [
            0, 1, 2, 5, 0x0A, 0x0B, 0x0D, 0x0F, 0x14, 0x19, 0x1E, 0x25, 0x2D, 0x32, 0x35, 0x37, 0xFF,
        ]
        var refused = 0
        for _ in 0..<Rounds.of(45_000) {
            let length = random.int(0..<40)
            let bytes = (0..<length).map { _ in
                random.chance(0.7) ? random.pick(labels) : UInt8(truncatingIfNeeded: random.next())
            }
            refused += read(bytes, false) ? 0 : 1
        }
        #expect(refused > Rounds.of(10_000))
    }

    /// No encoding is a prefix of another, so every truncated encoding is detected.
    @Test func everyTruncationIsNoticed() {
        for value in HardCases.ascendingGroups.joined() {
            let bytes = key(value)
            for length in 0..<bytes.count {
                let cut = Array(bytes[..<length])
                #expect(throws: StoredFormatError.self, "\(value) at \(length)") {
                    var reader = KeyReader(cut.span.bytes)
                    _ = try reader.value()
                }
                #expect(throws: StoredFormatError.self, "\(value) at \(length)") {
                    var reader = KeyReader(cut.span.bytes)
                    try reader.skipValue()
                }
            }
        }
    }

    /// Nesting deeper than stored values allow (D-16), and deeper than the stack.
    @Test(arguments: [[UInt8]([0x32]), [0x37, 0x01, 0x00], [0x37, 0x01, 0x61, 0x00]], [false, true])
    func boundlessNestingIsRefused(_ opening: [UInt8], _ descending: Bool) {
        let bytes = (0..<200_000).flatMap { _ in opening.map { descending ? ~$0 : $0 } }
        #expect(throws: StoredFormatError("a key nests too deeply")) {
            var reader = KeyReader(bytes.span.bytes)
            _ = try reader.value(descending: descending)
        }
        #expect(throws: StoredFormatError.self) {
            var reader = KeyReader(bytes.span.bytes)
            try reader.skipValue(descending: descending)
        }
    }

    @Test func readingFromBehindTheEndIsAnError() {
        let bytes: [UInt8] = [5]
        for offset in [1, 2, 1_000] {
            #expect(throws: StoredFormatError.self) {
                var reader = KeyReader(bytes.span.bytes, at: offset)
                _ = try reader.value()
            }
        }
    }

    /// Whether the bytes can be read. Checks that every way of reading stays within them, and that skipping ends where
    /// decoding ends.
    private func read(_ bytes: [UInt8], _ descending: Bool) -> Bool {
        func end(_ body: (inout KeyReader) throws -> Void) -> Int? {
            var reader = KeyReader(bytes.span.bytes)
            do { try body(&reader) } catch {
                #expect(error is StoredFormatError)
                return nil
            }
            let offset = reader.offset
            if !(0...bytes.count).contains(offset) { Issue.record("\(bytes): reading ends at \(offset)") }
            return offset
        }
        _ = end { _ = try $0.path(descending: descending) }
        _ = end { _ = try $0.number(isDouble: true, descending: descending) }
        let ends = [
            (end { _ = try $0.value(descending: descending) }, end { try $0.skipValue(descending: descending) }),
            (end { _ = try $0.segment(descending: descending) }, end { try $0.skipSegment(descending: descending) }),
        ]
        for (decoded, skipped) in ends where decoded != nil && decoded != skipped {
            Issue.record("\(bytes): decoding ends at \(decoded ?? -1), skipping at \(skipped ?? -1)")
        }
        return ends[0].0 != nil
    }
}

/// The bytes with one to three kinds of damage: a byte changed, a bit flipped, bytes removed, repeated or inserted, or
/// the end cut off.
func damage(_ sound: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = sound
    for _ in 0..<random.int(1..<4) {
        let at = random.int(0..<bytes.count + 1)
        switch random.int(0..<6) {
        case 0 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        case 1 where at < bytes.count: bytes[at] ^= 1 << UInt8(random.int(0..<8))
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + random.int(0..<6)))
        case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + random.int(0..<6))], at: at)
        case 4: bytes.removeSubrange(at...)
        default: bytes.insert(random.pick([0, 1, 2, 0x7F, 0x80, 0xFF]), at: at)
        }
    }
    return bytes
}
