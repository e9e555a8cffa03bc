// SPDX-License-Identifier: Apache-2.0

/// A file to read, or standard input if the path is `-`.
final class InputFile {
    /// The name in messages.
    let name: String
    private let descriptor: Int32
    private var isAtStart = true

    init(_ path: String) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path
        guard path != "-" else {
            descriptor = System.standardInput
            return
        }
        do {
            descriptor = try System.openFile(path)
        } catch {
            throw CommandFailure("could not open \"\(path)\": \(error.reason)")
        }
    }

    deinit {
        if descriptor != System.standardInput { System.closeFile(descriptor) }
    }

    /// Nil for a file without a length, such as a pipe.
    var length: Int? { System.length(descriptor) }

    /// Appends up to `count` bytes. Returns how many there were, 0 at the end.
    func read(_ count: Int, to bytes: inout [UInt8]) throws(CommandFailure) -> Int {
        let start = bytes.count
        let read: Int
        do {
            read = try System.readPiece(descriptor, count, to: &bytes)
        } catch {
            throw CommandFailure("could not read \"\(name)\": \(error.reason)")
        }
        if isAtStart, bytes[start...].starts(with: [0x1F, 0x8B]) { throw compressed }
        isAtStart = false
        return read
    }

    private var compressed: CommandFailure {
        guard descriptor != System.standardInput else {
            return CommandFailure("standard input is gzip; decompress it first, with gunzip")
        }
        let command = CommandLine.arguments.dropFirst().map { $0 == name ? "-" : $0 }.joined(separator: " ")
        return CommandFailure(
            "\"\(name)\" is gzip; decompress it first: gunzip -c \(name) | hearth \(command)")
    }

    /// The whole file.
    static func contents(_ path: String) throws(CommandFailure) -> [UInt8] {
        let file = try InputFile(path)
        var bytes: [UInt8] = []
        bytes.reserveCapacity((file.length ?? 0) + 1)
        while try file.read(max(64 << 10, (file.length ?? 0) - bytes.count + 1), to: &bytes) > 0 {}
        return bytes
    }
}
