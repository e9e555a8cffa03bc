// SPDX-License-Identifier: Apache-2.0

extension DocumentLimits {
    static let nestedArrays = DocumentFormError("Nested arrays are not allowed")

    /// Refuses an array in an array in what a write brings, whatever its mask takes of that. What is nested too deeply for a document is
    /// not looked at.
    package static func refuseNestedArrays(_ fields: Fields) throws(DocumentFormError) {
        for field in fields.storage { try refuseNestedArrays(field.value, depth: 0) }
    }

    private static func refuseNestedArrays(_ value: Value, depth: Int) throws(DocumentFormError) {
        guard depth < maximumDepth else { return }
        switch value {
        case .map(let fields):
            for field in fields.storage { try refuseNestedArrays(field.value, depth: depth + 1) }
        case .array(let elements):
            for element in elements {
                if case .array = element { throw nestedArrays }
                try refuseNestedArrays(element, depth: depth + 1)
            }
        default: break
        }
    }
}
