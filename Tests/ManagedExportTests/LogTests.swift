// SPDX-License-Identifier: Apache-2.0

import ManagedExport
import TestSupport
import Testing

@Suite struct LogTests {
    private func records(_ bytes: [UInt8]) throws -> [[UInt8]] {
        var position = 0
        var reader = LogReader { count in
            defer { position += count }
            return Array(bytes.dropFirst(position).prefix(count))
        }
        var records: [[UInt8]] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// Records end everywhere around the ends of blocks, where a header has room or has not.
    @Test(arguments: [0, 1, 32_740, 32_750, 32_754, 32_755, 32_761, 32_762, 65_536, 200_000])
    func roundTrip(length: Int) throws {
        for more in 0..<max(2, Rounds.of(16)) {
            var log = LogWriter()
            let written = [length + more, 3, 0, 40_000].map { count in
                (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            }
            for record in written { log.append(record) }
            #expect(try records(log.take()) == written)
        }
    }

    /// What the official emulator wrote for a database without documents.
    @Test func emulatorsBytes() throws {
        let bytes: [UInt8] = [
            0xB8, 0x6D, 0x44, 0x4E, 0x01, 0x00, 0x01, 0x33, 0x05, 0x2B, 0x28, 0x43, 0x00, 0x00, 0x01,
        ]
        #expect(try records(bytes) == [[0x33], []])
        #expect(ExportManifest.overall(documents: 0, bytes: 0) == bytes)
    }

    /// Every flipped bit and every cut is an error, or leaves the records before it.
    @Test func damage() throws {
        var log = LogWriter()
        let written = [[UInt8](repeating: 1, count: 20), [2, 3]]
        for record in written { log.append(record) }
        let bytes = log.take()
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: ExportFormatError.self, "bit \(bit)") { try records(damaged) }
        }
        for count in 0..<bytes.count where count != 0 && count != 27 {
            #expect(throws: ExportFormatError.self, "\(count) bytes") { try records(Array(bytes.prefix(count))) }
        }
    }

    /// What a power cut may leave of a file whose bytes were not on the device yet.
    @Test(arguments: [0, 7, 4_096, 100_000]) func zeros(count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(throws: ExportFormatError.self) { try ExportManifest.parts(try records(zeros)) }
        #expect(throws: ExportFormatError.self) { try ExportManifest.outputs(zeros) }
        // Of an output, whose first block may be whole.
        guard count > 0 else { return }
        var log = LogWriter()
        log.append([UInt8](repeating: 1, count: 40_000))
        let whole = log.take()
        let block = whole.prefix(32_768)
        #expect(throws: ExportFormatError.self) { try records(zeros) }
        #expect(throws: ExportFormatError.self) { try records(block + zeros) }
    }

    /// Writers that end a block early fill it with zeros.
    @Test func filledBlock() throws {
        var log = LogWriter()
        log.append([1, 2, 3])
        let first = log.take()
        let filled = first + [UInt8](repeating: 0, count: 32_768 - first.count)
        #expect(try records(filled) == [[1, 2, 3]])
        #expect(try records(filled + first) == [[1, 2, 3], [1, 2, 3]])
    }
}
