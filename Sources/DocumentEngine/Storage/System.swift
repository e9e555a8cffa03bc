// SPDX-License-Identifier: Apache-2.0

// The engine's calls to the system are in this file. Linux with glibc is supported; on Darwin, import Darwin here.
internal import Glibc

enum System {
    struct Failure: Error {
        /// Continues a sentence that begins with the file's name.
        let reason: String
    }

    static func pause(microseconds: UInt32) { usleep(microseconds) }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Microseconds since 1970; 0 if the clock is set to an earlier time.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(max(0, time.tv_nsec)) / 1_000
    }

    /// Opens a file for ``append(_:to:)``, or creates it. Refuses what is no regular file: writing to a pipe can block.
    static func openForAppending(_ path: String) throws(Failure) -> Int32 {
        // Opening a pipe that has no reader would block.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw Failure(reason: "cannot be written: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            closeFile(descriptor)
            throw Failure(reason: "is not a regular file")
        }
        return descriptor
    }

    /// Whether all bytes were written.
    static func append(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        write(descriptor, bytes, bytes.count) == bytes.count
    }

    static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
}
