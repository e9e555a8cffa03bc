// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// Changed records give an error, never a trap or other fields.
@Suite struct StoredDamageTests {
    private let sample = StoredSample(fields: [
        "a": 1, "b": "text", "c": .double(-0.0), "d": [1, "x", ["y": nil]], "e": ["f": .vector([1, 2])],
        "g": .bytes([0, 0, 0, 0]),
    ])

    /// Every single bit of the record and of its key, and other lengths of both.
    @Test func oneTurnedBitIsNoticed() {
        let record = sample.record()
        for bit in 0..<record.count * 8 {
            let turned = turning(bit, record)
            if isRead(turned, key: sample.key) { Issue.record("bit \(bit) of \(record)") }
        }
        for bit in 0..<sample.key.count * 8 where isRead(record, key: turning(bit, sample.key)) {
            Issue.record("bit \(bit) of the key")
        }
        #expect(isRead(record, key: sample.key))
    }

    @Test func oneTurnedBitIsNoticedInRandomRecords() {
        var random = SeededGenerator.printingSeed()
        let documents = Documents()
        for _ in 0..<Rounds.of(4_000) {
            let document = documents.document(&random)
            let record = document.record()
            // Zeros are the weak point of folding by multiplication.
            let bits = [random.int(0..<record.count * 8), (record.count - 1) * 8 + random.int(0..<8)]
            for bit in bits where isRead(turning(bit, record), key: document.key) {
                Issue.record("bit \(bit) of \(record) under \(document.key)")
                return
            }
        }
    }

