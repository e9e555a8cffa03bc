// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

/// Writes the text of an index file anew, in canonical form.
///
/// What the reader leaves out because of an error stays as it is, behind the sorted entries; so do entries with keys that nobody
/// knows, and overrides of one field that differ. For another file for the Standard edition, the result is
/// ``ConfigurationWriter``'s, but that a direction of `__name__` that is left open stays so (I-17); keys besides the two lists are
/// kept. For the other editions, entries keep their options, and `__name__` where it is written.
package enum ConfigurationFormatter {
    /// - Parameter except: the IDs of the rules whose findings are no errors.
    /// - Throws: the reason why the source is not JSON with comments.
    package static func node(
        _ source: [UInt8], for edition: Edition, except: Set<String> = []
    ) throws(JSONSyntaxError) -> JSONNode {
        var commas: [Int] = []
        let root = try ConfigurationForm.tree(source, notingTrailingCommas: &commas)
        let tree = ConfigurationTree(root, lines: LineMap(source), edition: edition)
        let findings = ConfigurationReader.violations(in: tree, except: except)
        let errors = ErrorPlaces(findings) { $0.rule.severity == .error || $0.rule.id == LintRule.unknownKey.id }
        let others = (tree.root.members ?? []).filter { !["indexes", "fieldOverrides"].contains($0.key) }
        return JSONNode(
            .object(
                others.filter { $0.key == "$schema" } + [
                    JSONMember(key: "indexes", node: .array(indexes(tree, errors))),
                    JSONMember(key: "fieldOverrides", node: .array(overrides(tree, errors))),
                ] + others.filter { $0.key != "$schema" }))
    }

    private static func indexes(_ tree: ConfigurationTree, _ errors: ErrorPlaces) -> [JSONNode] {
        var valid: [(definition: IndexDefinition, node: JSONNode)] = []
        var seen: Set<DeployedIndex> = []
        var rest: [JSONNode] = []
        for element in tree.root["indexes"]?.elements ?? [] {
            let entry = element.members == nil ? nil : IndexEntry(element)
            guard let entry, errors.spare(element), let definition = entry.officialToolDefinition,
                let index = DeployedIndex(entry, tree.edition)
            else {
                rest.append(element)
                continue
            }
            guard seen.insert(index).inserted else { continue }
            // A direction of `__name__` that is left open stays so: the two would make different indexes of it (I-17).
            let isOpen = definition != entry.definition
            let written = ConfigurationWriter.node(definition, name: isOpen ? .never : .whereNeeded)
            valid.append((definition, tree.edition == .standard ? written : node(entry)))
        }
        valid.sort { CanonicalOrder.precedes($0.definition, $1.definition) }
        return valid.map(\.node) + rest
    }

    /// An entry with its options behind its fields, as the official tool lists them.
    private static func node(_ entry: IndexEntry) -> JSONNode {
        let scope = entry.scope ?? .collection
        var members = [
            JSONMember(key: "collectionGroup", node: .string(entry.collectionGroup?.string ?? "")),
            JSONMember(key: "queryScope", node: .string(scope.wireName)),
            JSONMember(
                key: "fields",
                node: .array(entry.fields.map { field in field.field.map(ConfigurationWriter.node) ?? field.node })),
        ]
        for key in IndexOptions.keys {
            if let value = entry.node[key], !value.isNull { members.append(JSONMember(key: key, node: value)) }
        }
        return JSONNode(.object(members))
    }

    private static func overrides(_ tree: ConfigurationTree, _ errors: ErrorPlaces) -> [JSONNode] {
        var valid: [(override: FieldOverride, node: JSONNode)] = []
        var rest: [JSONNode] = []
        for element in tree.root["fieldOverrides"]?.elements ?? [] {
            let entry = element.members == nil ? nil : OverrideEntry(element)
            if let override = entry?.fieldOverride, errors.spare(element),
                tree.edition == .standard || entry?.hasOptions == false
            {
                valid.append((override, element))
            } else {
                rest.append(element)
            }
        }
        // Different overrides of a field stay: a deployment sends all of them (J-31), in an order of its own (J-27).
        let distinct = Dictionary(grouping: Set(valid.map(\.override)), by: OverrideTarget.init)
        let repeated = valid.filter { distinct[OverrideTarget($0.override)]?.count != 1 }
        var seen: Set<FieldOverride> = []
        let single = valid.map(\.override).filter {
            distinct[OverrideTarget($0)]?.count == 1 && seen.insert($0).inserted
        }
        return single.sorted(by: CanonicalOrder.precedes).map { ConfigurationWriter.node($0) } + repeated.map(\.node)
            + rest
    }
}

extension OverrideEntry {
    /// Whether one of its indexes says more than its mode and scope.
    fileprivate var hasOptions: Bool {
        indexes.contains { index in
            IndexOptions.keys.contains { index.node.present($0) != nil }
        }
    }
}
