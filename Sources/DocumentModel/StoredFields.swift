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
    mutating func seekField(_ name: Text) throws(StoredFormatError) -> Bool {
        let directory = unsafe try StoredDirectory(&self)
        var low = 0
        var high = directory.count
        while low < high {
            let middle = (low + high) / 2
            unsafe offset = unsafe try directory.start(of: middle, self)
            let order = unsafe try compareName(name)
            if order == 0 { return true }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }

    /// The bytes of the name at the reader's place; moves past it.
    private mutating func nameBytes() throws(StoredFormatError) -> UnsafeRawBufferPointer {
        let count = unsafe try length()
        let start = unsafe try take(count)
        return unsafe UnsafeRawBufferPointer(start: base + start, count: count)
    }

    /// The order of the name at the reader's place against `name`; moves past it.
    private mutating func compareName(_ name: Text) throws(StoredFormatError) -> Int {
        let stored = unsafe try nameBytes()
        var string = name.string
        return string.withUTF8 { utf8 in unsafe compareBytes(stored, UnsafeRawBufferPointer(utf8)) }
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
        var start = 0
        for byte in 0..<width {
            start |=
                Int(unsafe reader.base.load(fromByteOffset: table + index * width + byte, as: UInt8.self)) << (8 * byte)
        }
        guard start < (unsafe reader.end) - content else { throw .truncated }
        return content + start
    }
}
