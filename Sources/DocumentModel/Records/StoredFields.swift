// SPDX-License-Identifier: Apache-2.0

extension StoredReader {
    /// Every field of the map that the reader stands at.
    mutating func fields() throws(StoredFormatError) -> Fields {
        let directory = unsafe try StoredDirectory(&self)
        var fields: [Field] = []
        fields.reserveCapacity(directory.count)
        unsafe offset = directory.content
        var previous: UnsafeRawBufferPointer?
        for _ in 0..<directory.count {
            let utf8 = unsafe try nameBytes()
            if let previous = unsafe previous, unsafe compareBytes(previous, utf8) >= 0 {
                throw StoredFormatError("the names of a stored map do not ascend")
            }
            unsafe previous = unsafe utf8
            let name = unsafe try text(utf8)
            fields.append(Field(name, unsafe try value()))
        }
        return Fields(sorted: fields)
    }

    /// Moves to the value of the field `name` of the map that the reader stands at; false if there is none.
    mutating func seekField(_ name: String) throws(StoredFormatError) -> Bool {
        unsafe try name.withBytes { name throws(StoredFormatError) in
            unsafe try StoredDirectory(&self).seek(name, &self) != nil
        }
    }

    /// The value at a path inside the map that the reader stands at, descending through maps only (I-3); nil if there is none.
    mutating func value(at path: FieldPath) throws(StoredFormatError) -> Value? {
        for (index, name) in path.segments.enumerated() {
            guard unsafe try seekField(name.string) else { return nil }
            guard index < path.segments.count - 1 else { break }
            guard unsafe try byte() == StoredTag.map else { return nil }
            unsafe self = unsafe try body()
        }
        return unsafe try value()
    }

    /// The bytes of the name at the reader's place; moves past it.
    fileprivate mutating func nameBytes() throws(StoredFormatError) -> UnsafeRawBufferPointer {
        let count = unsafe try length()
        let start = unsafe try take(count)
        return unsafe UnsafeRawBufferPointer(start: base + start, count: count)
    }

    /// The order of the name at the reader's place against one that begins with `word`; moves past it.
    @inline(__always)
    fileprivate mutating func nameOrder(
        against name: UnsafeRawBufferPointer, _ word: UInt64
    ) throws(StoredFormatError) -> Int {
        let own = unsafe try nameBytes()
        // Mostly the first eight bytes decide, and that many can be read at once unless the map ends sooner.
        if let start = own.baseAddress, unsafe end - offset + own.count >= 8 {
            let others = UInt64.max >> UInt64(8 * min(own.count, 8))
            let first = UInt64(bigEndian: unsafe start.loadUnaligned(as: UInt64.self)) & ~others
            if first != word { return first < word ? -1 : 1 }
            if own.count == name.count, own.count <= 8 { return 0 }
        }
        return unsafe compareBytes(own, name)
    }
}

/// Where the fields of a stored map begin.
struct StoredDirectory {
    let count: Int
    /// The first byte after the directory.
    let content: Int
    /// Where the map ends.
    let end: Int
    private let table: Int
    private let width: Int

    /// That of a map without fields.
    static let empty = StoredDirectory()

    private init() {
        (count, content, end, table, width) = (0, 0, 0, 0, 2)
    }

    /// Reads the head of the map at the reader's place.
    init(_ reader: inout StoredReader) throws(StoredFormatError) {
        let head = unsafe try reader.variable()
        width = head & 1 == 1 ? 4 : 2
        let (bytes, overflow) = Int(head >> 1).multipliedReportingOverflow(by: width)
        guard !overflow else { throw .truncated }
        count = Int(head >> 1)
        table = unsafe try reader.take(bytes)
        content = unsafe reader.offset
        end = unsafe reader.end
    }

    /// What the table has for a field: where it begins, counted from `content`.
    @inline(__always)
    private func offset(of index: Int, _ base: UnsafeRawPointer) -> Int {
        width == 2
            ? Int(UInt16(littleEndian: unsafe base.loadUnaligned(fromByteOffset: table + index * 2, as: UInt16.self)))
            : Int(UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: table + index * 4, as: UInt32.self)))
    }

    func start(of index: Int, _ reader: StoredReader) throws(StoredFormatError) -> Int {
        let start = unsafe offset(of: index, reader.base)
        guard start < end - content else { throw .truncated }
        return content + start
    }

    /// Where the value of a field stands, if the field at a place among the names has that name: soon found out for a name of
    /// less than 128 bytes in a map that is not damaged, nil for others.
    ///
    /// - Parameter bytes: those up to the map's end, in which the offsets count.
    @inline(__always)
    func position(of name: UnsafeRawBufferPointer, at place: Int, _ bytes: UnsafeRawBufferPointer) -> Int? {
        guard place < count, name.count < 0x80, let base = bytes.baseAddress else { return nil }
        let start = unsafe content + offset(of: place, base)
        let position = start + 1 + name.count
        guard position < end, Int(unsafe base.load(fromByteOffset: start, as: UInt8.self)) == name.count,
            unsafe areSame(UnsafeRawBufferPointer(start: base + (start + 1), count: name.count), name)
        else { return nil }
        return position
    }

    /// Moves to the value of the field `name` and says its place among the names; nil if there is none.
    func seek(_ name: UnsafeRawBufferPointer, _ reader: inout StoredReader) throws(StoredFormatError) -> Int? {
        let word = unsafe firstWord(of: name)
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            unsafe reader.offset = unsafe try start(of: middle, reader)
            let order = unsafe try reader.nameOrder(against: name, word)
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
