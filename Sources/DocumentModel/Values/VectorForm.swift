// SPDX-License-Identifier: Apache-2.0

/// The map that represents a vector on the wire (V-20): `{__type__: "__vector__", value: [double…]}`.
package enum VectorForm {
    package static let typeName: Text = "__type__"
    package static let typeValue: Text = "__vector__"
    package static let elementsName: Text = "value"

    package static func vector(_ fields: Fields) -> [Double]? {
        guard isMeant(fields), fields.count == 2, case .array(let elements)? = fields[elementsName] else { return nil }
        var vector: [Double] = []
        for element in elements {
            guard case .double(let number) = element else { return nil }
            vector.append(number)
        }
        return vector
    }

    /// Whether a map says that it is a vector.
    private static func isMeant(_ fields: Fields) -> Bool { fields[typeName] == .string(typeValue) }

    /// What keeps a map that says that it is a vector from being one, in the emulator's words; nil for other maps.
    static func fault(_ fields: Fields) -> String? {
        guard isMeant(fields), vector(fields) == nil else { return nil }
        guard let elements = fields[elementsName] else { return "Vector map is missing key 'value'." }
        guard case .array = elements else { return "Vector Value type must be an array." }
        return fields.count > 2
            ? "Vector Value map has extraneous entries." : "Vector must only contain values of type 'double'"
    }

    /// The map that stands for a vector.
    package static func fields(_ elements: [Double]) -> Fields {
        Fields(sorted: [Field(typeName, .string(typeValue)), Field(elementsName, .array(elements.map(Value.double)))])
    }
}
