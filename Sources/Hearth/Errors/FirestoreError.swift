// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation
internal import QueryPlanner

/// The error type of this library: why a call failed.
///
/// It is an `NSError` with the domain ``FirestoreErrorDomain`` and the gRPC status number as its code, so `catch let
/// error as NSError`, `(error as NSError).code` and `as? FirestoreErrorCode` work as with FirebaseFirestore. Its
/// `localizedDescription` is production's text if production has one. A printed missing-index error also shows the
/// index definition.
///
/// A failed write, batch or transaction changes nothing, because each is atomic.
public final class FirestoreError: NSError, @unchecked Sendable {  // Immutable, as `NSError` is.
    /// The error's `code` as an enumeration.
    public let status: FirestoreErrorCode.Code
    /// The index that the query needs; nil for every other error.
    public let missingIndex: MissingIndex?
    /// Why security rules refused the call, which production does not say.
    private let explanation: String?

    package init(
        _ status: FirestoreErrorCode.Code, _ message: String, missingIndex: MissingIndex? = nil,
        explanation: String? = nil
    ) {
        self.status = status
        self.missingIndex = missingIndex
        self.explanation = explanation
        super.init(domain: FirestoreErrorDomain, code: status.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Always nil, because errors of Hearth are not archived.
    public required init?(coder: NSCoder) {
        nil
    }

    /// A hash of the text. (Foundation's implementation on Linux traps.)
    public override var hash: Int { localizedDescription.hashValue }

    /// Whether both errors have the same status and the same text.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FirestoreError else { return false }
        return status == other.status && localizedDescription == other.localizedDescription
    }

    /// Production's text. For a missing index, also the definition to paste into `firestore.indexes.json` and the
    /// closest existing index.
    public override var description: String {
        guard let missingIndex, !missingIndex.isBuilding else { return localizedDescription }
        return localizedDescription + missingIndex.instructions
    }

    /// The text of ``description``. If ``SecurityRules`` refused the call, also the statements that did: `false for 'get' @ L5` is
    /// the condition in line 5.
    public override var debugDescription: String {
        explanation.map { "\(description) \($0)" } ?? description
    }
}

extension FirestoreError {
    static func invalidArgument(_ message: String) -> FirestoreError {
        FirestoreError(.invalidArgument, message)
    }

    /// Security rules refused a call.
    static func denied(_ explanation: String) -> FirestoreError {
        FirestoreError(.permissionDenied, "Missing or insufficient permissions.", explanation: explanation)
    }

    convenience init(_ error: EngineError) {
        if case .denied(let explanation) = error {
            self.init(
                .permissionDenied, "Missing or insufficient permissions.",
                explanation: explanation.trimmingCharacters(in: .newlines))
            return
        }
        self.init(FirestoreErrorCode.Code(error.status), error.message)
    }

    convenience init(_ error: FieldPathError) {
        self.init(.invalidArgument, error.message)
    }
}

extension EngineError {
    /// Carries an error of a closure of this library through the engine.
    init(_ error: FirestoreError) {
        self = .refused(StatusCode(rawValue: error.status.rawValue) ?? .internal, error.localizedDescription)
    }
}

extension Result where Failure == FirestoreError {
    /// The result of `body`, whose error is thrown on first use: creating a reference or a query never fails.
    init(deferring body: () throws(FirestoreError) -> Success) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(error)
        }
    }
}

extension FirestoreError {
    /// Why a query failed; for a missing index, with everything that the database knows about it.
    convenience init(_ error: QueryError, _ engine: Engine) {
        switch error {
        case .engine(let error): self.init(error)
        case .planning(.invalid(let error)): self.init(.invalidArgument, error.message)
        case .planning(.hint(let error)): self.init(.invalidArgument, error.message)
        case .planning(.missingIndex(let error)):
            let catalog = try? engine.catalog().indexes
            self.init(
                .failedPrecondition, error.message(in: engine.linked),
                missingIndex: MissingIndex(error, catalog: catalog, database: engine.linked))
        }
    }
}
