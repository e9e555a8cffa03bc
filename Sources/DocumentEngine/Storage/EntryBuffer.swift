// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Index entries in one byte array, to be sorted by key before they are put or deleted.
struct EntryBuffer {
    /// The position of an entry. The first sixteen bytes of its key, as two numbers, decide most comparisons.
    struct Entry {
        let firstWord: UInt64
        let secondWord: UInt64
        let start: Int
        let keyCount: Int32
        let valueCount: Int32
    }

    /// Callers write keys and values directly into this encoder: ``beginEntry()``, the key, ``endKey()``, the value,
    /// ``endEntry()``.
    var encoder = KeyEncoder()
    var entries: [Entry] = []
    private var start = 0
    private var keyEnd = 0

    private static let firstCapacity = (entries: 16, bytes: 896)

    var bytes: [UInt8] { encoder.bytes }
    var isEmpty: Bool { entries.isEmpty }

    /// Bytes of memory that the buffer uses.
    var size: Int { encoder.count + entries.count * MemoryLayout<Entry>.stride }

    mutating func removeAll() {
        encoder.removeAll()
        entries.removeAll(keepingCapacity: true)
    }

    mutating func beginEntry() {
        if entries.capacity == 0 {
            // A document has several entries: growing step by step would copy the first of them again and again.
            entries.reserveCapacity(EntryBuffer.firstCapacity.entries)
            encoder = KeyEncoder(capacity: EntryBuffer.firstCapacity.bytes)
        }
        start = encoder.count
    }

    mutating func endKey() { keyEnd = encoder.count }

    mutating func endEntry() {
        let words = encoder.words(at: start, end: keyEnd)
        entries.append(
            Entry(
                firstWord: words.first, secondWord: words.second, start: start, keyCount: Int32(keyEnd - start),
                valueCount: Int32(encoder.count - keyEnd)))
    }

    /// Begins an entry and appends the bytes of its key around a value.
    mutating func beginEntry(_ first: RawSpan, _ second: RawSpan, _ value: Value, _ last: RawSpan) {
        beginEntry()
        encoder.append(first, second, value, last)
    }

    mutating func append(key: [UInt8], value: [UInt8]) {
        beginEntry()
        encoder.append(encoded: key)
        endKey()
        encoder.append(encoded: value)
        endEntry()
    }

    mutating func append(copying key: RawSpan, _ value: RawSpan) {
        beginEntry()
        encoder.append(copying: key)
        endKey()
        encoder.append(copying: value)
        endEntry()
    }

    /// The current end, for ``truncate(to:)``.
    var mark: (bytes: Int, entries: Int) { (encoder.count, entries.count) }

    mutating func truncate(to mark: (bytes: Int, entries: Int)) {
        encoder.truncate(to: mark.bytes)
        entries.removeSubrange(mark.entries...)
    }

    func key(_ index: Int) -> Range<Int> {
        let entry = entries[index]
        return entry.start..<entry.start + Int(entry.keyCount)
    }

    func value(_ index: Int) -> Range<Int> {
        let entry = entries[index]
        let start = entry.start + Int(entry.keyCount)
        return start..<start + Int(entry.valueCount)
    }

    /// Compares a key in this buffer with a key in another.
    func compareKey(_ index: Int, _ other: EntryBuffer, _ otherIndex: Int) -> Int {
        compareBytes(
            bytes.span.bytes.extracting(key(index)), other.bytes.span.bytes.extracting(other.key(otherIndex)))
    }

    func hasSameValue(_ index: Int, _ other: EntryBuffer, _ otherIndex: Int) -> Bool {
        let left = bytes.span.bytes.extracting(value(index))
        return compareBytes(left, other.bytes.span.bytes.extracting(other.value(otherIndex))) == 0
    }

    func contains(key wanted: [UInt8]) -> Bool {
        entries.indices.contains { Array(bytes[key($0)]) == wanted }
    }
}
