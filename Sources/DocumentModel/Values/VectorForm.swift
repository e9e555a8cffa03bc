// SPDX-License-Identifier: Apache-2.0

/// The map that represents a vector on the wire (V-20): `{__type__: "__vector__", value: [double…]}`.
package enum VectorForm {
    package static let typeName: Text = "__type__"
    package static let typeValue: Text = "__vector__"
    package static let elementsName: Text = "value"

    package static func vector(_ fields: Fields) -> [Double]? {
        guard fields.count == 2, fields[typeName] == .string(typeValue),
            case .array(let elements)? = fields[elementsName]
        else { return nil }
        var vector: [Double] = []
        for element in elements {
            switch element {
            case .double(let number): vector.append(number)
            case .integer(let number): vector.append(Double(number))
            default: return nil
            }
        }
        return vector
    }

    /// The map that stands for a vector.
    package static func fields(_ elements: [Double]) -> Fields {
        Fields(sorted: [Field(typeName, .string(typeValue)), Field(elementsName, .array(elements.map(Value.double)))])
    }
}
