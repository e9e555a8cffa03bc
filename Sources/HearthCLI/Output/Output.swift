// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import Synchronization

/// Standard output, written in large chunks. The rest is written when the last reference is released.
final class Output {
    private var bytes: [UInt8] = []
    private let keepsText: Bool
    private static let pieceSize = 64 << 10

    /// - Parameter asData: whether another program reads it, such as CSV or source: where it goes to no terminal, tabs, line breaks and
    ///   marks of the direction of text stay as they are.
    init(asData: Bool = false) {
        keepsText = asData && !System.isTerminal(System.standardOutput)
    }

    deinit { flush() }

    /// Line breaks in the text are escaped, but for those of data.
    func line(_ text: String = "") {
        if keepsText { self.text(text) } else { append(onOneLine: text) }
        endLine()
    }

    /// Writes the writer's contents as a line, and empties the writer.
    func line(_ writer: inout JSONWriter) {
        bytes.append(contentsOf: writer.bytes)
        writer.removeAll()
        endLine()
    }

    /// Writes text of several lines, and keeps its line breaks.
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

    /// A reader that has closed the pipe, as `head` does, is not reported as an error.
    func flush() {
        let piece = bytes
        bytes.removeAll(keepingCapacity: true)
        guard !piece.isEmpty else { return }
        do {
            try send(piece, to: System.standardOutput, keepingText: keepsText)
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
    /// Writes a line of bounded length. Escapes line breaks in it.
    static func write(_ line: String) { text(line.boundedMessage.onOneLine + "\n") }

    /// Writes text of several lines, or a part of a line.
    static func text(_ text: String) {
        // There is no place to report a failure.
        try? send(Array(text.utf8), to: System.standardError)
    }
}

/// Lets one caller through: for what a command says once, though it reads a file several times.
final class Once: Sendable {
    private let isDone = Mutex(false)

    func isFirst() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
    }
}

/// All output of the tool goes through here, so that stored text cannot control a terminal.
private func send(
    _ bytes: [UInt8], to descriptor: Int32, keepingText: Bool = false
) throws(System.Failure) {
    try System.writeAll(descriptor, ControlCharacters.escaped(bytes, keepingText: keepingText))
}
