// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Standard output, written in large pieces; what is left is written when the last reference goes.
final class Output {
    private var bytes: [UInt8] = []
    private static let pieceSize = 64 << 10

    deinit { flush() }

    /// Line breaks in the text are escaped.
    func line(_ text: String = "") {
        append(onOneLine: text)
        endLine()
    }

    /// Writes what the writer holds as a line and empties it.
    func line(_ writer: inout JSONWriter) {
        bytes.append(contentsOf: writer.bytes)
        writer.removeAll()
        endLine()
    }

    /// Text of several lines, whose line breaks stay.
    func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private func append(onOneLine text: String) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        guard bytes[start...].contains(UInt8(ascii: "\n")) else { return }
        bytes.removeSubrange(start...)
        bytes.append(contentsOf: text.onOneLine.utf8)
    }

    private func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Output.pieceSize { flush() }
    }

    /// A reader that went away, as `head` does, is no error to talk about.
    func flush() {
        let piece = bytes
        bytes.removeAll(keepingCapacity: true)
        guard !piece.isEmpty else { return }
        do {
            try send(piece, to: System.standardOutput)
        } catch {
            if !System.isBrokenPipe(error) {
                Diagnostics.write("hearth: could not write to standard output: \(error.reason)")
            }
            System.end(2)
        }
    }
}

/// Standard error.
enum Diagnostics {
    /// A line of bounded length; line breaks in it are escaped.
    static func write(_ line: String) { text(line.boundedMessage.onOneLine + "\n") }

    /// Text of several lines, or a part of one.
    static func text(_ text: String) {
        // There is nobody left to tell.
        try? send(Array(text.utf8), to: System.standardError)
    }
}

/// All that the tool prints goes this way, so that no stored text gives orders to a terminal.
private func send(_ bytes: [UInt8], to descriptor: Int32) throws(System.Failure) {
    try System.writeAll(descriptor, ControlCharacters.escaped(bytes))
}
