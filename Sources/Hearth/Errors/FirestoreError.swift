// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation

/// Why Hearth did not do what it was asked: the one error type of this library.
///
/// It is an `NSError` with domain ``FirestoreErrorDomain`` and the gRPC status number as code, so that
/// `catch let error as NSError`, `(error as NSError).code` and `as? FirestoreErrorCode` work as they do with FirebaseFirestore. Its
/// `localizedDescription` is production's text where production has one; printed, a missing index also shows its definition.
///
/// Whatever failed changed nothing: a write, a batch or a transaction is applied whole or not at all.
public final class FirestoreError: NSError, @unchecked Sendable {  // Immutable, as `NSError` is.
    /// The error's `code` as an enumeration.
    public let status: FirestoreErrorCode.Code
    /// The index that the query needs; nil for every other error.
    public let missingIndex: MissingIndex?

    init(_ status: FirestoreErrorCode.Code, _ message: String, missingIndex: MissingIndex? = nil) {
        self.status = status
        self.missingIndex = missingIndex
        super.init(domain: FirestoreErrorDomain, code: status.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Nil: an error of Hearth is not archived.
    public required init?(coder: NSCoder) {
        nil
    }

    /// By status and text. (The class of Foundation on Linux traps when it is hashed.)
    public override var hash: Int { localizedDescription.hashValue }

    /// Whether both have one status and one text.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirestoreError else { return false }
        return status == other.status && localizedDescription == other.localizedDescription
    }

    /// Production's text; for a missing index also the definition to paste into `firestore.indexes.json`, and the index that
    /// comes nearest.
    public override var description: String {
        guard let missingIndex, !missingIndex.isBuilding else { return localizedDescription }
        return localizedDescription + missingIndex.instructions
    }

    /// The same.
    public override var debugDescription: String { description }
}

extension FirestoreError {
    static func invalidArgument(_ message: String) -> FirestoreError {
        FirestoreError(.invalidArgument, message)
    }

    convenience init(_ error: EngineError) {
        self.init(FirestoreErrorCode.Code(error.status), error.message)
    }

    convenience init(_ error: FieldPathError) {
        self.init(.invalidArgument, error.message)
    }
}

extension EngineError {
    /// For what a closure of the library's throws inside the engine.
    init(_ error: FirestoreError) {
        self = .refused(StatusCode(rawValue: error.status.rawValue) ?? .internal, error.localizedDescription)
    }
}

extension Result where Failure == FirestoreError {
    /// The result of `body`, to be thrown where it is first used: what names a place or a query never fails by itself.
    init(deferring body: () throws(FirestoreError) -> Success) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(error)
        }
    }
}
