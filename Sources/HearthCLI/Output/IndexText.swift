// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

/// An index as text: `cities COLLECTION (state ASC, population DESC, __name__ DESC)`.
func properties(_ definition: IndexDefinition) -> String {
    "\(definition.collectionGroup) \(definition.scope.wireName) \(definition.properties)"
}
