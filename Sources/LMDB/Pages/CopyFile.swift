// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The file of a copy, written from its third page on. What is written goes to the device at once, so that little is left for
/// the sync at the end.
@safe
final class CopyFile {
    private let descriptor: Int32
    private let pageSize: Int
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    /// How much of the file is written, how much of that the device has been asked to take, and how much it has.
    private var written: Int
    private var begun: Int
    private var stored: Int
    /// The first failure. Nothing is written after it.
    private(set) var failure: Failure?

    struct Failure {
        let code: Int32
        /// Of the file that is copied.
        let isOfSource: Bool
    }

    private static let bufferSize = 1 << 20
    /// The system gets this much while the device takes as much again.
    private static let window = 8 << 20

    var length: Int { written + filled }

    /// The number of the page that is appended next.
    private var nextPage: Int { length / pageSize }

    init(_ descriptor: Int32, pageSize: Int) {
        self.descriptor = descriptor
        self.pageSize = pageSize
        unsafe buffer = .allocate(byteCount: CopyFile.bufferSize, alignment: 16)
        written = PageFormat.Meta.count * pageSize
        begun = written
        stored = written
    }

    deinit { unsafe buffer.deallocate() }

    /// Appends a page, or the pages of one value, under the number that it has in the copy.
    ///
    /// - Returns: That number.
    @unsafe
    func append(_ pages: UnsafeMutableRawPointer, count: Int) -> Int {
        let number = nextPage
        unsafe pages.storeBytes(of: number, toByteOffset: PageFormat.Header.number, as: Int.self)
        var done = 0
        while done < count {
            let part = min(count - done, unsafe buffer.count - filled)
            unsafe (buffer.baseAddress! + filled).copyMemory(from: pages + done, byteCount: part)
            filled += part
            done += part
            if unsafe filled == buffer.count { flush() }
        }
        return number
    }

    /// Appends what the copy lacks of the first bytes of another file. A file that is shorter ends the copy there.
    func append(from file: PageFile, upTo end: Int) {
        while length < end, failure == nil {
            let part = min(end - length, unsafe buffer.count - filled)
            let count = unsafe System.read(file.descriptor, buffer.baseAddress! + filled, part, at: length)
            if count < 0, System.lastError != EINTR { fail(System.lastError, isOfSource: true) }
            if count == 0 { return }
            filled += max(0, count)
            if unsafe filled == buffer.count { flush() }
        }
    }

    /// Writes one of the meta pages.
    func write(meta: [UInt8], number: Int) {
        flush()
        unsafe meta.withUnsafeBytes { unsafe write($0, at: number * pageSize) }
    }

    private func flush() {
        unsafe write(UnsafeRawBufferPointer(rebasing: buffer[..<filled]), at: written)
        written += filled
        filled = 0
        guard failure == nil, written >= begun + CopyFile.window else { return }
        hearth_begin_writeback(descriptor)
        // Of no bytes it would be all of the file.
        if begun > stored { writeBack(stored, begun - stored) }
        (stored, begun) = (begun, written)
    }

    private func writeBack(_ start: Int, _ count: Int) {
        var code: Int32
        repeat { code = hearth_write_back(descriptor, start, count) } while code == EINTR
        if CopyFile.isFailure(ofWriteBack: code) { fail(code) }
    }

    /// Whether the device could not write. Some file systems cannot write back a part of a file: there the sync writes it.
    static func isFailure(ofWriteBack code: Int32) -> Bool { ![0, ENOSYS, EINVAL, ESPIPE, EOPNOTSUPP].contains(code) }

    private func fail(_ code: Int32, isOfSource: Bool = false) {
        if failure == nil { failure = Failure(code: code, isOfSource: isOfSource) }
    }

    /// Returns when the device has the file, unless anything has failed.
    func synchronize() {
        if failure == nil, System.synchronize(descriptor) != 0 { fail(System.lastError) }
    }

    @unsafe
    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        var done = 0
        while done < bytes.count, failure == nil {
            let count = unsafe System.write(
                descriptor, bytes.baseAddress! + done, bytes.count - done, at: offset + done)
            if count == 0 { fail(EIO) }
            if count < 0, System.lastError != EINTR { fail(System.lastError) }
            done += max(0, count)
        }
    }
}
