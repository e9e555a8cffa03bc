// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A file to read, or standard input where its path is `-`.
final class InputFile {
    /// The name in messages.
    let name: String
    private let descriptor: Int32

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

    /// Appends up to `count` bytes; gives how many there were, 0 at the end.
    private func read(_ count: Int, to bytes: inout [UInt8]) throws(CommandFailure) -> Int {
        do {
            return try System.readPiece(descriptor, count, to: &bytes)
        } catch {
            throw CommandFailure("could not read \"\(name)\": \(error.reason)")
        }
    }

    /// Its lines.
    ///
    /// - Parameter beforeReading: called before each read, which may wait: prints what the writer of the lines may wait for.
    func lines(beforeReading: @escaping () -> Void = {}) -> LineReader {
        LineReader(
            compressed: { self.compressed },
            read: { count, buffer in
                beforeReading()
                return try self.read(count, to: &buffer)
            })
    }

    private var compressed: CommandFailure {
        guard descriptor != System.standardInput else {
            return CommandFailure("standard input is gzip; decompress it first, with gunzip")
        }
        let command = CommandLine.arguments.dropFirst().map { $0 == name ? "-" : $0 }.joined(separator: " ")
        return CommandFailure(
            "\"\(name)\" is gzip; decompress it first: gunzip -c \(name) | hearth \(command)")
    }

    /// The folder of a file, with its last slash; empty for the current one. Names in a file may begin there.
    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    /// The whole file.
    static func contents(_ path: String) throws(CommandFailure) -> [UInt8] {
        let file = try InputFile(path)
        var bytes: [UInt8] = []
        bytes.reserveCapacity((file.length ?? 0) + 1)
        while try file.read(max(64 << 10, (file.length ?? 0) - bytes.count + 1), to: &bytes) > 0 {
            if LineReader.isGzip(bytes) { throw file.compressed }
        }
        return bytes
    }
}