    /// Records of every length around the steps of the checksum, each cut at every place, and with any two bytes exchanged.
    @Test func everyCutAndExchangeIsNoticed() {
        for length in stride(from: 0, to: 90, by: 7) {
            var sample = self.sample
            sample.fields = ["b": .bytes((0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 1) })]
            let record = sample.record()
            for end in 0..<record.count where isRead(Array(record[..<end]), key: sample.key) {
                Issue.record("cut at \(end) of \(record)")
            }
            for first in 8..<record.count {
                for second in first + 1..<record.count where record[first] != record[second] {
                    var exchanged = record
                    exchanged.swapAt(first, second)
                    if isRead(exchanged, key: sample.key) { Issue.record("\(first) and \(second) of \(record)") }
                }
            }
        }
    }

    /// Records of zeros and of ones, of every length around the checksum's step.
    @Test func uniformRecordsAreNoToughCase() {
        for length in 0..<40 {
            for byte: UInt8 in [0, 0xFF] {
                var sample = self.sample
                sample.fields = ["b": .bytes([UInt8](repeating: byte, count: length))]
                sample.key = [UInt8](repeating: byte, count: length)
                let record = sample.record()
                for bit in 0..<record.count * 8 where isRead(turning(bit, record), key: sample.key) {
                    Issue.record("length \(length), bit \(bit)")
                }
                #expect(!isRead(record + [byte], key: sample.key))
                #expect(!isRead(Array(record.dropLast()), key: sample.key))
                #expect(!isRead(record, key: sample.key + [byte]))
            }
        }
    }

    @Test func aRecordUnderAnotherKeyIsNoticed() {
        var random = SeededGenerator.printingSeed()
        let record = sample.record()
        for _ in 0..<Rounds.of(5_000) {
            let key = damage(sample.key, &random)
            #expect(isRead(record, key: key) == (key == sample.key))
        }
        #expect(!isRead(record, key: []))
    }

    /// Damage in one field is detected when another is read: the directory avoids decoding, not checking.
    @Test func damageElsewhereIsNoticed() throws {
        var record = sample.record()
        record[record.count - 1] ^= 1
        let damaged = record
        #expect(throws: StoredFormatError.self) {
            let stored = try StoredDocument(damaged.span.bytes, key: sample.key.span.bytes, database: sample.database)
            _ = try stored.value(at: "a")
        }
    }

    /// Fields are found through the directory: if two names are out of order in a record with a valid checksum, the
    /// search for one of them fails, although a walk over all fields would find it.
    @Test func fieldsAreFoundThroughTheDirectory() throws {
        let sound = StoredSample(fields: Fields((0..<9).map { Field(Text("f\($0)"), .integer($0)) })!)
        var record = sound.record()
        let first = try #require((24..<record.count - 1).first { record[$0] == UInt8(ascii: "f") })
        record[first + 1] = UInt8(ascii: "9")
        let resealed = Resealing.record(record, key: sound.key)
        let stored = try StoredDocument(resealed.span.bytes, key: sound.key.span.bytes, database: sound.database)
        #expect(try stored.value(at: "f9") == nil)
        #expect(throws: StoredFormatError.self) { try stored.fields() }
        #expect(try stored.value(at: "f4") == 4)
    }

    @Test func randomRecordsNeverTrap() {
        var random = SeededGenerator.printingSeed()
        for _ in 0..<Rounds.of(10_000) {
            let bytes = (0..<random.int(0..<60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(!isRead(bytes, key: sample.key))
        }
    }

    /// Damaged content with a valid checksum, as another program might write it: every read gives a value or an error.
    @Test func damageBehindARightChecksumNeverTraps() {
        var random = SeededGenerator.printingSeed()
        let documents = Documents()
        var refused = 0
        for _ in 0..<Rounds.of(4_000) {
            let document = documents.document(&random)
            let sound = document.record()
            for _ in 0..<5 {
                let content = damage(Array(sound.dropFirst(8)), &random)
                let record = Resealing.record([UInt8](repeating: 0, count: 8) + content, key: document.key)
                let paths = Documents.paths(document.fields, random: document.pathSeed).prefix(4)
                if !readsEverything(record, document, Array(paths)) { refused += 1 }
            }
        }
        #expect(refused > Rounds.of(1_000))
    }

    private func readsEverything(_ record: [UInt8], _ document: StoredSample, _ paths: [FieldPath]) -> Bool {
        do throws(StoredFormatError) {
            let stored = try StoredDocument(
                record.span.bytes, key: document.key.span.bytes, database: document.database)
            for path in paths { _ = try? stored.value(at: path) }
            _ = try? stored.createTime()
            _ = try? stored.updateTime()
            _ = try stored.fields()
            return true
        } catch {
            return false
        }
    }

    private func turning(_ bit: Int, _ bytes: [UInt8]) -> [UInt8] {
        var turned = bytes
        turned[bit / 8] ^= 1 << UInt8(bit % 8)
        return turned
    }

    private func isRead(_ record: [UInt8], key: [UInt8]) -> Bool {
        do throws(StoredFormatError) {
            let stored = try StoredDocument(record.span.bytes, key: key.span.bytes, database: sample.database)
            _ = try stored.fields()
            return true
        } catch {
            return false
        }
    }
}

/// The checksum of records, written once more from docs/format.md, so that damage can be hidden behind a right one.
enum Resealing {
    private static let secret: [UInt64] = [
        0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9, 0x4b33_a62e_d433_d4a3, 0x4d5a_2da5_1de1_aa47,
    ]

    static func record(_ record: [UInt8], key: [UInt8]) -> [UInt8] {
        let content = Array(record.dropFirst(8))
        let sum = hash(content, seed: hash(key, seed: 0))
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) } + content
    }

    static func hash(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        let count = bytes.count
        func word(_ offset: Int) -> UInt64 { number(bytes[offset..<offset + 8]) }
        func half(_ offset: Int) -> UInt64 { number(bytes[offset..<offset + 4]) }
        var state = seed ^ mix(seed ^ secret[0], secret[1])
        let a, b: UInt64
        switch count {
        case 0: (a, b) = (0, 0)
        case 1...3:
            (a, b) = (UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]), 0)
        case 4...16:
            let step = count < 8 ? 0 : count < 16 ? 4 : 8
            a = half(0) << 32 | half(step)
            b = half(count - 4) << 32 | half(count - 4 - step)
        default:
            fold(bytes, &state)
            (a, b) = (word(count - 16), word(count - 8))
        }
        let product = UInt128(a ^ secret[1]) * UInt128(b ^ state)
        let (low, high) = (UInt64(truncatingIfNeeded: product), UInt64(truncatingIfNeeded: product >> 64))
        return mix(low ^ secret[0] ^ UInt64(count), high ^ secret[1])
    }

    private static func fold(_ bytes: [UInt8], _ state: inout UInt64) {
        func word(_ offset: Int) -> UInt64 { number(bytes[offset..<offset + 8]) }
        var offset = 0
        var lanes = [state, state, state]
        while bytes.count - offset >= 48 {
            for lane in 0..<3 {
                lanes[lane] = mix(
                    word(offset + 16 * lane) ^ secret[lane + 1], word(offset + 16 * lane + 8) ^ lanes[lane])
            }
            offset += 48
        }
        if offset > 0 { state = lanes[0] ^ lanes[1] ^ lanes[2] }
        while bytes.count - offset > 16 {
            state = mix(word(offset) ^ secret[1], word(offset + 8) ^ state)
            offset += 16
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func mix(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
        let product = UInt128(lhs) * UInt128(rhs)
        return UInt64(truncatingIfNeeded: product >> 64) ^ UInt64(truncatingIfNeeded: product)
    }
}
