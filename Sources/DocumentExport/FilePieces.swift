// SPDX-License-Identifier: Apache-2.0

/// A file that is read from its beginning, in pieces.
struct FilePieces {
    private let path: String
    private let file: OpenFile

    init(_ path: String) throws(ExportError) {
        self.path = path
        do throws(SystemError) { file = try OpenFile(path, .read) } catch {
            throw FilePieces.failure(path, error)
        }
    }

    /// Up to this many bytes; none at the end.
    func next(_ count: Int) throws(ExportError) -> [UInt8] {
        do throws(SystemError) { return try file.read(count) } catch { throw FilePieces.failure(path, error) }
    }

    /// All that has not been read.
    func rest() throws(ExportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try next(1 << 20)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> ExportError {
        ExportError("\"\(path)\" cannot be read: \(error)")
    }
}
