// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of all errors of Hearth: `FIRFirestoreErrorDomain`, so that ported code that compares it works.
public let FirestoreErrorDomain = "FIRFirestoreErrorDomain"

/// An error of Hearth in the form that programs for FirebaseFirestore catch: the kind of the failure.
///
/// ```swift
/// do {
///     try await city.updateData(["population": 1])
/// } catch let error as FirestoreErrorCode where error.code == .notFound {
///     // There is no such city.
/// }
/// ```
///
/// `catch FirestoreErrorCode.notFound`, `(error as? FirestoreErrorCode)?.code` and `(error as NSError).code ==
/// FirestoreErrorCode.notFound.rawValue` also match it. Hearth throws a ``FirestoreError``, which knows more; casting
/// it to this type always succeeds.
public struct FirestoreErrorCode: CustomNSError {
    /// The kinds of failures. The raw value is the gRPC status number, which is also the error's `code`.
    public enum Code: Int, Sendable, CaseIterable {
        /// No error; never thrown.
        case ok = 0
        /// The call was cancelled.
        case cancelled
        /// None of the others.
        case unknown
        /// The request is invalid whatever the database holds: a malformed path, value or query.
        case invalidArgument
        /// The call took too long.
        case deadlineExceeded
        /// The document to update does not exist.
        case notFound
        /// The document to create exists.
        case alreadyExists
        /// Not allowed.
        case permissionDenied
        /// A resource is exhausted, such as disk space.
        case resourceExhausted
        /// The database is not in the required state; most often, a query lacks its index.
        case failedPrecondition
        /// A transaction conflicted with another write.
        case aborted
        /// Outside the valid range.
        case outOfRange
        /// Not supported.
        case unimplemented
        /// The file or the operating system failed.
        case `internal`
        /// Unavailable at the moment.
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
    /// Wraps an `NSError`.
    public init(_nsError error: NSError) {
        self.error = error
    }

    /// Creates an error to throw, in a transaction's block or in a test.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        error = NSError(domain: FirestoreErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The kind of the failure.
    public var code: Code { Code(rawValue: error.code) ?? .unknown }
    /// ``FirestoreErrorDomain``.
    public static var errorDomain: String { FirestoreErrorDomain }
    /// The gRPC status number.
    public var errorCode: Int { error.code }
    /// The text under `NSLocalizedDescriptionKey`, and the other entries that the error was created with.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// The entries of ``errorUserInfo``.
    public var userInfo: [String: Any] { error.userInfo }

    /// No error; never thrown.
    public static var ok: Code { .ok }
    /// The call was cancelled.
    public static var cancelled: Code { .cancelled }
    /// None of the others.
    public static var unknown: Code { .unknown }
    /// The request is invalid whatever the database holds: a malformed path, value or query.
    public static var invalidArgument: Code { .invalidArgument }
    /// The call took too long.
    public static var deadlineExceeded: Code { .deadlineExceeded }
    /// The document to update does not exist.
    public static var notFound: Code { .notFound }
    /// The document to create exists.
    public static var alreadyExists: Code { .alreadyExists }
    /// Not allowed.
    public static var permissionDenied: Code { .permissionDenied }
    /// A resource is exhausted, such as disk space.
    public static var resourceExhausted: Code { .resourceExhausted }
    /// The database is not in the required state; most often, a query lacks its index.
    public static var failedPrecondition: Code { .failedPrecondition }
    /// A transaction conflicted with another write.
    public static var aborted: Code { .aborted }
    /// Outside the valid range.
    public static var outOfRange: Code { .outOfRange }
    /// Not supported.
    public static var unimplemented: Code { .unimplemented }
    /// The file or the operating system failed.
    public static var `internal`: Code { .internal }
    /// Unavailable at the moment.
    public static var unavailable: Code { .unavailable }
    /// The file is damaged.
    public static var dataLoss: Code { .dataLoss }
    /// Nobody is signed in.
    public static var unauthenticated: Code { .unauthenticated }
}

extension FirestoreErrorCode: Hashable {
    /// Whether both wrap equal `NSError`s.
    public static func == (lhs: FirestoreErrorCode, rhs: FirestoreErrorCode) -> Bool { lhs.error.isEqual(rhs.error) }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(error.code)
    }
}
