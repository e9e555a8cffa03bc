// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog

/// No index serves a query: FAILED_PRECONDITION, with the index that would (E-1, I-49 to I-53).
package struct MissingIndexError: Error, Hashable, Sendable {
    /// The perfect index of the first disjunct that is not served (I-50, I-53).
    package let definition: IndexDefinition
    /// The automatic index that is missing, where that is all (I-51): the exemption form.
    package let singleField: SingleFieldIndex?
    /// Whether indexes that are still being built would serve (E-5).
    package let isBuilding: Bool
    /// Whether the message advises on ranges over several fields (E-4).
    package let hasSeveralInequalityFields: Bool
    /// The fields of `definition` that are compared with ==: their order and direction are free (I-28).
    let equalities: [FieldPath]

    package static let status = "FAILED_PRECONDITION"
    /// What production answers where it was asked for the plan only (E-8).
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
    /// The existing composite index that comes nearest, with the one reason why it does not serve; nil where none shares a
    /// field with the missing one, and for a single-field matter.
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
