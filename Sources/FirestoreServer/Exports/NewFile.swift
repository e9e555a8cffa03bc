// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Glibc

    /// A file that is written from its beginning, for its owner only.
    final class NewFile {
        private let path: String
        private let descriptor: Int32

        /// Replaces the contents of a file that exists.
        init(_ path: String) throws(ExportError) {
            self.path = path
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw ExportError("\"\(path)\" cannot be written: \(Folders.reason(errno))")
            }
        }

        deinit { close(descriptor) }

        func append(_ bytes: [UInt8]) throws(ExportError) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, Array(rest), rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw ExportError("\"\(path)\" cannot be written: \(Folders.reason(errno))") }
                rest = rest.dropFirst(count)
            }
        }
    }
#endif
