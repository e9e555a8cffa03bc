// SPDX-License-Identifier: Apache-2.0

/// JSON text (RFC 8259) to a tree that keeps positions, repeated keys and numbers as written.
///
/// All offsets, in nodes and errors, count bytes from the beginning of the span or array that was passed. Any input ends
/// in a tree or a ``JSONSyntaxError``; containers nest at most ``maximumDepth`` deep, and no input exhausts the stack.
package enum JSONParser {
    package enum Dialect: Sendable {
        /// RFC 8259, nothing else.
        case strict
        /// Comments too, `//` to the end of the line and `/* … */`, wherever white space may stand (J-1).
        case withComments
    }

    package static let maximumDepth = 512

    package static func parse(_ bytes: [UInt8], _ dialect: Dialect = .strict) throws(JSONSyntaxError) -> JSONNode {
        try parse(bytes.span, dialect)
    }

    /// Without copying: a line of a larger buffer is `buffer.span.extracting(range)`.
    package static func parse(_ bytes: Span<UInt8>, _ dialect: Dialect = .strict) throws(JSONSyntaxError) -> JSONNode {
        var builder = TreeBuilder(JSONScanner(bytes, allowsComments: dialect == .withComments))
        return try builder.parse()
    }

    package static func parse(_ text: String, _ dialect: Dialect = .strict) throws(JSONSyntaxError) -> JSONNode {
        try parse(Array(text.utf8), dialect)
    }

    /// Parses with comments and passes over trailing commas, whose offsets are appended to `trailingCommas`, so that a
    /// reader can report each of them and still judge the rest.
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
