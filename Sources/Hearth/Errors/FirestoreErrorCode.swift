// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every error of Hearth: `FIRFirestoreErrorDomain`, so that ported code which compares it still works.
public let FirestoreErrorDomain = "FIRFirestoreErrorDomain"

/// An error of Hearth as FirebaseFirestore's programs catch it, and what kind of failure it is (W-35).
///
/// ```swift
/// do {
///     try await city.updateData(["population": 1])
/// } catch let error as FirestoreErrorCode where error.code == .notFound {
///     // There is no such city.
/// }
/// ```
///
/// `catch FirestoreErrorCode.notFound`, `(error as? FirestoreErrorCode)?.code` and
/// `(error as NSError).code == FirestoreErrorCode.notFound.rawValue` find it too. What Hearth throws is a ``FirestoreError``, which
/// knows more; the cast to this type always succeeds for it.
public struct FirestoreErrorCode: CustomNSError {
    /// The kinds. A raw value is the gRPC status number, and the error's `code`.
    public enum Code: Int, Sendable, CaseIterable {
        /// No error; never thrown.
        case ok = 0
        /// The call was given up.
        case cancelled
        /// None of the others.
        case unknown
        /// The request is wrong whatever the database holds: a malformed path, value or query.
        case invalidArgument
        /// The call took too long.
        case deadlineExceeded
        /// The document to update does not exist.
        case notFound
        /// The document to create exists.
        case alreadyExists
        /// Not allowed.
        case permissionDenied
        /// The disk is full.
        case resourceExhausted
        /// The database is not in the state that the call needs; above all: a query lacks its index.
        case failedPrecondition
        /// A transaction met another one.
        case aborted
        /// Outside the valid range.
        case outOfRange
        /// Not supported.
        case unimplemented
        /// The file or the operating system failed.
        case `internal`
        /// Cannot be reached now.
        case unavailable
        /// The file is damaged.
        case dataLoss
        /// Nobody is signed in.
        case unauthenticated

        init(_ status: StatusCode) {
            self = Code(rawValue: status.rawValue) ?? .unknown
        }

        /// Lets `catch FirestoreErrorCode.notFound` match an error of Hearth.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? FirestoreErrorCode)?.code == code
        }
    }

    let error: NSError

    // swift-format-ignore: NoLeadingUnderscores
    /// The error as this type.
    public init(_nsError error: NSError) {
        self.error = error
    }

    /// An error to throw, in a transaction's block or in a test.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: FirestoreErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// What kind of failure it is.
    public var code: Code { Code(rawValue: error.code) ?? .unknown }
    /// ``FirestoreErrorDomain``.
    public static var errorDomain: String { FirestoreErrorDomain }
    /// The gRPC status number.
    public var errorCode: Int { error.code }
    /// The text under `NSLocalizedDescriptionKey`, and what else the error was made with.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// The same.
    public var userInfo: [String: Any] { error.userInfo }

    /// No error; never thrown.
    public static var ok: Code { .ok }
    /// The call was given up.
    public static var cancelled: Code { .cancelled }
    /// None of the others.
    public static var unknown: Code { .unknown }
    /// The request is wrong whatever the database holds: a malformed path, value or query.
    public static var invalidArgument: Code { .invalidArgument }
    /// The call took too long.
    public static var deadlineExceeded: Code { .deadlineExceeded }
    /// The document to update does not exist.
    public static var notFound: Code { .notFound }
    /// The document to create exists.
    public static var alreadyExists: Code { .alreadyExists }
    /// Not allowed.
    public static var permissionDenied: Code { .permissionDenied }
    /// The disk is full.
    public static var resourceExhausted: Code { .resourceExhausted }
    /// The database is not in the state that the call needs; above all: a query lacks its index.
    public static var failedPrecondition: Code { .failedPrecondition }
    /// A transaction met another one.
    public static var aborted: Code { .aborted }
    /// Outside the valid range.
    public static var outOfRange: Code { .outOfRange }
    /// Not supported.
    public static var unimplemented: Code { .unimplemented }
    /// The file or the operating system failed.
    public static var `internal`: Code { .internal }
    /// Cannot be reached now.
    public static var unavailable: Code { .unavailable }
    /// The file is damaged.
    public static var dataLoss: Code { .dataLoss }
    /// Nobody is signed in.
    public static var unauthenticated: Code { .unauthenticated }
}

extension FirestoreErrorCode: Hashable {
    /// Whether both are one error of `NSError`.
    public static func == (lhs: FirestoreErrorCode, rhs: FirestoreErrorCode) -> Bool { lhs.error.isEqual(rhs.error) }

    /// Goes by the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(error.code)
    }
}
