// SPDX-License-Identifier: Apache-2.0

/// Parses JSON text (RFC 8259) into a tree that keeps positions, repeated keys, and numbers as written.
///
/// All offsets, in nodes and errors, count bytes from the start of the span or array. Any input gives a tree or a
/// ``JSONSyntaxError``. Containers nest at most ``maximumDepth`` deep, and no input exhausts the stack.
package enum JSONParser {
    package enum Dialect: Sendable {
        /// RFC 8259 and nothing else.
        case strict
        /// Also comments, `//` to the end of the line and `/* … */`, wherever white space is allowed (J-1).
        case withComments
    }

    package static let maximumDepth = 512

    package static func parse(_ bytes: [UInt8], _ dialect: Dialect = .strict) throws(JSONSyntaxError) -> JSONNode {
        try parse(bytes.span, dialect)
    }

    /// Does not copy. To parse a line of a larger buffer, pass `buffer.span.extracting(range)`.
    package static func parse(_ bytes: Span<UInt8>, _ dialect: Dialect = .strict) throws(JSONSyntaxError) -> JSONNode {
        var builder = TreeBuilder(JSONScanner(bytes, allowsComments: dialect == .withComments))
        return try builder.parse()
    }

    package static func parse(_ text: String, _ dialect: Dialect = .strict) throws(JSONSyntaxError) -> JSONNode {
        try parse(Array(text.utf8), dialect)
    }

    /// Parses with comments and accepts trailing commas. Their offsets are appended to `trailingCommas`, so that a
    /// reader can report them and still check the rest.
    package static func parse(
        _ bytes: [UInt8], notingTrailingCommas trailingCommas: inout [Int]
    ) throws(JSONSyntaxError) -> JSONNode {
        var builder = TreeBuilder(JSONScanner(bytes.span, allowsComments: true), toleratesTrailingCommas: true)
        let node = try builder.parse()
        trailingCommas += builder.trailingCommas
        return node
    }

    /// The offset of the first byte at or after `offset` that is neither white space nor part of a comment; the count of
    /// `source` if there is none.
    ///
    /// - Precondition: `source` parses with comments, and `offset` is outside its strings and comments.
    package static func firstSignificantOffset(in source: [UInt8], from offset: Int) -> Int {
        var scanner = JSONScanner(source.span, allowsComments: true, position: offset)
        do { try scanner.skipInsignificant() } catch { preconditionFailure("the source parses: \(error.message)") }
        return scanner.position
    }

    package static func isWhiteSpace(_ byte: UInt8) -> Bool { JSONScanner.isWhiteSpace(byte) }
}
