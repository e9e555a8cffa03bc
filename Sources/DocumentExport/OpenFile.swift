// SPDX-License-Identifier: Apache-2.0

// Linux with glibc is supported; on Darwin, import Darwin here.
internal import Glibc

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Why the system refused.
package struct SystemError: Error, CustomStringConvertible {
    private let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    package static var current: SystemError { SystemError(number: errno) }

    /// Why a call for files failed, also one of Foundation; nil if the system is not the reason.
    package init?(_ error: any Error) {
        if let error = error as? SystemError {
            self = error
            return
        }
        guard let reason = (error as? CocoaError)?.underlying as? POSIXError else { return nil }
        self.init(number: reason.code.rawValue)
    }

    /// The system's text where the system is the reason.
    package static func reason(of error: any Error) -> String { SystemError(error)?.description ?? "\(error)" }

    /// Whether the disk, or what the user may take of it, is full.
    package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

    /// The system's text.
    package var description: String { String(cString: strerror(number)) }
}

/// A file that is open until its last reference is gone.
package final class OpenFile: Sendable {
    private let descriptor: Int32

    package enum Mode {
        case read
        /// Replaces the contents of a file that exists. A new file is its owner's only.
        case replace
        /// Keeps the contents of a file that exists. A new file is its owner's only.
        case update

        fileprivate var flags: Int32 {
            switch self {
            case .read: O_RDONLY
            case .replace: O_WRONLY | O_CREAT | O_TRUNC
            case .update: O_RDWR | O_CREAT
            }
        }
    }

    package init(_ path: String, _ mode: Mode) throws(SystemError) {
        descriptor = open(path, mode.flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .current }
    }

    /// Writes a whole file.
    static func replace(_ url: URL, _ bytes: [UInt8]) throws(SystemError) {
        try OpenFile(url.path, .replace).append(bytes)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Up to this many bytes; none at the end.
    package func read(_ count: Int) throws(SystemError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: count)
        while true {
            let length = Glibc.read(descriptor, &piece, count)
            if length >= 0 { return Array(piece[..<length]) }
            guard errno == EINTR else { throw .current }
        }
    }

    package func append(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, Array(rest), rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .current }
            rest = rest.dropFirst(count)
        }
    }

    /// Has the device hold what was written. Also for a folder, whose names it then holds.
    package func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .current }
    }

    /// Takes the file for this process. Returns false if another has it.
    package func takeLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Makes the file empty.
    package func clear() { ftruncate(descriptor, 0) }
}
