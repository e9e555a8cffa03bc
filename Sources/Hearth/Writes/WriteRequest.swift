// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

/// A write as the caller requested it (W-8 to W-14).
enum WriteRequest {
    case set([String: Any])
    case merge([String: Any])
    /// Only the listed fields, each a `String` or ``FieldPath``.
    case mergeFields([String: Any], [Any])
    /// Values by `String` or ``FieldPath``.
    case update([AnyHashable: Any])
    case delete

    /// The write, for a batch or transaction of `database`.
    func write(to document: DocumentReference, in database: Database) throws(FirestoreError) -> Write {
        guard document.firestore === database else {
            throw .invalidArgument("Provided document reference is from a different Cloud Firestore instance.")
        }
        return try write(to: document)
    }

    /// The write, for a batch or transaction of `database`. Throws the errors that do not depend on stored data.
    func validWrite(to document: DocumentReference, in database: Database) throws(FirestoreError) -> Write {
        let write = try write(to: document, in: database)
        do throws(EngineError) { try write.validate(in: database.expectedIdentity) } catch {
            throw FirestoreError(error)
        }
        return write
    }

    func write(to document: DocumentReference) throws(FirestoreError) -> Write {
        let path = try document.own()
        let database = document.firestore
        switch self {
        case .set(let data): return Write(path, try WriteRequest.set(data, database))
        case .merge(let data): return Write(path, try WriteRequest.merge(data, database))
        case .mergeFields(let data, let fields):
            return Write(path, try WriteRequest.merge(data, fields, database))
        case .update(let data):
            return Write(path, try WriteRequest.update(data, database), precondition: .exists(true))
        case .delete: return Write(path, .delete)
        }
    }

    private static func set(_ data: [String: Any], _ database: Database) throws(FirestoreError) -> Write.Operation {
        var reader = DataReader(.set, database: database)
        let fields = try reader.fields(data)
        return .update(fields, mask: nil, transforms: reader.transforms)
    }

    private static func merge(_ data: [String: Any], _ database: Database) throws(FirestoreError) -> Write.Operation {
        var reader = DataReader(.merge, database: database)
        let fields = try reader.fields(data)
        return .update(fields, mask: reader.mask, transforms: reader.transforms)
    }

    private static func merge(
        _ data: [String: Any], _ mergeFields: [Any], _ database: Database
    ) throws(FirestoreError) -> Write.Operation {
        var reader = DataReader(.merge, database: database)
        let fields = try reader.fields(data)
        let present = reader.mask + reader.transforms.map(\.path)
        var mask: [DocumentModel.FieldPath] = []
        for field in mergeFields {
            guard let path = try path(field) else {
                throw .invalidArgument("All elements in mergeFields: must be NSStrings or FIRFieldPaths.")
            }
            guard present.contains(where: { path.isPrefix(of: $0) }) else {
                throw .invalidArgument(
                    "Field '\(path)' is specified in your field mask but missing from your input data.")
            }
            mask.append(path)
        }
        let transforms = reader.transforms.filter { transform in mask.contains { $0.isPrefix(of: transform.path) } }
        // A transform starts from the stored value, so the mask must not replace its field first (W-14).
        mask.removeAll { path in transforms.contains { $0.path == path } }
        return .update(fields, mask: mask, transforms: transforms)
    }

    private static func update(
        _ data: [AnyHashable: Any], _ database: Database
    ) throws(FirestoreError) -> Write.Operation {
        var reader = DataReader(.update, database: database)
        var fields = Fields.empty
        var mask: [DocumentModel.FieldPath] = []
        for (path, input) in try updates(data) {
            let place = DataReader.Place(path: path.segments, depth: path.segments.count)
            for name in path.segments { try reader.checkName(name, at: place) }
            if let sentinel = input as? FieldValue, case .delete = try sentinel.content.get() {
                mask.append(path)
            } else if let value = try reader.value(input, at: place) {
                mask.append(path)
                fields.set(value, at: path)
            }
        }
        return .update(fields, mask: mask, transforms: reader.transforms)
    }

    /// In path order, so that the longer of two overlapping paths wins, whatever the dictionary's order.
    private static func updates(
        _ data: [AnyHashable: Any]
    ) throws(FirestoreError) -> [(DocumentModel.FieldPath, Any)] {
        var updates: [(DocumentModel.FieldPath, Any)] = []
        for (key, input) in data {
            guard let path = try path(key.base) else {
                throw .invalidArgument("Dictionary keys in updateData: must be NSStrings or FIRFieldPaths.")
            }
            updates.append((path, input))
        }
        return updates.sorted { $0.0 < $1.0 }
    }

    /// Nil if the argument does not name a field.
    private static func path(_ field: Any) throws(FirestoreError) -> DocumentModel.FieldPath? {
        switch field {
        case let text as String: try FieldPath(dotted: text).valid()
        case let path as FieldPath: try path.valid()
        default: nil
        }
    }
}
