// SPDX-License-Identifier: Apache-2.0

/// Files that commands write.
enum OutputFile {
    /// Replaces a file's contents. If this fails, the file is unchanged.
    static func replace(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        do {
            try System.replaceFile(path, bytes)
        } catch {
            throw failure(path, error)
        }
    }

    /// - Throws: if ``replace(_:_:)`` would fail now.
    static func tryReplacing(_ path: String) throws(CommandFailure) {
        do {
            try System.tryReplacingFile(path)
        } catch {
            throw failure(path, error)
        }
    }

    /// Appends, and comes back when the bytes are on the device. A new file is for its owner only, as databases are.
    static func appendDurably(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
        do {
            let descriptor = try System.openForAppending(path, mode: 0o600)
            defer { System.closeFile(descriptor) }
            try System.writeAll(descriptor, bytes)
            try System.synchronize(descriptor)
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: System.Failure) -> CommandFailure {
        CommandFailure("could not write \"\(path)\": \(error.reason)")
    }
}
