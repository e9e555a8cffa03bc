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

    /// Two records whose checksums are compared at once give the same result as each alone.
    @Test func oneTurnedBitIsNoticedInEitherOfTwo() {
        var random = SeededGenerator.printingSeed()
        let documents = Documents()
        for _ in 0..<Rounds.of(2_000) {
            let (first, second) = (documents.document(&random), documents.document(&random))
            var bytes = [first.record(), first.key, second.record(), second.key]
            #expect(areIntact(bytes))
            let part = random.pick([0, 1, 2, 3].filter { !bytes[$0].isEmpty })
            let bit = random.int(0..<bytes[part].count * 8)
            bytes[part] = turning(bit, bytes[part])
            if areIntact(bytes) {
                Issue.record("bit \(bit) of part \(part) of \(bytes)")
                return
            }
        }
        let record = sample.record()
        #expect(!areIntact([record, sample.key, [], []]) && !areIntact([[], [], record, sample.key]))
    }

    private func areIntact(_ bytes: [[UInt8]]) -> Bool {
        let (first, firstKey, second, secondKey) = (bytes[0], bytes[1], bytes[2], bytes[3])
        return StoredDocument.areIntact(
            first.span.bytes, key: firstKey.span.bytes, and: second.span.bytes, key: secondKey.span.bytes)
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

/// The checksum of records, written independently from its definition, so that damage can be hidden behind a valid one.
enum Resealing {
    static func record(_ record: [UInt8], key: [UInt8]) -> [UInt8] {
        let content = Array(record.dropFirst(8))
        let sum = fold(content, seed: fold(key, seed: 0xD6E8_FEB8_6659_FD93))
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) } + content
    }

    /// Whole steps of 16 bytes, then the rest, padded with zeros. The last step includes the length.
    private static func fold(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        let (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
        var state = seed ^ (UInt64(bytes.count) &* first)
        let whole = bytes.count / 16 * 16
        for start in stride(from: 0, through: whole, by: 16) {
            let step = Array(bytes[start..<min(start + 16, bytes.count)]) + [UInt8](repeating: 0, count: 16)
            let last: UInt64 = start == whole ? UInt64(bytes.count) : 0
            state = mix(number(step[0..<8]) ^ first ^ state, number(step[8..<16]) ^ second ^ last)
        }
        return state
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func mix(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
        let product = UInt128(lhs) * UInt128(rhs)
        let folded = UInt64(truncatingIfNeeded: product >> 64) ^ UInt64(truncatingIfNeeded: product)
        return folded &+ (lhs ^ (rhs << 32 | rhs >> 32))
    }
}
