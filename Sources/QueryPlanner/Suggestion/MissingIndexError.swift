// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog

/// No index serves a query: FAILED_PRECONDITION, with the index that is missing (E-1, I-49 to I-53).
package struct MissingIndexError: Error, Hashable, Sendable {
    /// The perfect index of the first disjunct that is not served (I-50, I-53).
    package let definition: IndexDefinition
    /// The missing automatic index, if it is enough (I-51).
    package let singleField: SingleFieldIndex?
    /// Whether indexes that are being built would serve (E-5).
    package let isBuilding: Bool
    /// Whether the message gives advice about ranges on several fields (E-4).
    package let hasSeveralInequalityFields: Bool
    /// The fields of `definition` that are compared with ==. Their order and direction are free (I-28).
    let equalities: [FieldPath]

    package static let status = "FAILED_PRECONDITION"
    /// Production's message if only the plan was requested (E-8).
    package static let planOnlyMessage = "no matching index found."

    package var isVector: Bool {
        if case .vector? = definition.fields.last?.mode { true } else { false }
    }

    init(_ requirement: IndexRequirement, query: Query, selector: IndexSelector) {
        let wanted = IndexSuggestion.definition(
            for: requirement, collectionGroup: selector.collectionGroup!, selector.scope)
        var patient = selector
        patient.includesBuilding = true
        isBuilding = patient.selection(for: requirement) != nil
        definition = isBuilding ? selector.buildingIndex(closestTo: wanted) : wanted
        singleField = isBuilding ? nil : IndexSuggestion.singleFieldIndex(definition)
        hasSeveralInequalityFields = IndexSuggestion.hasSeveralInequalityFields(query)
        equalities = requirement.equalities
    }
}

extension MissingIndexError {
    /// The closest existing composite, with the reason why it does not serve. Nil if none shares a field with the
    /// missing index, or if a single-field index is missing.
    package func closestIndex(in catalog: IndexCatalog) -> NearMiss? {
        guard singleField == nil else { return nil }
        var best: (rank: Int, miss: NearMiss)?
        for composite in catalog.composites(of: definition.collectionGroup) {
            let comparison = IndexComparison(composite, wanted: definition, equalities: equalities)
            guard comparison.rank > best?.rank ?? 0 else { continue }
            best = (comparison.rank, NearMiss(index: composite.definition, reason: comparison.reason))
        }
        return best?.miss
    }
}

extension MissingIndexError {
    /// The index configuration that fixes the error: a composite, or an override of one field. An override replaces
    /// all modes of the field, so it includes those in force (I-8).
    package func fix(for catalog: IndexCatalog) -> IndexConfiguration {
        guard let singleField, let path = definition.fields.first?.path else {
            return IndexConfiguration(indexes: [definition])
        }
        let group = definition.collectionGroup
        let known = catalog.fieldOverrides.last { $0.collectionGroup == group && $0.path == path }
        let indexes = catalog.singleFieldIndexes(of: path, in: group).union([singleField])
        return IndexConfiguration(fieldOverrides: [
            FieldOverride(collectionGroup: group, path: path, indexes: indexes, timeToLive: known?.timeToLive)
        ])
    }
}
