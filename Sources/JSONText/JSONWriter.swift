// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text value by value, and adds commas, colons and indentation.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("name")
/// writer.string("cities/SF")
/// writer.endObject()  // {"name":"cities/SF"}
/// ```
///
/// The caller must keep to JSON's grammar: a key before each value in an object, and an end for every begin.
package struct JSONWriter {
    package enum Style: Sendable {
        /// No white space.
        case compact
        /// One member or element a line, indented by two spaces a level. Empty containers are `{}` and `[]`.
        case indented
    }

    private enum Previous {
        case nothing, opening, key, value
    }

    package private(set) var bytes: [UInt8] = []
    private let style: Style
    private var depth = 0
    private var previous = Previous.nothing

    package init(_ style: Style = .compact) {
        self.style = style
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Ends a line. The next value starts a new text (NDJSON).
    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        previous = .nothing
    }

    /// Removes everything written and keeps the memory for the next text.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        previous = .nothing
    }

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    package mutating func key(_ key: String) {
        separate()
        appendQuoted(key)
        bytes.append(UInt8(ascii: ":"))
        if style == .indented { bytes.append(UInt8(ascii: " ")) }
        previous = .key
    }

    package mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
        previous = .value
    }

    package mutating func integer(_ value: Int64) { raw(String(value)) }

    /// Writes the shortest text that reads back as the same double. What JSON has no number for becomes a string, as in
    /// the JSON form of protocol buffers: `"NaN"`, `"Infinity"`, `"-Infinity"`.
    package mutating func double(_ value: Double) {
        if value.isFinite {
            raw(value.description)
        } else {
            string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
    }

    package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

    package mutating func null() { raw("null") }

    /// Writes a value that is already JSON text, unchanged in both styles.
    package mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
        previous = .value
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        previous = .opening
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if previous != .opening { breakLine() }
        bytes.append(bracket)
        previous = .value
    }

    /// Writes what separates the next key or value from the previous one.
    private mutating func separate() {
        switch previous {
        case .key, .nothing: break
        case .opening: breakLine()
        case .value:
            bytes.append(UInt8(ascii: ","))
            breakLine()
        }
    }

    private mutating func breakLine() {
        guard style == .indented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    /// Most strings need no escape, so a string is copied whole first and rewritten only if it turns out to need one.
    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        var index = start
        while index < bytes.count, !JSONWriter.needsEscape(bytes[index]) { index += 1 }
        if index < bytes.count {
            bytes.removeSubrange(index...)
            for byte in text.utf8.dropFirst(index - start) { appendEscaped(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        guard JSONWriter.needsEscape(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        default:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
            bytes.append(contentsOf: digits.utf8)
        }
    }
}
