// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel

/// A placeholder in written data: a deletion, the commit time, or a change of the stored value.
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
/// The change happens inside the write, so concurrent changes of one field are all applied. Field values are not
/// allowed inside arrays or in queries.
public struct FieldValue: Sendable {
    enum Content: Sendable {
        case delete
        case transform(FieldTransform.Operation)
    }

    let content: Result<Content, FirestoreError>
    /// The name in error messages.
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

    /// Deletes the field. Allowed as a value of `updateData`, and anywhere in data that is merged.
    public static func delete() -> FieldValue { FieldValue("delete", .delete) }

    /// The commit time, in whole milliseconds; the same for all fields and documents of one commit.
    public static func serverTimestamp() -> FieldValue { FieldValue("serverTimestamp", .transform(.serverTimestamp)) }

    /// Adds an integer to the field. A missing or non-numeric field becomes `value`. A sum of integers stops at
    /// `Int64.min` and `Int64.max`; if the field is a double, so is the sum.
    public static func increment(_ value: Int64) -> FieldValue {
        FieldValue("increment", .transform(.increment(.integer(value))))
    }

    /// Adds an integer to the field. This form takes literals.
    public static func increment(_ value: Int) -> FieldValue { increment(Int64(value)) }

    /// Adds a double to the field. The sum is a double.
    public static func increment(_ value: Double) -> FieldValue {
        FieldValue("increment", .transform(.increment(.double(value))))
    }

    /// Raises the field to `value` if it is less. A missing or non-numeric field becomes `value`.
    public static func maximum(_ value: Int64) -> FieldValue {
        FieldValue("maximum", .transform(.maximum(.integer(value))))
    }

    /// Raises the field to `value` if it is less. This form takes literals.
    public static func maximum(_ value: Int) -> FieldValue { maximum(Int64(value)) }

    /// Raises the field to a double if it is less. A missing or non-numeric field becomes `value`.
    public static func maximum(_ value: Double) -> FieldValue {
        FieldValue("maximum", .transform(.maximum(.double(value))))
    }

    /// Lowers the field to `value` if it is greater. A missing or non-numeric field becomes `value`.
    public static func minimum(_ value: Int64) -> FieldValue {
        FieldValue("minimum", .transform(.minimum(.integer(value))))
    }

    /// Lowers the field to `value` if it is greater. This form takes literals.
    public static func minimum(_ value: Int) -> FieldValue { minimum(Int64(value)) }

    /// Lowers the field to a double if it is greater. A missing or non-numeric field becomes `value`.
    public static func minimum(_ value: Double) -> FieldValue {
        FieldValue("minimum", .transform(.minimum(.double(value))))
    }

    /// Appends the elements that the array lacks; `3` and `3.0` are equal here. A field that is not an array becomes
    /// one.
    public static func arrayUnion(_ elements: [Any]) -> FieldValue {
        FieldValue("arrayUnion", elements: elements) { .appendMissingElements($0) }
    }

    /// Removes every element that is equal to one of these. A field that is not an array becomes an empty one.
    public static func arrayRemove(_ elements: [Any]) -> FieldValue {
        FieldValue("arrayRemove", elements: elements) { .removeAllFromArray($0) }
    }

    /// Creates a vector.
    public static func vector(_ array: [Double]) -> VectorValue { VectorValue(array) }

    /// Creates a vector. The numbers become doubles.
    public static func vector(_ array: [Float]) -> VectorValue { VectorValue(array.map { Double($0) }) }
}

extension FieldValue: Hashable {
    private var operand: Result<Value, FirestoreError> {
        content.map { content in
            switch content {
            case .delete, .transform(.serverTimestamp): .null
            case .transform(.increment(let number)), .transform(.maximum(let number)), .transform(.minimum(let number)):
                number
            case .transform(.appendMissingElements(let elements)), .transform(.removeAllFromArray(let elements)):
                .array(elements)
            }
        }
    }

    /// Whether both make the same change; `increment(1)` is not `increment(1.0)`.
    public static func == (lhs: FieldValue, rhs: FieldValue) -> Bool {
        guard lhs.name == rhs.name else { return false }
        return switch (lhs.operand, rhs.operand) {
        case (.success(let left), .success(let right)): left.isIdentical(to: right)
        case (.failure(let left), .failure(let right)): left == right
        default: false
        }
    }

    /// Hashes the change.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(operand)
    }
}

extension FieldValue: CustomStringConvertible {
    /// The name that error messages have: `FieldValue.increment()`.
    public var description: String { name }
}
