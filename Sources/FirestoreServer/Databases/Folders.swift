// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Glibc

    /// Folders of databases.
    enum Folders {
        /// Creates a folder and those above it that are missing, for their owner only. Returns why it could not, else nil.
        static func create(_ path: String) -> String? {
            if isFolder(path) { return nil }
            let above = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            if !above.isEmpty, let reason = create(above) { return reason }
            // Another thread may create it at the same time.
            if mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path) { return nil }
            return reason(errno)
        }

        static func isFolder(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }

        /// The system's text for an error number.
        static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
    }
#endif
