// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Converts the operands of filters and cursors on document names to references: a plain ID in a query of
/// a collection, a path in a query of a collection group.
struct NameOperands {
    /// Nil for a collection group.
    let collection: CollectionPath?
    let database: Database

    func reference(to path: DocumentPath) throws(FirestoreError) -> Value {
        .reference(Reference(database: try database.identity(), path: path.resource))
    }

    /// The operand of a filter on `__name__`.
    func filterOperand(_ value: Value, _ op: FieldOperator) throws(FirestoreError) -> Value {
        switch op {
        case .arrayContains, .arrayContainsAny:
            throw .invalidArgument(
                "Invalid query. You can't perform \(op.clientName) queries on document ID since document IDs are not "
                    + "arrays.")
        case .in, .notIn:
            guard case .array(let elements) = value else { return value }
            var references: [Value] = []
            for element in elements { references.append(try filterReference(element)) }
            return .array(references)
        default: return try filterReference(value)
        }
    }

    private func filterReference(_ value: Value) throws(FirestoreError) -> Value {
        switch value {
        case .reference: return value
        case .string(let text):
            guard text.utf8Count > 0 else {
                throw .invalidArgument(
                    "Invalid query. When querying by document ID you must provide a valid document ID, but it was an "
                        + "empty string.")
            }
            guard collection == nil || !text.string.utf8.contains(UInt8(ascii: "/")) else {
                throw .invalidArgument(
                    "Invalid query. When querying a collection by document ID you must provide a plain document ID, "
                        + "but '\(text)' contains a '/' character.")
            }
            return try reference(text) { path in
                "Invalid query. When querying a collection group by document ID, the value provided must result in a "
                    + "valid document path, but '\(path)' is not because it has an odd number of segments."
            }
        default:
            throw .invalidArgument(
                "Invalid query. When querying by document ID you must provide a valid string or DocumentReference, but "
                    + "it was of type: \(value.typeClass)")
        }
    }

    /// The value of a cursor for the order by `__name__`.
    func cursorReference(_ value: Value) throws(FirestoreError) -> Value {
        guard case .string(let text) = value else {
            throw .invalidArgument("Invalid query. Expected a string for the document ID.")
        }
        guard collection == nil || !text.string.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidArgument(
                "Invalid query. When querying a collection and ordering by document ID, you must pass a plain document "
                    + "ID, but '\(text)' contains a slash.")
        }
        return try reference(text) { path in
            "Invalid query. When querying a collection group and ordering by document ID, you must pass a value that "
                + "results in a valid document path, but '\(path)' is not because it contains an odd number of segments."
        }
    }

    private func reference(
        _ text: Text, refusal: (ResourcePath) -> String
    ) throws(FirestoreError) -> Value {
        let relative = try ResourcePath.segments(of: text.string)
        let path = ResourcePath(segments: (collection?.resource.segments ?? []) + relative.segments)
        guard path.count % 2 == 0, !path.isEmpty else { throw .invalidArgument(refusal(path)) }
        return try reference(to: DocumentPath(path))
    }
}

extension FieldOperator {
    /// The operator's name in the client library's messages.
    var clientName: String {
        switch self {
        case .lessThan: "lessThan"
        case .lessThanOrEqual: "lessThanOrEqual"
        case .equal: "equal"
        case .notEqual: "notEqual"
        case .greaterThanOrEqual: "greaterThanOrEqual"
        case .greaterThan: "greaterThan"
        case .arrayContains: "arrayContains"
        case .in: "in"
        case .arrayContainsAny: "arrayContainsAny"
        case .notIn: "notIn"
        }
    }
}
