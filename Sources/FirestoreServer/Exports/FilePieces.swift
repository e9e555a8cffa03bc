// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Glibc

    /// A file that is read from its beginning, in pieces.
    final class FilePieces {
        private let path: String
        private let descriptor: Int32

        init(_ path: String) throws(ExportError) {
            self.path = path
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure() }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Up to this many bytes; none at the end.
        func next(_ count: Int) throws(ExportError) -> [UInt8] {
            var piece = [UInt8](repeating: 0, count: count)
            while true {
                let read = Glibc.read(descriptor, &piece, count)
                if read >= 0 { return Array(piece[..<read]) }
                guard errno == EINTR else { throw failure() }
            }
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

        private func failure() -> ExportError {
            ExportError("\"\(path)\" cannot be read: \(Folders.reason(errno))")
        }
    }
#endif
