// SPDX-License-Identifier: Apache-2.0

/// Files that commands write.
enum OutputFile {
    /// Replaces a file's contents.
    static func replace(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        try write(path, bytes, appending: false)
    }

    static func append(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        try write(path, bytes, appending: true)
    }

    private static func write(_ path: String, _ bytes: [UInt8], appending: Bool) throws(CommandFailure) {
        do {
            let descriptor = try System.openForWriting(path, appending: appending)
            defer { System.closeFile(descriptor) }
            try System.writeAll(descriptor, bytes)
        } catch {
            throw CommandFailure("could not write \"\(path)\": \(error.reason)")
        }
    }
}
