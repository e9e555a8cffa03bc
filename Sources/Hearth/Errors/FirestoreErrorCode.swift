// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every error of Hearth: `FIRFirestoreErrorDomain`, so that ported code which compares it still works.
public let FirestoreErrorDomain = "FIRFirestoreErrorDomain"

/// What kind of failure an error is (W-35). Its cases have FirebaseFirestore's spellings:
///
/// ```swift
/// do {
///     try await city.updateData(["population": 1])
/// } catch FirestoreErrorCode.notFound {
///     // There is no such city.
/// }
///
/// if (error as NSError).code == FirestoreErrorCode.failedPrecondition.rawValue { … }
/// ```
public enum FirestoreErrorCode {
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
            (error as? FirestoreError)?.status == code
        }
    }

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
