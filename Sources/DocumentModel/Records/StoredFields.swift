// SPDX-License-Identifier: Apache-2.0

extension StoredReader {
    /// Reads all fields of the map at the reader's offset.
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

    /// Moves to the value of the field `name` of the map at the reader's offset; false if there is none.
    private mutating func seekField(_ name: UnsafeRawBufferPointer) throws(StoredFormatError) -> Bool {
        unsafe try StoredDirectory(&self).seek(name, &self) != nil
    }

    /// Moves from the tag of a map to its fields; false for another type.
    private mutating func enterMap() throws(StoredFormatError) -> Bool {
        guard unsafe try byte() == StoredTag.map else { return false }
        unsafe self = unsafe try body()
        return true
    }

    /// Moves to the value at a path in the map at the reader's offset that leads through maps only (I-3); false if there
    /// is none.
    mutating func seek(_ path: FieldPath) throws(StoredFormatError) -> Bool {
        for index in path.segments.indices {
            if index > 0 { guard unsafe try enterMap() else { return false } }
            let isFound = unsafe try path.segments[index].string.withBytes { name throws(StoredFormatError) in
                unsafe try seekField(name)
            }
            guard isFound else { return false }
        }
        return true
    }

    /// As ``seek(_:)``, with a path in the syntax of ``FieldPath/isValid(dotted:)``.
    mutating func seek(dotted path: String) throws(StoredFormatError) -> Bool {
        unsafe try path.withBytes { names throws(StoredFormatError) in
            var start = 0
            while let dot = unsafe firstIndex(of: UInt8(ascii: "."), in: names, from: start) {
                let name = unsafe UnsafeRawBufferPointer(rebasing: names[start..<dot])
                guard unsafe try seekField(name), unsafe try enterMap() else { return false }
                start = dot + 1
            }
            return unsafe try seekField(UnsafeRawBufferPointer(rebasing: names[start...]))
        }
    }

    /// The value at a path in the map at the reader's offset that leads through maps only (I-3); nil if there is none.
    mutating func value(at path: FieldPath) throws(StoredFormatError) -> Value? {
        unsafe try seek(path) ? try value() : nil
    }

    /// Reads the bytes of a field name.
    fileprivate mutating func nameBytes() throws(StoredFormatError) -> UnsafeRawBufferPointer {
        let count = unsafe try length()
        let start = unsafe try take(count)
        return unsafe UnsafeRawBufferPointer(start: base + start, count: count)
    }

    /// Reads a field name and compares it with `name`, which begins with `word`.
    @inline(__always)
    fileprivate mutating func nameOrder(
        against name: UnsafeRawBufferPointer, _ word: UInt64
    ) throws(StoredFormatError) -> Int {
        let own = unsafe try nameBytes()
        // The first eight bytes usually decide. They can be read at once unless the map ends before them.
        if let start = own.baseAddress, unsafe end - offset + own.count >= 8 {
            let others = UInt64.max >> UInt64(8 * min(own.count, 8))
            let first = UInt64(bigEndian: unsafe start.loadUnaligned(as: UInt64.self)) & ~others
            if first != word { return first < word ? -1 : 1 }
            if own.count == name.count, own.count <= 8 { return 0 }
        }
        return unsafe compareBytes(own, name)
    }
}

/// The directory of a stored map: where its fields begin.
package struct StoredDirectory: Sendable {
    let count: Int
    /// The offset after the directory.
    let content: Int
    /// The offset after the map.
    let end: Int
    private let table: Int
    private let width: Int

    /// The directory of a map without fields.
    static let empty = StoredDirectory()

    private init() {
        (count, content, end, table, width) = (0, 0, 0, 0, 2)
    }

    /// Reads the directory at the reader's offset.
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

    /// Where a field begins, counted from `content`.
    @inline(__always)
    func offset(of index: Int, _ base: UnsafeRawPointer) -> Int {
        width == 2
            ? Int(UInt16(littleEndian: unsafe base.loadUnaligned(fromByteOffset: table &+ index &* 2, as: UInt16.self)))
            : Int(UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: table &+ index &* 4, as: UInt32.self)))
    }

    func start(of index: Int, _ reader: StoredReader) throws(StoredFormatError) -> Int {
        let start = unsafe offset(of: index, reader.base)
        guard start < end - content else { throw .truncated }
        return content + start
    }

    /// The offset of a field's value if the field at this index has the name. Finds names of less than 128 bytes in
    /// intact maps; nil otherwise.
    ///
    /// - Parameter bytes: the bytes up to the map's end, in which the offsets count.
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

    /// Compares a field's name with one that begins with `word`; 0 where the first eight bytes do not decide.
    @inline(__always)
    private func quickOrder(of index: Int, against word: UInt64, _ base: UnsafeRawPointer) -> Int {
        let start = unsafe content &+ offset(of: index, base)
        guard start &+ 9 <= end else { return 0 }
        let length = unsafe Int(base.load(fromByteOffset: start, as: UInt8.self))
        guard length < 0x80 else { return 0 }
        var first = unsafe UInt64(bigEndian: base.loadUnaligned(fromByteOffset: start &+ 1, as: UInt64.self))
        if length < 8 { first &= ~(UInt64.max &>> UInt64(8 &* length)) }
        return first == word ? 0 : first < word ? -1 : 1
    }

    /// Moves to the value of the field `name` and returns the field's index; nil if there is none.
    func seek(_ name: UnsafeRawBufferPointer, _ reader: inout StoredReader) throws(StoredFormatError) -> Int? {
        let word = unsafe firstWord(of: name)
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            var order = unsafe quickOrder(of: middle, against: word, reader.base)
            if order == 0 {
                let bytes = unsafe UnsafeRawBufferPointer(start: reader.base, count: end)
                if let position = unsafe position(of: name, at: middle, bytes) {
                    unsafe reader.offset = position
                    return middle
                }
                unsafe reader.offset = unsafe try start(of: middle, reader)
                order = unsafe try reader.nameOrder(against: name, word)
                if order == 0 { return middle }
            }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
