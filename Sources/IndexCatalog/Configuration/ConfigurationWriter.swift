// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import JSONText

/// Writes index configurations, or parts of them, in the form of `firestore.indexes.json`.
package enum ConfigurationWriter {
    /// The canonical form: entries in the order of the official tool (J-26, J-27), two spaces a level, a final line
    /// break, and `__name__` only where omitting it would mean another index to the backend or to the official tool
    /// (I-17). Equal configurations give equal text, whatever their order.
    package static func text(_ configuration: IndexConfiguration) -> String {
        node(configuration).text(.indented) + "\n"
    }

    /// The canonical form as a tree.
    package static func node(_ configuration: IndexConfiguration) -> JSONNode {
        .object([
            "indexes": .array(configuration.indexes.sorted(by: CanonicalOrder.precedes).map { node($0) }),
            "fieldOverrides": .array(configuration.fieldOverrides.sorted(by: CanonicalOrder.precedes).map { node($0) }),
        ])
    }

    package enum NameField: Sendable {
        /// With `__name__`, as production lists indexes.
        case always
        /// With `__name__` where it is not implied.
        case whereNeeded
        /// Without `__name__`, for a single-field index.
        case never
    }

    /// An entry of `indexes`.
    package static func node(_ definition: IndexDefinition, name: NameField = .whereNeeded) -> JSONNode {
        let withName =
            switch name {
            case .always: true
            case .whereNeeded: !definition.nameIsImplied
            case .never: false
            }
        let fields = withName ? definition.fieldsWithName : definition.fields
        return .object([
            "collectionGroup": .string(definition.collectionGroup.string),
            "queryScope": .string(definition.scope.wireName),
            "fields": .array(fields.map(node)),
        ])
    }

    static func node(_ field: IndexField) -> JSONNode {
        let path = JSONNode.string(field.path.wire)
        return switch field.mode {
        case .order(let direction): .object(["fieldPath": path, "order": .string(direction.wireName)])
        case .contains: .object(["fieldPath": path, "arrayConfig": .string("CONTAINS")])
        case .vector(let dimension):
            .object([
                "fieldPath": path,
                "vectorConfig": .object(["dimension": .integer(Int64(dimension)), "flat": .object([:])]),
            ])
        }
    }

    /// An entry of `fieldOverrides`, with `ttl` if it is set.
    package static func node(_ override: FieldOverride) -> JSONNode {
        var members: [JSONMember] = []
        func add(_ key: String, _ node: JSONNode) { members.append(JSONMember(key: key, node: node)) }
        add("collectionGroup", .string(override.collectionGroup.string))
        add("fieldPath", .string(override.path?.wire ?? "*"))
        if let timeToLive = override.timeToLive { add("ttl", .boolean(timeToLive)) }
        add("indexes", .array(override.indexes.sorted(by: CanonicalOrder.precedes).map { node($0) }))
        return JSONNode(.object(members))
    }

    /// An entry of an override's `indexes`.
    package static func node(_ index: SingleFieldIndex) -> JSONNode {
        let scope = JSONNode.string(index.scope.wireName)
        return switch index.mode.fieldMode {
        case .order(let direction): .object(["order": .string(direction.wireName), "queryScope": scope])
        default: .object(["arrayConfig": .string("CONTAINS"), "queryScope": scope])
        }
    }
}

// MARK: - Missing indexes

extension ConfigurationWriter {
    /// A missing composite index, for messages: an entry of `indexes` with `__name__`.
    package static func missingIndex(_ definition: IndexDefinition) -> JSONNode {
        node(definition, name: .always)
    }

    /// A missing single-field index, for messages: an entry of `indexes` with one field.
    package static func missingIndex(
        _ index: SingleFieldIndex, of path: FieldPath, in collectionGroup: Text
    ) -> JSONNode {
        node(index.definition(of: path, in: collectionGroup), name: .never)
    }

    /// The text to paste into a file for missing composite indexes: `{"indexes":[…]}`.
    package static func fix(_ definitions: [IndexDefinition]) -> JSONNode {
        .object(["indexes": .array(definitions.map { node($0) })])
    }

    /// The text to paste into a file for a missing single-field index: `{"fieldOverrides":[…]}` with one override that
    /// keeps the indexes in `kept`, by default the automatic ones, and adds the missing one (I-8).
    package static func fix(
        adding index: SingleFieldIndex, to path: FieldPath, in collectionGroup: Text,
        keeping kept: Set<SingleFieldIndex> = SingleFieldIndex.automatic
    ) -> JSONNode {
        .object(["fieldOverrides": .array([fieldOverride(adding: index, to: path, in: collectionGroup, keeping: kept)])]
        )
    }

    static func fieldOverride(
        adding index: SingleFieldIndex, to path: FieldPath, in collectionGroup: Text,
        keeping kept: Set<SingleFieldIndex>
    ) -> JSONNode {
        node(FieldOverride(collectionGroup: collectionGroup, path: path, indexes: kept.union([index])))
    }
}

extension IndexConfiguration {
    /// With its entries in the order of the official tool (J-26, J-27).
    package var inCanonicalOrder: IndexConfiguration {
        IndexConfiguration(
            indexes: indexes.sorted(by: CanonicalOrder.precedes),
            fieldOverrides: fieldOverrides.sorted(by: CanonicalOrder.precedes))
    }
}
