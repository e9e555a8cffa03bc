// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Indexes and fields as production's admin interface lists them: an array of `projects/…/indexes/…` and
/// `projects/…/fields/…`.
package enum IndexListing {
    /// Whether an array lists indexes and fields, and nothing else.
    static func isOne(_ root: JSONNode) -> Bool {
        guard let elements = root.elements, !elements.isEmpty else { return false }
        return elements.allSatisfy { element in
            element["name"]?.string?.split(separator: "/").contains("collectionGroups") == true
        }
    }

    /// Whether it is the listing of a database without composites.
    package static func isEmpty(_ source: [UInt8]) -> Bool {
        (try? JSONParser.parse(source, .withComments))?.elements?.isEmpty ?? false
    }

    /// The listing as the tree of an index file.
    static func tree(_ root: JSONNode) -> JSONNode {
        var builder = ConfigurationTreeBuilder()
        for entry in root.elements ?? [] {
            // The name of a field may have slashes: a/b is collectionGroups/c/fields/`a/b`.
            let parts = (entry["name"]?.string ?? "").split(separator: "/", omittingEmptySubsequences: false)
            guard let place = parts.firstIndex(of: "collectionGroups"), place + 1 < parts.count else { continue }
            let group = JSONNode(.string(String(parts[place + 1])), range: entry.range)
            if let config = entry["indexConfig"] {
                builder.add(override: override(entry, config, group, parts.dropFirst(place + 3)))
            } else {
                let kept = (entry.members ?? []).filter {
                    (["queryScope", "fields"] + IndexOptions.keys).contains($0.key)
                }
                builder.add(
                    index: JSONNode(
                        .object([JSONMember(key: "collectionGroup", node: group)] + kept), range: entry.range))
            }
        }
        return builder.tree(length: root.range.upperBound)
    }

    private static func override(
        _ entry: JSONNode, _ config: JSONNode, _ group: JSONNode, _ field: ArraySlice<Substring>
    ) -> JSONNode {
        let indexes = (config["indexes"]?.elements ?? []).map { index in
            let modes = index["fields"]?.elements?.first?.members ?? []
            let members = modes.filter { ["order", "arrayConfig"].contains($0.key) }
            let scope = index["queryScope"].map { [JSONMember(key: "queryScope", node: $0)] } ?? []
            return JSONNode(.object(members + scope), range: index.range)
        }
        // "__default__/fields/*" is the default of the whole database.
        let path = JSONNode(.string(field.isEmpty ? "*" : field.joined(separator: "/")), range: entry.range)
        let timeToLive = entry["ttlConfig"].map {
            [JSONMember(key: "ttl", node: JSONNode(.boolean(true), range: $0.range))]
        }
        return JSONNode(
            .object(
                [JSONMember(key: "collectionGroup", node: group), JSONMember(key: "fieldPath", node: path)]
                    + (timeToLive ?? [])
                    + [JSONMember(key: "indexes", node: JSONNode(.array(indexes), range: config.range))]),
            range: entry.range)
    }

    /// Whether a listing tells about single fields too, and not about composites alone.
    package static func listsFields(_ source: [UInt8]) -> Bool {
        let root = try? JSONParser.parse(source, .withComments)
        return root?.elements?.contains { $0["indexConfig"] != nil } ?? false
    }

    /// The indexes that are not ready, as the listing names them, with their states.
    package static func unready(_ source: [UInt8]) -> [(name: String, state: String)] {
        let root = try? JSONParser.parse(source, .withComments)
        return (root?.elements ?? []).compactMap { entry in
            guard let state = entry["state"]?.string, state != "READY" else { return nil }
            return (entry["name"]?.string ?? "an index", state)
        }
    }
}
