// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// The rule for the direction of a `__name__` that a definition omits (I-17).
///
/// Both rules use the direction of the last field if it has one. They differ if it has none, as in (a DESC, b
/// CONTAINS).
package enum NameDirectionRule: Sendable {
    /// Ascending after a field without direction, as the backend documents. Applies when indexes are created.
    case backend
    /// The direction of the last field that has one, as when the official tool compares a file with a database (J-23).
    case officialTool
}

extension IndexDefinition {
    /// The normal form of fields as listed in a file, where `__name__` may be omitted, last, or before a final vector
    /// field (I-17 to I-19, J-23).
    ///
    /// Nil if `__name__` is elsewhere or has no direction, or if there are no fields.
    package init?(
        collectionGroup: Text, scope: QueryScope, listedFields: [IndexField],
        appendingNameBy rule: NameDirectionRule = .backend
    ) {
        var fields = listedFields
        let namePosition = fields.last?.mode.isVector == true ? fields.count - 2 : fields.count - 1
        var given: Direction?
        if namePosition >= 0, fields[namePosition].path.isDocumentName {
            guard case .order(let direction) = fields.remove(at: namePosition).mode else { return nil }
            given = direction
        }
        guard !fields.contains(where: \.path.isDocumentName), given != nil || !fields.isEmpty else { return nil }
        self.init(
            collectionGroup: collectionGroup, scope: scope, fields: fields,
            nameDirection: given ?? IndexDefinition.defaultNameDirection(after: fields, by: rule))
    }

    /// The direction of `__name__` after these fields if it is not stated.
    package static func defaultNameDirection(
        after fields: [IndexField], by rule: NameDirectionRule = .backend
    ) -> Direction {
        let considered = rule == .backend ? fields.suffix(1) : fields[...]
        return considered.compactMap(\.mode.direction).last ?? .ascending
    }

    /// The fields with `__name__` in its place: last, or before a vector field (I-18).
    package var fieldsWithName: [IndexField] {
        var all = fields
        let name = IndexField(.documentName, .order(nameDirection))
        all.insert(name, at: fields.last?.mode.isVector == true ? fields.count - 1 : fields.count)
        return all
    }

    /// Whether omitting `__name__` gives the same index under both rules.
    var nameIsImplied: Bool {
        !fields.isEmpty
            && [NameDirectionRule.backend, .officialTool].allSatisfy {
                IndexDefinition.defaultNameDirection(after: fields, by: $0) == nameDirection
            }
    }
}

extension IndexFieldMode {
    /// Nil for a mode without direction.
    package var direction: Direction? {
        if case .order(let direction) = self { direction } else { nil }
    }

    package var isVector: Bool {
        if case .vector = self { true } else { false }
    }
}
