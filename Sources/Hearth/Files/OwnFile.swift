// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A file that Hearth writes beside a database, readable by its owner only.
final class OwnFile {
    private let url: URL
    private let handle: FileHandle

    /// Creates a new file.
    convenience init(creating url: URL) throws(FirestoreError) {
        try self.init(url, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    }

    /// Opens a file for appending, and creates it if it is missing.
    convenience init(appendingTo url: URL) throws(FirestoreError) {
        try self.init(url, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC)
    }

    private init(_ url: URL, _ flags: Int32) throws(FirestoreError) {
        self.url = url
        let descriptor = open(url.path, flags, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            let status: FirestoreErrorCode.Code =
                switch code {
                case EEXIST: .alreadyExists
                case ENOENT, ENOTDIR: .notFound
                case EACCES, EPERM, EROFS: .permissionDenied
                case ENOSPC, EDQUOT: .resourceExhausted
                default: .internal
                }
            throw FirestoreError(status, "\(url.path) cannot be written: \(String(cString: strerror(code))).")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: [UInt8]) throws(FirestoreError) {
        try attempt { try handle.write(contentsOf: Data(bytes)) }
    }

    /// Returns when all data is on the device.
    func close() throws(FirestoreError) {
        try attempt {
            try handle.synchronize()
            try handle.close()
        }
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    private func attempt(_ body: () throws -> Void) throws(FirestoreError) {
        do { try body() } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw FirestoreError(
                isFull ? .resourceExhausted : .internal,
                "\(url.path) cannot be written: \(error.localizedDescription)")
        }
    }
}
