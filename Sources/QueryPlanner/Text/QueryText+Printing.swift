// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import JSONText

extension QueryText {
    /// A readable filter: `population > 5`, `(a == 1 or b == 2)`.
    package static func text(of filter: Filter) -> String {
        switch filter {
        case .field(let path, let op, let operand): "\(path) \(op.symbol) \(text(of: operand))"
        case .unary(let path, let op): "\(path) \(op.text)"
        case .and(let filters): "(\(filters.map { text(of: $0) }.joined(separator: " and ")))"
        case .or(let filters): "(\(filters.map { text(of: $0) }.joined(separator: " or ")))"
        }
    }

    /// A literal that ``parse(_:database:)`` reads as the same value, except for references to other databases.
    package static func text(of value: Value) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .double(let number): return text(of: number)
        case .timestamp(let time): return "Timestamp(\"\(time)\")"
        case .string(let text): return quoted(text.string)
        case .bytes(let bytes): return "Bytes(\"\(Base64.encode(bytes))\")"
        case .reference(let reference): return "Reference(\(quoted(reference.path.description)))"
        case .geoPoint(let point): return "GeoPoint(\(text(of: point.latitude)), \(text(of: point.longitude)))"
        case .array(let elements): return "[\(elements.map { text(of: $0) }.joined(separator: ", "))]"
        case .vector(let elements): return "Vector([\(elements.map { text(of: $0) }.joined(separator: ", "))])"
        case .map(let fields):
            let members = fields.storage.map { "\(quoted($0.name.string)): \(text(of: $0.value))" }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    private static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return "\(number)"
    }

    private static func quoted(_ text: String) -> String { JSONNode.string(text).text() }
}

extension FieldOperator {
    /// The operator as written in code.
    package var symbol: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .arrayContains: "array-contains"
        case .in: "in"
        case .arrayContainsAny: "array-contains-any"
        case .notIn: "not-in"
        }
    }
}

extension UnaryOperator {
    fileprivate var text: String {
        switch self {
        case .isNaN: "is NaN"
        case .isNull: "is null"
        case .isNotNaN: "is not NaN"
        case .isNotNull: "is not null"
        }
    }
}
