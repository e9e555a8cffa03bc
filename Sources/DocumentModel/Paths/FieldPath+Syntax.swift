// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a field path, in the words of the backend or, for dotted paths, of the client SDKs.
package struct FieldPathError: Error, Sendable, Hashable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

extension FieldPathError: CustomStringConvertible {
    package var description: String { message }
}

// MARK: - Wire syntax

extension FieldPath {
    /// Parses the syntax of requests and index files (D-9): names separated by dots. A name that is not a plain
    /// identifier is quoted with backticks, inside which a backslash escapes the next character.
    ///
    /// Reserved names are refused at any depth, except `__name__` alone (D-12). ``checkLimits()`` checks the limits.
    package init(wire: String) throws(FieldPathError) {
        try self.init(wireSyntax: wire)
        try FieldPath.refuseReservedNames(segments)
    }

    /// Parses the same syntax without refusing reserved names: queries have their own rules for them.
    package init(wireSyntax wire: String) throws(FieldPathError) {
        guard !wire.isEmpty else { throw FieldPathError("Invalid empty property path string.") }
        var reader = WireReader(wire)
        self.init(try reader.readSegments())
    }

    /// The canonical wire syntax (D-10). Parsing it returns this path.
    package var wire: String { segments.map(FieldPath.wireName).joined(separator: ".") }

    private static func wireName(_ name: Text) -> String {
        if WireReader.isIdentifier(name.string) { return name.string }
        var quoted = "`"
        for scalar in name.string.unicodeScalars {
            if scalar == "`" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "`"
    }

    private static func refuseReservedNames(_ segments: [Text]) throws(FieldPathError) {
        if segments == ["__name__"] { return }
        guard let reserved = segments.first(where: { isReserved($0) }) else { return }
        throw FieldPathError(
            reserved == "__name__"
                ? "the name __key__ is reserved" : "Invalid reserved name in field path \(reserved)")
    }

    /// Whether a field name matches `__.*__` (D-8).
    package static func isReserved(_ name: Text) -> Bool { name.isReserved }
}

extension FieldPath: CustomStringConvertible {
    /// The canonical wire syntax.
    package var description: String { wire }
}

private struct WireReader {
    private let wire: String
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ wire: String) {
        self.wire = wire
        scalars = Array(wire.unicodeScalars)
    }

    mutating func readSegments() throws(FieldPathError) -> [Text] {
        var segments = [try readSegment()]
        while position < scalars.count {
            guard scalars[position] == "." else { throw invalid }
            position += 1
            segments.append(try readSegment())
        }
        return segments
    }

    private mutating func readSegment() throws(FieldPathError) -> Text {
        guard position < scalars.count else { throw invalid }
        return scalars[position] == "`" ? try readQuoted() : try readIdentifier()
    }

    private mutating func readIdentifier() throws(FieldPathError) -> Text {
        var name = ""
        while position < scalars.count, WireReader.isIdentifier(scalars[position], first: name.isEmpty) {
            name.unicodeScalars.append(scalars[position])
            position += 1
        }
        guard !name.isEmpty else { throw invalid }
        return Text(name)
    }

    private mutating func readQuoted() throws(FieldPathError) -> Text {
        position += 1
        var name = ""
        while position < scalars.count, scalars[position] != "`" {
            if scalars[position] == "\\" { position += 1 }
            guard position < scalars.count else { throw invalid }
            name.unicodeScalars.append(scalars[position])
            position += 1
        }
        guard position < scalars.count, !name.isEmpty else { throw invalid }
        position += 1
        return Text(name)
    }

    /// Production answers a path with a bracket with these words alone (recorded September 2026).
    private var invalid: FieldPathError {
        if position < scalars.count, scalars[position] == "[" || scalars[position] == "]" {
            return FieldPathError("Invalid property path")
        }
        return FieldPathError(
            "Invalid property path \"\(wire)\". Unquoted property paths must match regex ([a-zA-Z_][a-zA-Z_0-9]*), "
                + "and quoted property paths must match regex (`(?:[^`\\\\]|(?:\\\\.))+`)")
    }

    static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.enumerated().allSatisfy { isIdentifier($0.element, first: $0.offset == 0) }
    }

    private static func isIdentifier(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        case "0"..."9": !first
        default: false
        }
    }
}

// MARK: - Dotted syntax

extension FieldPath {
    /// Whether ``init(dotted:)`` accepts the text.
    package static func isValid(dotted text: String) -> Bool { dotCount(in: text) != nil }

    /// The number of dots in a text that ``init(dotted:)`` accepts; nil for any other.
    private static func dotCount(in text: String) -> Int? {
        let utf8 = text.utf8.span
        var (start, dots) = (0, 0)
        for index in utf8.indices where isSpecial(utf8[index]) {
            guard utf8[index] == UInt8(ascii: "."), index > start else { return nil }
            start = index + 1
            dots += 1
        }
        return start < utf8.count ? dots : nil
    }

    /// Whether a byte is one of `.~*/[]`; two numbers have a bit for each of them, one below and one above 64.
    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        let low: UInt64 = 1 << 0x2A | 1 << 0x2E | 1 << 0x2F
        let high: UInt64 = 1 << 0x1B | 1 << 0x1D | 1 << 0x3E
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low : high) &>> UInt64(byte) & 1 == 1
    }

    /// Parses the simpler syntax of string arguments in the client SDKs (D-11): names between dots, taken literally. A
    /// path that contains any of `~ * / [ ]` is refused; such names are given as a list of names instead.
    package init(dotted: String) throws(FieldPathError) {
        guard let dots = FieldPath.dotCount(in: dotted) else {
            let isForbidden = dotted.unicodeScalars.contains { "~*/[]".unicodeScalars.contains($0) }
            throw FieldPathError(
                "Invalid field path (\(dotted)). "
                    + (isForbidden
                        ? "Paths must not contain '~', '*', '/', '[', or ']'"
                        : "Paths must not be empty, begin with '.', end with '.', or contain '..'"))
        }
        // The most common case, which needs no list of names.
        guard dots > 0 else {
            self.init(name: Text(dotted))
            return
        }
        self.init(dotted.unicodeScalars.split(separator: ".").map { Text(String($0)) })
    }
}

// MARK: - Limits

extension FieldPath {
    /// Checks the limits of D-8: no name is empty, and neither a name nor the path with its dots is longer than 1,500
    /// bytes.
    package func checkLimits() throws(FieldPathError) {
        if segments.contains(where: { $0.utf8Count == 0 }) {
            throw FieldPathError("The property.name is the empty string.")
        }
        if isTooLong {
            throw FieldPathError("The property.name is longer than \(FieldPath.maximumLength) bytes.")
        }
    }

    /// Whether its names and the dots between them are longer than 1,500 bytes, which requests must not exceed (D-8).
    /// Quoting does not count.
    package var isTooLong: Bool {
        segments.reduce(segments.count - 1) { $0 + $1.utf8Count } > FieldPath.maximumLength
    }

    package static let maximumLength = 1500
}
