// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The path of a field inside a document: one or more field names, each taken literally.
///
/// Where a field is named by a `String`, dots separate names, and `~ * / [ ]` are refused (D-11). A `FieldPath` names any
/// field: `FieldPath(["a.b"])` is one field with a dot in its name.
///
/// An impossible path (no names, or an empty one) is refused with `invalidArgument` by the call that uses it.
public struct FieldPath: Sendable, Hashable {
    private let path: Result<DocumentModel.FieldPath, FieldPathError>

    /// - Parameter fields: field names from the outermost in.
    public init(_ fields: [String]) {
        if fields.isEmpty {
            path = .failure(FieldPathError("Invalid field path. Provided names must not be empty."))
        } else if let index = fields.firstIndex(where: \.isEmpty) {
            path = .failure(FieldPathError("Invalid field name at index \(index). Field names must not be empty."))
        } else {
            path = .success(DocumentModel.FieldPath(fields.map { Text($0) }))
        }
    }

    /// The syntax of string arguments (D-11).
    init(dotted: String) {
        do throws(FieldPathError) {
            path = .success(try DocumentModel.FieldPath(dotted: dotted))
        } catch {
            path = .failure(error)
        }
    }

    init(_ path: DocumentModel.FieldPath) {
        self.path = .success(path)
    }

    /// The path, for use.
    func valid() throws(FirestoreError) -> DocumentModel.FieldPath {
        do throws(FieldPathError) { return try path.get() } catch { throw FirestoreError(error) }
    }

    /// The document's ID, for filters, orders and cursors: `__name__` (D-12).
    public static func documentID() -> FieldPath { FieldPath(.documentName) }
}

extension FieldPath: CustomStringConvertible {
    /// The names joined by dots, those that are no plain identifiers in backticks (D-10).
    public var description: String {
        switch path {
        case .success(let path): path.wire
        case .failure(let error): error.message
        }
    }
}
