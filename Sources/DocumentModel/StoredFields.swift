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
    mutating func seekField(_ name: UnsafeRawBufferPointer) throws(StoredFormatError) -> Bool {
        var nowhere = Int.max
        return unsafe try seekField(name, at: &nowhere)
    }

    /// The same, looking first at the place where the field is thought to stand, and then thinking of the place after it.
    mutating func seekField(
        _ name: UnsafeRawBufferPointer, at place: inout Int
    ) throws(StoredFormatError) -> Bool {
        let directory = unsafe try StoredDirectory(&self)
        if place < directory.count {
            unsafe offset = unsafe try directory.start(of: place, self)
            if unsafe compareBytes(try nameBytes(), name) == 0 {
                place += 1
                return true
            }
        }
        var low = 0
        var high = directory.count
        while low < high {
            let middle = (low + high) / 2
            unsafe offset = unsafe try directory.start(of: middle, self)
            let order = unsafe compareBytes(try nameBytes(), name)
            if order == 0 {
                place = middle + 1
                return true
            }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }

    mutating func seekField(_ name: Text) throws(StoredFormatError) -> Bool {
        var string = name.string
        let result = string.withUTF8 { utf8 in
            Result { () throws(StoredFormatError) in unsafe try seekField(UnsafeRawBufferPointer(utf8)) }
        }
        return try result.get()
    }

    /// The bytes of the name at the reader's place; moves past it.
    private mutating func nameBytes() throws(StoredFormatError) -> UnsafeRawBufferPointer {
        let count = unsafe try length()
        let start = unsafe try take(count)
        return unsafe UnsafeRawBufferPointer(start: base + start, count: count)
    }
}

/// Where the fields of a stored map begin.
struct StoredDirectory {
    let count: Int
    /// The first byte after the directory.
    let content: Int
    private let table: Int
    private let width: Int

    /// Reads the head of the map at the reader's place.
    init(_ reader: inout StoredReader) throws(StoredFormatError) {
        let head = unsafe try reader.variable()
        width = head & 1 == 1 ? 4 : 2
        let (bytes, overflow) = Int(head >> 1).multipliedReportingOverflow(by: width)
        guard !overflow else { throw .truncated }
        count = Int(head >> 1)
        table = unsafe try reader.take(bytes)
        content = unsafe reader.offset
    }

    func start(of index: Int, _ reader: StoredReader) throws(StoredFormatError) -> Int {
        let place = table + index * width
        let start =
            width == 2
            ? Int(UInt16(littleEndian: unsafe reader.base.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
            : Int(UInt32(littleEndian: unsafe reader.base.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        guard start < (unsafe reader.end) - content else { throw .truncated }
        return content + start
    }
}
