// SPDX-License-Identifier: Apache-2.0

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
    /// The existing index that comes nearest, with the one reason why it does not serve.
    package let closest: NearMiss?

    package static let status = "FAILED_PRECONDITION"
    /// What production answers where it was asked for the plan only (E-8).
    package static let planOnlyMessage = "no matching index found."

    package var isVector: Bool {
        if case .vector? = definition.fields.last?.mode { true } else { false }
    }

    init(_ demand: Demand, query: NormalizedQuery, selector: IndexSelector) {
        let wanted = IndexSuggestion.definition(for: demand, collectionGroup: selector.collectionGroup!, selector.scope)
        var patient = selector
        patient.includesBuilding = true
        isBuilding = patient.selection(for: demand) != nil
        definition = isBuilding ? selector.buildingIndex(closestTo: wanted) : wanted
        singleField = isBuilding ? nil : IndexSuggestion.singleFieldIndex(definition)
        hasSeveralInequalityFields = IndexSuggestion.hasSeveralInequalityFields(query.query)
        closest = isBuilding ? nil : NearMiss(of: wanted, demand: demand, selector: selector)
    }
}
