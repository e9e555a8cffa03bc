// SPDX-License-Identifier: Apache-2.0

/// A word of a command for a shell.
package enum ShellWord {
    /// As Bash reads it; without line ends, as a POSIX shell reads it.
    package static func quoted(_ text: String) -> String {
        if text.isEmpty || !text.utf8.allSatisfy(isPlain) {
            return text.unicodeScalars.contains { $0 == "\n" || $0 == "\r" }
                ? "$'\(text.unicodeScalars.map(escape).joined())'" : "'\(text.replacing("'", with: "'\\''"))'"
        }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.,=/:@%+".utf8.contains(byte)
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\\\"
        case "'": "\\'"
        case "\n": "\\n"
        case "\r": "\\r"
        default: String(scalar)
        }
    }
}
