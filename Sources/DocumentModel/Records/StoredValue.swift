// SPDX-License-Identifier: Apache-2.0

/// A value in stored bytes that are shared with other values. Its content is read in place, on demand.
///
/// Reading a scalar allocates nothing except the string that it returns.
package struct StoredValue: Sendable {
    let bytes: StoredBytes
    /// The offset of the value's tag, or of the map if ``isRoot``.
    let offset: Int
    let end: Int
    /// The fields of a document have no tag.
    private let isRoot: Bool

    /// The fields of a document as a map.
    init(fieldsOf bytes: StoredBytes, at offset: Int, end: Int) {
        self.init(bytes, at: offset, end: end, isRoot: true)
    }

    private init(_ bytes: StoredBytes, at offset: Int, end: Int, isRoot: Bool) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
        self.isRoot = isRoot
    }

    /// Encodes a value and reads it from there.
    package init(_ value: Value, database: DatabaseID) {
        let stored = unsafe StoredWriter.bytes(atMost: value.storedRoom, database: database) { writer in
            unsafe writer.append(value)
        }
        let bytes = StoredBytes(count: stored.count, in: .root, of: database)
        bytes.fill(from: 0, with: unsafe stored.span.bytes)
        self.init(bytes, at: 0, end: stored.count, isRoot: false)
    }

    package var database: DatabaseID { bytes.database }

    /// The whole value, decoded.
    package func value() throws(StoredFormatError) -> Value {
        unsafe try read { (reader) throws(StoredFormatError) in
            isRoot ? .map(unsafe try reader.fields()) : unsafe try reader.value()
        }
    }

    package var isNull: Bool { !isRoot && bytes[offset] == StoredTag.null }
    package var isMap: Bool { isRoot || bytes[offset] == StoredTag.map }

    /// These return nil for another type.
    package func boolean() throws(StoredFormatError) -> Bool? {
        unsafe try readScalar { (reader) throws(StoredFormatError) in unsafe try reader.taggedBoolean() }
    }

    package func integer() throws(StoredFormatError) -> Int64? {
        unsafe try readScalar { (reader) throws(StoredFormatError) in unsafe try reader.taggedInteger() }
    }

    package func double() throws(StoredFormatError) -> Double? {
        unsafe try readScalar { (reader) throws(StoredFormatError) in unsafe try reader.taggedDouble() }
    }

    package func string() throws(StoredFormatError) -> String? {
        unsafe try readScalar { (reader) throws(StoredFormatError) in unsafe try reader.taggedString() }
    }

    package func timestamp() throws(StoredFormatError) -> Timestamp? {
        unsafe try readScalar { (reader) throws(StoredFormatError) in unsafe try reader.taggedTimestamp() }
    }

    /// The elements of an array that contains only strings; nil for any other value.
    package func strings() throws(StoredFormatError) -> [String]? {
        guard !isRoot, bytes[offset] == StoredTag.array else { return nil }
        return unsafe try read(from: offset + 1) { (reader) throws(StoredFormatError) in
            var body = unsafe try reader.body()
            let count = unsafe try body.length()
            var strings: [String] = []
            strings.reserveCapacity(count)
            for _ in 0..<count {
                guard let string = unsafe try body.taggedString() else { return nil }
                strings.append(string)
            }
            return strings
        }
    }

    /// The elements of an array; nil for another type.
    package func elements() throws(StoredFormatError) -> [StoredValue]? {
        guard !isRoot, bytes[offset] == StoredTag.array else { return nil }
        return unsafe try read(from: offset + 1) { (reader) throws(StoredFormatError) in
            var body = unsafe try reader.body()
            let count = unsafe try body.length()
            var elements: [StoredValue] = []
            elements.reserveCapacity(count)
            for _ in 0..<count {
                elements.append(unsafe inside(at: body.offset, end: body.end))
                unsafe try body.skipValue()
            }
            return elements
        }
    }

    /// What the value is made of, from front to back.
    package var items: StoredItems { StoredItems(bytes, at: offset, end: end, isRoot: isRoot) }

    /// The value at a path that leads through maps only (I-3); nil if there is none.
    ///
    /// - Parameter dotted: in the syntax of ``FieldPath/isValid(dotted:)``.
    package func field(at dotted: String) throws(StoredFormatError) -> StoredValue? {
        unsafe try readMap { (reader) throws(StoredFormatError) in
            unsafe try reader.seek(dotted: dotted) ? try inside(at: reader) : nil
        }
    }

    /// The value at a path that leads through maps only (I-3); nil if there is none.
    package func field(at path: FieldPath) throws(StoredFormatError) -> StoredValue? {
        unsafe try readMap { (reader) throws(StoredFormatError) in
            unsafe try reader.seek(path) ? try inside(at: reader) : nil
        }
    }

    private func inside(at reader: StoredReader) throws(StoredFormatError) -> StoredValue {
        guard unsafe reader.offset < reader.end else { throw .truncated }
        return unsafe inside(at: reader.offset, end: reader.end)
    }

    /// The value at a path that leads through maps only (I-3); nil if there is none.
    package func value(at path: FieldPath) throws(StoredFormatError) -> Value? {
        unsafe try readMap { (reader) throws(StoredFormatError) in unsafe try reader.value(at: path) }
    }

    // The most common types, without a `StoredValue` for the field; nil also for a field of another type. The argument
    // is that of ``field(at:)-(String)``.

    package func boolean(at dotted: String) throws(StoredFormatError) -> Bool? {
        unsafe try read(dotted) { (reader) throws(StoredFormatError) in unsafe try reader.taggedBoolean() }
    }

    package func integer(at dotted: String) throws(StoredFormatError) -> Int64? {
        unsafe try read(dotted) { (reader) throws(StoredFormatError) in unsafe try reader.taggedInteger() }
    }

    package func double(at dotted: String) throws(StoredFormatError) -> Double? {
        unsafe try read(dotted) { (reader) throws(StoredFormatError) in unsafe try reader.taggedDouble() }
    }

    package func string(at dotted: String) throws(StoredFormatError) -> String? {
        unsafe try read(dotted) { (reader) throws(StoredFormatError) in unsafe try reader.taggedString() }
    }

    /// Reads the value at a path; nil if there is none.
    private func read<R>(
        _ dotted: String, _ body: (inout StoredReader) throws(StoredFormatError) -> R?
    ) throws(StoredFormatError) -> R? {
        unsafe try readMap { (reader) throws(StoredFormatError) in
            unsafe try reader.seek(dotted: dotted) ? try body(&reader) : nil
        }
    }

    /// A value inside of this one.
    func inside(at offset: Int, end: Int) -> StoredValue { StoredValue(bytes, at: offset, end: end, isRoot: false) }

    /// The directory of a map; nil for another type.
    func directory() throws(StoredFormatError) -> StoredDirectory? {
        unsafe try readMap { (reader) throws(StoredFormatError) in unsafe try StoredDirectory(&reader) }
    }

    /// The field names of a map, in order; nil for another type.
    package func names() throws(StoredFormatError) -> [Text]? {
        unsafe try readMap { (reader) throws(StoredFormatError) in
            let directory = unsafe try StoredDirectory(&reader)
            var names: [Text] = []
            names.reserveCapacity(directory.count)
            for index in 0..<directory.count {
                unsafe reader.offset = unsafe try directory.start(of: index, reader)
                names.append(unsafe try reader.text())
            }
            return names
        }
    }

    /// Calls `body` with a reader at the map; nil for another type.
    private func readMap<R>(
        _ body: (inout StoredReader) throws(StoredFormatError) -> R?
    ) throws(StoredFormatError) -> R? {
        if isRoot { return unsafe try read(from: offset, body) }
        guard bytes[offset] == StoredTag.map else { return nil }
        return unsafe try read(from: offset + 1) { (reader) throws(StoredFormatError) in
            var inner = unsafe try reader.body()
            return unsafe try body(&inner)
        }
    }

    /// Calls `body` with a reader at the value's tag; nil for the fields of a document.
    private func readScalar<R>(
        _ body: (inout StoredReader) throws(StoredFormatError) -> R?
    ) throws(StoredFormatError) -> R? {
        isRoot ? nil : unsafe try read(from: offset, body)
    }

    private func read<R>(_ body: (inout StoredReader) throws(StoredFormatError) -> R) throws(StoredFormatError) -> R {
        unsafe try read(from: offset, body)
    }

    private func read<R>(
        from start: Int, _ body: (inout StoredReader) throws(StoredFormatError) -> R
    ) throws(StoredFormatError) -> R {
        unsafe try bytes.read(from: start, to: end, body)
    }
}
