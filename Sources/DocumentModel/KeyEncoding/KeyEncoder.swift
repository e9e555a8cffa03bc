// SPDX-License-Identifier: Apache-2.0

/// Writes order-preserving key bytes.
///
/// The laws, for all values a and b, and for IDs and paths likewise:
/// - ascending bytes(a) < bytes(b) exactly if a sorts before b; equal values have equal bytes (`3` and `3.0` too);
/// - descending bytes are the complement of the ascending ones, so they sort the other way round;
/// - no encoding is a prefix of another, so concatenated encodings compare field by field.
package struct KeyEncoder {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// - Parameter capacity: the expected number of bytes.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Removes everything from an offset on.
    package mutating func truncate(to count: Int) {
        bytes.removeSubrange(count...)
    }

    /// The eight bytes from `offset` up to `end`, padded with zeros, as a number with the same order.
    package func word(at offset: Int, end: Int) -> UInt64 {
        unsafe KeyEncoder.word(bytes.span.bytes, at: offset, end: end)
    }

    /// Like ``word(at:end:)``, for other bytes. `end` must lie within them.
    package static func word(_ bytes: RawSpan, at offset: Int, end: Int) -> UInt64 {
        if offset + 8 <= end {
            return unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = unsafe word << 8 | UInt64(index < end ? bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) : 0)
        }
        return word
    }

    package mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func append(_ value: Value, descending: Bool = false) {
        let start = bytes.count
        appendAscending(value)
        if descending { complement(from: start) }
    }

    /// A collection or document ID.
    package mutating func append(segment: Text, descending: Bool = false) {
        let start = bytes.count
        appendSegment(segment)
        if descending { complement(from: start) }
    }

    /// A path: its segments and an end mark.
    package mutating func append(path: ResourcePath, descending: Bool = false) {
        let start = bytes.count
        appendPath(path)
        if descending { complement(from: start) }
    }

    /// Bytes that are already encoded.
    package mutating func append(encoded: [UInt8]) {
        // Appending the array itself would retain it.
        unsafe encoded.withUnsafeBytes { encoded in unsafe bytes.append(contentsOf: encoded) }
    }

    /// Bytes that are already encoded.
    package mutating func append(copying encoded: RawSpan, descending: Bool = false) {
        let start = bytes.count
        unsafe encoded.withUnsafeBytes { encoded in unsafe bytes.append(contentsOf: encoded) }
        if descending { complement(from: start) }
    }

    private mutating func complement(from start: Int) {
        for index in start..<bytes.count { bytes[index] = ~bytes[index] }
    }

    private mutating func appendAscending(_ value: Value) {
        switch value {
        case .null: bytes.append(KeyLabel.null)
        case .boolean(let flag): bytes.append(flag ? KeyLabel.true : KeyLabel.false)
        case .integer(let number):
            bytes.append(KeyLabel.number)
            NumberKey.append(NumberKey.parts(number), to: &bytes)
        case .double(let number): appendDouble(number)
        case .timestamp(let time):
            bytes.append(KeyLabel.timestamp)
            appendBigEndian(UInt64(bitPattern: time.microseconds &- Timestamp.minimum.microseconds))
        case .string(let text):
            bytes.append(KeyLabel.string)
            appendTerminated(text)
        case .bytes(let content):
            bytes.append(KeyLabel.bytes)
            unsafe content.withUnsafeBytes { raw in unsafe appendEscaped(raw) }
            bytes.append(KeyMark.end)
        case .reference(let reference):
            bytes.append(KeyLabel.reference)
            appendTerminated(reference.database.project)
            appendTerminated(reference.database.database)
            appendPath(reference.path)
        case .geoPoint(let point):
            bytes.append(KeyLabel.geoPoint)
            NumberKey.append(NumberKey.parts(point.latitude), to: &bytes)
            NumberKey.append(NumberKey.parts(point.longitude), to: &bytes)
        case .array(let elements):
            bytes.append(KeyLabel.array)
            for element in elements { appendAscending(element) }
            bytes.append(KeyMark.end)
        case .vector(let elements): appendVector(elements)
        case .map(let fields): appendMap(fields)
        }
    }

    private mutating func appendDouble(_ number: Double) {
        guard !number.isNaN else { return bytes.append(KeyLabel.nan) }
        bytes.append(KeyLabel.number)
        NumberKey.append(NumberKey.parts(number), to: &bytes)
    }

    private mutating func appendVector(_ elements: [Double]) {
        bytes.append(KeyLabel.vector)
        bytes.append(UInt8(truncatingIfNeeded: elements.count >> 16))
        bytes.append(UInt8(truncatingIfNeeded: elements.count >> 8))
        bytes.append(UInt8(truncatingIfNeeded: elements.count))
        for element in elements { appendDouble(element) }
    }

    private mutating func appendMap(_ fields: Fields) {
        bytes.append(KeyLabel.map)
        for field in fields.storage {
            bytes.append(KeyMark.item)
            appendTerminated(field.name)
            appendAscending(field.value)
        }
        bytes.append(KeyMark.end)
    }

    private mutating func appendPath(_ path: ResourcePath) {
        for segment in path.segments { appendSegment(segment) }
        bytes.append(KeyMark.end)
    }

    private mutating func appendSegment(_ segment: Text) {
        if let number = ResourcePath.numericID(segment) {
            bytes.append(KeyMark.item)
            appendBigEndian(UInt64(bitPattern: number) ^ (1 << 63))
        } else {
            appendTerminated(segment)
        }
    }

    private mutating func appendTerminated(_ text: Text) {
        var string = text.string
        string.withUTF8 { utf8 in unsafe appendEscaped(UnsafeRawBufferPointer(utf8)) }
        bytes.append(KeyMark.end)
    }

    /// Most content needs no escape and is copied at once.
    private mutating func appendEscaped(_ content: UnsafeRawBufferPointer) {
        guard unsafe content.contains(where: { $0 <= KeyMark.escape }) else {
            return unsafe bytes.append(contentsOf: content)
        }
        for index in 0..<content.count {
            let byte = unsafe content[index]
            if byte <= KeyMark.escape {
                bytes.append(KeyMark.escape)
                bytes.append(byte + 1)
            } else {
                bytes.append(byte)
            }
        }
    }

    private mutating func appendBigEndian(_ number: UInt64) {
        unsafe withUnsafeBytes(of: number.bigEndian) { raw in unsafe bytes.append(contentsOf: raw) }
    }
}
