// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Room on disk for what does not fit in memory: a file beside the database, without a name and for its owner only, that is
/// gone when this object or the process is.
@safe
package final class ScratchFile: Sendable {
    private let descriptor: Int32
    private let path: String
    private let length = Monitor(0)

    /// Makes the file in the folder of `path`, or where temporary files go if that folder is no more.
    package init(beside path: String) throws(LMDBError) {
        self.path = path
        var name = Array("\(path).scratch-XXXXXX".utf8CString)
        let named = unsafe mkstemp(&name)
        if named >= 0 { unsafe unlink(&name) }
        descriptor = named < 0 && errno == ENOENT ? ScratchFile.makeElsewhere() : named
        guard descriptor >= 0 else { throw LMDBError(errno, .useScratchFile, path: path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func makeElsewhere() -> Int32 {
        guard let file = unsafe tmpfile() else { return -1 }
        defer { unsafe fclose(file) }
        return unsafe dup(fileno(file))
    }

    /// Processors on which threads that fill such a file can run.
    package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    deinit {
        close(descriptor)
    }

    /// Writes bytes behind all others; any thread may.
    ///
    /// - Returns: where they begin.
    /// - Throws: `diskFull` where there is no room for them.
    package func append(_ bytes: [UInt8]) throws(LMDBError) -> Int {
        let start = length.withLock { length in
            defer { length += bytes.count }
            return length
        }
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, start + done)
            }
            if written > 0 { done += written } else if written == 0 || errno != EINTR { throw failure(written) }
        }
        return start
    }

    /// Copies `range` of the file into `bytes`, from `place` on.
    package func read(_ range: Range<Int>, into bytes: inout [UInt8], at place: Int) throws(LMDBError) {
        precondition(
            place >= 0 && place + range.count <= bytes.count, "A piece is read into an array without room for it.")
        var done = 0
        while done < range.count {
            let read = unsafe bytes.withUnsafeMutableBytes { bytes in
                let start = unsafe bytes.baseAddress! + place + done
                return unsafe pread(descriptor, start, range.count - done, range.lowerBound + done)
            }
            if read > 0 { done += read } else if read == 0 || errno != EINTR { throw failure(read) }
        }
    }

    private func failure(_ result: Int) -> LMDBError {
        LMDBError(result == 0 ? EIO : errno, .useScratchFile, path: path)
    }
}
