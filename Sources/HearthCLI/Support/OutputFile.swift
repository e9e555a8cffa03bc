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

    /// Appends, and comes back when the bytes are on the device. A new file is for its owner only, as databases are.
    static func appendDurably(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        do {
            let descriptor = try System.openForWriting(path, appending: true, mode: 0o600)
            defer { System.closeFile(descriptor) }
            try System.writeAll(descriptor, bytes)
            try System.synchronize(descriptor)
        } catch {
            throw CommandFailure("could not write \"\(path)\": \(error.reason)")
        }
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
