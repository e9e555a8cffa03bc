// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The identity of a file, whatever its names.
struct FileIdentity: Hashable, Sendable {
    let device: UInt
    let inode: UInt
}

extension FileIdentity {
    /// Nil if there is no file.
    init?(of path: String) {
        guard let status = System.status(of: path) else { return nil }
        self.init(status)
    }

    /// Of an open file.
    init?(of descriptor: Int32) {
        guard let status = System.status(of: descriptor) else { return nil }
        self.init(status)
    }

    init(_ status: System.FileStatus) { self.init(device: status.device, inode: status.inode) }

    /// Whether there is another file at a path, or none. False where the path cannot be looked up.
    func isDisplaced(from path: String) -> Bool {
        guard let status = System.status(of: path) else {
            return System.lastError == ENOENT || System.lastError == ENOTDIR
        }
        return self != FileIdentity(status)
    }
}
