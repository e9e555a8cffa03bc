// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// The checksum is the algorithm that docs/format.md states.
@Suite struct ChecksumTests {
    /// The messages of wyhash's own test_vector.cpp, each with its number as the seed.
    private static let vectors: [(seed: UInt64, text: String, hash: UInt64)] = [
        (0, "", 0x9322_8a4d_e0ee_c5a2),
        (1, "a", 0xc5ba_c3db_1787_13c4),
        (2, "abc", 0xa97f_2f7b_1d9b_3314),
        (3, "message digest", 0x786d_1f1d_f380_1df4),
        (4, "abcdefghijklmnopqrstuvwxyz", 0xdca5_a813_8ad3_7c87),
        (5, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xb9e7_34f1_17cf_af70),
        (6, String(repeating: "1234567890", count: 8), 0x6cc5_eab4_9a92_d617),
    ]

    @Test(arguments: vectors) func publishedVectors(_ seed: UInt64, _ text: String, _ hash: UInt64) {
        let bytes = Array(text.utf8)
        #expect(WyHash.hash(bytes.span.bytes, seed: seed) == hash)
        #expect(Resealing.hash(bytes, seed: seed) == hash)
    }

    @Test func everyLengthIsHashedAsStated() {
        var random = SeededGenerator.printingSeed()
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let seed: UInt64 = random.next()
            #expect(WyHash.hash(bytes.span.bytes, seed: seed) == Resealing.hash(bytes, seed: seed))
        }
    }

    @Test func theExampleOfTheDocument() throws {
        let sample = StoredSample(
            fields: ["n": 1], createTime: try #require(Timestamp(microseconds: 1_700_000_000_000_000)),
            updateTime: try #require(Timestamp(microseconds: 1_700_000_001_000_000)), key: [0x01, 0x61, 0x00])
        #expect(WyHash.hash(sample.key.span.bytes, seed: 0) == 0x9f63_8d48_5288_78b5)
        let content: [UInt8] = [
            0x00, 0x40, 0x1e, 0x18, 0x24, 0x0a, 0x06, 0x00, 0x40, 0x82, 0x2d, 0x18, 0x24, 0x0a, 0x06, 0x00, 0x02, 0x00,
            0x00, 0x01, 0x6e, 0x03, 0x02,
        ]
        #expect(Checksum.of(content.span.bytes, key: sample.key.span.bytes) == 0x96ce_e0d6_6f0d_9139)
        #expect(sample.record() == [0x39, 0x91, 0x0d, 0x6f, 0xd6, 0xe0, 0xce, 0x96] + content)
    }
}
