// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Who decides the direction of a `__name__` that a definition leaves out (I-17).
///
/// Both take the direction of the last field if it is ordered. They differ where it is not, as in (a DESC, b CONTAINS).
package enum NameDirectionRule: Sendable {
    /// Ascending after a field without order, as the backend documents it: what holds when indexes are created.
    case backend
    /// The direction of the last field that has one, as the official tool compares files with a database (J-23).
    case officialTool
}

extension IndexDefinition {
    /// The normal form of fields as a file lists them: `__name__` may be left out, stand last, or stand before a last
    /// vector field (I-17 to I-19, J-23).
    ///
    /// Nil where `__name__` stands elsewhere or is not ordered, or there is no field at all.
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

    /// The direction of `__name__` after these fields where nothing states it.
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

    /// Whether leaving `__name__` out gives the same index, whoever reads it.
    var nameIsImplied: Bool {
        !fields.isEmpty
            && [NameDirectionRule.backend, .officialTool].allSatisfy {
                IndexDefinition.defaultNameDirection(after: fields, by: $0) == nameDirection
            }
    }
}

extension IndexFieldMode {
    /// Nil for a mode without order.
    package var direction: Direction? {
        if case .order(let direction) = self { direction } else { nil }
    }

    var isVector: Bool {
        if case .vector = self { true } else { false }
    }
}
