// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Which fields a query returns.
enum NaiveProjection {
    /// - Parameter projection: nil for all fields. `__name__` in it adds no field.
    static func apply(_ projection: [FieldPath]?, to fields: Fields) -> Fields {
        guard let projection else { return fields }
        return select(projection.filter { !isDocumentName($0) }.map(\.segments), from: fields)
    }

    /// A map of which only inner fields are selected is rebuilt around those that exist.
    private static func select(_ paths: [[Text]], from fields: Fields) -> Fields {
        var kept: [Field] = []
        for field in fields.storage {
            let tails = paths.filter { NaiveOrder.compare($0[0], field.name) == 0 }.map { Array($0.dropFirst()) }
            if tails.contains(where: \.isEmpty) {
                kept.append(field)
            } else if !tails.isEmpty, case .map(let inner) = field.value {
                let rest = select(tails, from: inner)
                if !rest.isEmpty { kept.append(Field(field.name, .map(rest))) }
            }
        }
        return Fields(sorted: kept)
    }
}
