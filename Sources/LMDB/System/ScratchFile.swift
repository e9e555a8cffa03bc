// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A temporary file for what does not fit in memory. It is beside the database, has no name, is readable by its owner only, and
/// disappears with this object or the process.
@safe
package final class ScratchFile: Sendable {
    private let descriptor: Int32
    private let path: String
    private let length = Monitor(0)

    /// Creates the file in the folder of `path`, or in the folder of temporary files if that folder was removed.
    package init(beside path: String) throws(LMDBError) {
        self.path = path
        let named = System.openTemporary("\(path).scratch-")
        let isFolderGone = named.descriptor < 0 && System.lastError == ENOENT
        if named.descriptor >= 0 { System.remove(named.path) }
        descriptor = isFolderGone ? System.openTemporary() : named.descriptor
        guard descriptor >= 0 else { throw LMDBError(System.lastError, .useScratchFile, path: path) }
    }

    /// The number of processors, for threads that fill such a file.
    package static var processors: Int { max(1, System.processorCount) }

    deinit {
        System.close(descriptor)
    }

    /// Appends bytes, from any thread.
    ///
    /// - Returns: their offset.
    /// - Throws: `diskFull`.
    package func append(_ bytes: [UInt8]) throws(LMDBError) -> Int {
        let start = length.withLock { length in
            defer { length += bytes.count }
            return length
        }
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe System.write(descriptor, bytes.baseAddress! + done, bytes.count - done, at: start + done)
            }
            if written > 0 {
                done += written
            } else if written == 0 || System.lastError != EINTR {
                throw failure(written)
            }
        }
        return start
    }

    /// Copies `range` of the file to `bytes`, at `place`.
    package func read(_ range: Range<Int>, into bytes: inout [UInt8], at place: Int) throws(LMDBError) {
        precondition(
            place >= 0 && place + range.count <= bytes.count, "A piece is read into an array without room for it.")
        var done = 0
        while done < range.count {
            let read = unsafe bytes.withUnsafeMutableBytes { bytes in
                let start = unsafe bytes.baseAddress! + place + done
                return unsafe System.read(descriptor, start, range.count - done, at: range.lowerBound + done)
            }
            if read > 0 { done += read } else if read == 0 || System.lastError != EINTR { throw failure(read) }
        }
    }

    private func failure(_ result: Int) -> LMDBError {
        LMDBError(result == 0 ? EIO : System.lastError, .useScratchFile, path: path)
    }
}
