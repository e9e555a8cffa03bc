// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

/// Stands in written data for something other than a plain value: a deletion, the time, a change of what is stored.
///
/// ```swift
/// try await city.updateData([
///     "population": FieldValue.increment(50),
///     "regions": FieldValue.arrayUnion(["west_coast"]),
///     "updated": FieldValue.serverTimestamp(),
///     "mayor": FieldValue.delete(),
/// ])
/// ```
///
/// The change happens inside the write, so that concurrent changes of one field all count (W-17 to W-21). Such values cannot
/// stand inside arrays or in queries (W-11).
public struct FieldValue: Sendable {
    enum Content: Sendable {
        case delete
        case transform(FieldTransform.Operation)
    }

    let content: Result<Content, FirestoreError>
    /// As error messages call it.
    let name: String

    private init(_ name: String, _ content: Content) {
        self.name = "FieldValue.\(name)()"
        self.content = .success(content)
    }

    private init(_ name: String, elements: [Any], _ make: ([Value]) -> FieldTransform.Operation) {
        self.name = "FieldValue.\(name)()"
        content = Result(deferring: { () throws(FirestoreError) in
            var reader = DataReader(.argument)
            return .transform(make(try reader.elements(elements)))
        })
    }

    /// Removes the field. Only as a value of `updateData`, or anywhere in data that is merged (W-10).
    public static func delete() -> FieldValue { FieldValue("delete", .delete) }

    /// The time of the commit, in whole milliseconds, the same for all fields and documents of one commit (W-17).
    public static func serverTimestamp() -> FieldValue { FieldValue("serverTimestamp", .transform(.serverTimestamp)) }

    /// Adds to the field; a missing field, or one that is no number, becomes `value`. Integers stop at `Int64.min` and
    /// `Int64.max`; with a `Double` on either side the sum is one (W-18).
    public static func increment(_ value: Int64) -> FieldValue {
        FieldValue("increment", .transform(.increment(.integer(value))))
    }

    /// The same with an `Int`, for literals.
    public static func increment(_ value: Int) -> FieldValue { increment(Int64(value)) }

    /// The same; the sum is a double.
    public static func increment(_ value: Double) -> FieldValue {
        FieldValue("increment", .transform(.increment(.double(value))))
    }

    /// Raises the field to `value` if it is less; a missing field, or one that is no number, becomes `value` (W-19).
    public static func maximum(_ value: Int64) -> FieldValue {
        FieldValue("maximum", .transform(.maximum(.integer(value))))
    }

    /// The same with an `Int`, for literals.
    public static func maximum(_ value: Int) -> FieldValue { maximum(Int64(value)) }

    /// The same with a double.
    public static func maximum(_ value: Double) -> FieldValue {
        FieldValue("maximum", .transform(.maximum(.double(value))))
    }

    /// Lowers the field to `value` if it is greater; a missing field, or one that is no number, becomes `value` (W-19).
    public static func minimum(_ value: Int64) -> FieldValue {
        FieldValue("minimum", .transform(.minimum(.integer(value))))
    }

    /// The same with an `Int`, for literals.
    public static func minimum(_ value: Int) -> FieldValue { minimum(Int64(value)) }

    /// The same with a double.
    public static func minimum(_ value: Double) -> FieldValue {
        FieldValue("minimum", .transform(.minimum(.double(value))))
    }

    /// Appends those elements that the array lacks; what is no array becomes one (W-20). `3` and `3.0` are equal here.
    public static func arrayUnion(_ elements: [Any]) -> FieldValue {
        FieldValue("arrayUnion", elements: elements) { .appendMissingElements($0) }
    }

    /// Removes every element equal to one of these; what is no array becomes an empty one (W-21).
    public static func arrayRemove(_ elements: [Any]) -> FieldValue {
        FieldValue("arrayRemove", elements: elements) { .removeAllFromArray($0) }
    }

    /// A vector to store.
    public static func vector(_ array: [Double]) -> VectorValue { VectorValue(array) }

    /// A vector to store; the numbers become doubles.
    public static func vector(_ array: [Float]) -> VectorValue { VectorValue(array.map { Double($0) }) }
}
