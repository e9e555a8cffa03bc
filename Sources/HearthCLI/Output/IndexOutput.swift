// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

extension MissingIndexError {
    /// The missing index as an entry of `indexes` with its `__name__`; for a single-field index, one field alone.
    var indexNode: JSONNode {
        guard let singleField, let field = definition.fields.first else {
            return ConfigurationWriter.missingIndex(definition)
        }
        return ConfigurationWriter.missingIndex(singleField, of: field.path, in: definition.collectionGroup)
    }

    /// Writes the index that nearly serves, and why it does not, as the member `closest`; nothing if there is none.
    func writeClosest(in catalog: IndexCatalog, to writer: inout JSONWriter) {
        guard let closest = closestIndex(in: catalog) else { return }
        writer.key("closest")
        writer.beginObject()
        writer.key("index")
        writer.node(ConfigurationWriter.missingIndex(closest.index))
        writer.key("reason")
        writer.string(closest.reason)
        writer.endObject()
    }

    /// What a finding says of the index that nearly serves, after a space; empty if there is none.
    func noteOnClosest(in catalog: IndexCatalog) -> String {
        guard let closest = closestIndex(in: catalog) else { return "" }
        return " The closest index does not serve it: \(properties(closest.index)). \(closest.reason)"
    }

    /// The text to paste into a file whose other overrides are those of `catalog`.
    func fixNode(_ catalog: IndexCatalog) -> JSONNode {
        let fix = fix(for: catalog)
        guard !fix.fieldOverrides.isEmpty else { return ConfigurationWriter.fix(fix.indexes) }
        return .object(["fieldOverrides": .array(fix.fieldOverrides.map { ConfigurationWriter.node($0) })])
    }
}

/// An index as text: `cities COLLECTION (state ASC, population DESC, __name__ DESC)`.
func properties(_ definition: IndexDefinition) -> String {
    "\(definition.collectionGroup) \(definition.scope.wireName) \(definition.properties)"
}

/// A field override as one line: `cities tags: COLLECTION contains, ttl true`.
func properties(_ override: FieldOverride) -> String {
    let modes = override.indexes.map { "\($0.scope.wireName) \($0.mode)" }.sorted().joined(separator: ", ")
    let timeToLive = override.timeToLive.map { ", ttl \($0)" } ?? ""
    return "\(override.collectionGroup) \(override.path?.wire ?? "*"): \(modes.isEmpty ? "none" : modes)\(timeToLive)"
}
