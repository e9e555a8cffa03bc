// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The path of a field inside a document: one or more field names, each taken literally.
///
/// In a `String`, dots separate names, and `~ * / [ ]` are refused. A `FieldPath` names any field: `FieldPath(["a.b"])`
/// is one field with a dot in its name.
///
/// Calls that use an invalid path (without names, or with an empty one) throw `invalidArgument`.
public struct FieldPath: Sendable, Hashable {
    private let path: Result<DocumentModel.FieldPath, FieldPathError>

    /// Creates a path from field names.
    ///
    /// - Parameter fields: the names, outermost first.
    public init(_ fields: [String]) {
        if fields.isEmpty {
            path = .failure(FieldPathError("Invalid field path. Provided names must not be empty."))
        } else if let index = fields.firstIndex(where: \.isEmpty) {
            path = .failure(FieldPathError("Invalid field name at index \(index). Field names must not be empty."))
        } else {
            path = .success(DocumentModel.FieldPath(fields.map { Text($0) }))
        }
    }

    /// Parses a string argument (D-11).
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

    /// The path. Throws the error of an invalid one.
    func valid() throws(FirestoreError) -> DocumentModel.FieldPath {
        do throws(FieldPathError) { return try path.get() } catch { throw FirestoreError(error) }
    }

    /// The document's ID, for filters, orders and cursors: `__name__`.
    public static func documentID() -> FieldPath { FieldPath(.documentName) }
}

extension FieldPath: CustomStringConvertible {
    /// The names joined by dots, with backticks around names that are not plain identifiers.
    public var description: String {
        switch path {
        case .success(let path): path.wire
        case .failure(let error): error.message
        }
    }
}
