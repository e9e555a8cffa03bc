// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import LMDB

/// Why the engine refused or failed a request. Nothing was changed.
package enum EngineError: Error, Sendable {
    /// LMDB or the operating system failed.
    case storage(LMDBError)
    /// The file contains bytes that Hearth never writes.
    case damaged(String)
    /// This version cannot use the file as a database.
    case unusable(String)
    /// The process that creates the database at this path has not committed everything yet, or was killed before.
    case incomplete(String)
    /// Hearth refused the request, with production's status and text.
    case refused(StatusCode, String)
    /// Security rules refused it, for these reasons.
    case denied(String)

    package var status: StatusCode {
        switch self {
        case .storage(let error): EngineError.status(error.code)
        case .damaged: .dataLoss
        case .unusable, .incomplete: .failedPrecondition
        case .refused(let status, _): status
        case .denied: .permissionDenied
        }
    }

    private static func status(_ code: LMDBErrorCode) -> StatusCode {
        switch code {
        case .diskFull, .mapFull, .readersFull, .tooManyFiles, .tooManyFilesInSystem: .resourceExhausted
        case .corrupted, .pageNotFound, .cursorFull, .pageFull, .incompatible, .emptyFile: .dataLoss
        case .invalid, .versionMismatch, .notAFile, .isDirectory, .displaced, .foreignLockFile, .otherLockFile,
            .sharedProcessID, .readOnlyEnvironment, .openedDifferently:
            .failedPrecondition
        case .fileExists: .alreadyExists
        default: .internal
        }
    }

    package var message: String {
        switch self {
        case .storage(let error): error.description
        case .damaged(let what): "The database is damaged: \(what). Run `hearth verify` on it."
        case .unusable(let why): why
        case .incomplete(let path):
            "\(path) is an empty database that was never completely made. Opening it for writing completes it."
        case .refused(_, let message), .denied(let message): message
        }
    }

    /// The problem without the advice, for a list of findings.
    var finding: String {
        if case .damaged(let what) = self { what } else { message }
    }

    package init(_ error: DocumentFormError) {
        self = .refused(.invalidArgument, error.message)
    }

    package init(_ error: StoredFormatError) {
        self = .damaged(error.description)
    }

    /// A document whose record cannot be read.
    init(_ error: StoredFormatError, in path: DocumentPath) {
        self = .damaged("\(path): \(error.description)")
    }
}

extension EngineError: LMDBErrorConvertible {
    package init(_ error: LMDBError) {
        self = .storage(error)
    }
}

extension EngineError: CustomStringConvertible {
    package var description: String { message }
}
