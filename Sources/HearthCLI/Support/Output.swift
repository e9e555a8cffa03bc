// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Standard output, written in large pieces; what is left is written when the last reference goes.
final class Output {
    private var bytes: [UInt8] = []
    private static let pieceSize = 64 << 10

    deinit { flush() }

    func line(_ text: String = "") {
        bytes.append(contentsOf: text.utf8)
        endLine()
    }

    /// Writes what the writer holds as a line and empties it.
    func line(_ writer: inout JSONWriter) {
        bytes.append(contentsOf: writer.bytes)
        writer.removeAll()
        endLine()
    }

    func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

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
            try System.writeAll(System.standardOutput, piece)
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
    static func write(_ line: String) {
        // There is nobody left to tell.
        try? System.writeAll(System.standardError, Array("\(line)\n".utf8))
    }
}
