// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Reads the resources `google_firestore_index` and `google_firestore_field` of a Terraform file. Other blocks are passed
/// over.
enum TerraformReader {
    /// The tree, and the resources that have a value that only Terraform knows. It has none of these.
    static func read(
        _ source: [UInt8]
    ) throws(JSONSyntaxError) -> (root: JSONNode, unreadable: [UnreadableResource]) {
        var parser = TerraformParser(source)
        var builder = ConfigurationTreeBuilder()
        let blocks = try parser.blocks()
        let scope = TerraformScope(blocks)
        var budget = TerraformBudget()
        var unreadable: [UnreadableResource] = []
        for block in blocks where block.type == "resource" && block.labels.count == 2 {
            let isIndex = block.labels[0] == "google_firestore_index"
            guard isIndex || block.labels[0] == "google_firestore_field" else { continue }
            try enterDatabase(of: block, &builder)
            do throws(JSONSyntaxError) {
                for node in try nodes(of: block, scope, isIndex: isIndex, &budget) {
                    if isIndex { builder.add(index: node) } else { builder.add(override: node) }
                }
            } catch {
                unreadable.append(
                    UnreadableResource(range: block.range, offset: error.offset, message: error.message))
            }
        }
        return (builder.tree(length: source.count), unreadable)
    }

    /// The entries for a block, each once: resources may differ in what is no part of an entry, such as the database.
    private static func nodes(
        of block: TerraformBlock, _ scope: TerraformScope, isIndex: Bool, _ budget: inout TerraformBudget
    ) throws(JSONSyntaxError) -> [JSONNode] {
        if let dynamic = block.firstDynamic {
            throw JSONSyntaxError(
                message: "only Terraform knows which blocks this makes: write them out",
                offset: dynamic.range.lowerBound)
        }
        var nodes: [JSONNode] = []
        var texts: Set<String> = []
        for resource in try scope.resources(block, &budget) {
            let node = try isIndex ? index(resource) : override(resource)
            if texts.insert(node.text()).inserted { nodes.append(node) }
        }
        return nodes
    }

    /// An expression may name any database, so it says nothing.
    private static func enterDatabase(
        of block: TerraformBlock, _ builder: inout ConfigurationTreeBuilder
    ) throws(JSONSyntaxError) {
        let value = block.attribute("database")
        if let value, value.node == nil { return }
        try builder.enter(database: value?.node?.string, at: value?.offset ?? block.range.lowerBound)
    }

    private static func index(_ block: TerraformBlock) throws(JSONSyntaxError) -> JSONNode {
        var members = try strings(
            [
                "collection": "collectionGroup", "query_scope": "queryScope", "api_scope": "apiScope",
                "density": "density",
            ],
            of: block)
        if block.attribute("query_scope") == nil { members.append(collectionScope(block)) }
        for key in ["multikey", "unique"] {
            guard let value = block.attribute(key) else { continue }
            members.append(JSONMember(key: key, keyOffset: value.offset, node: try value.literal(key)))
        }
        var fields: [JSONNode] = []
        for field in block.blocks where field.type == "fields" { fields.append(try self.field(field)) }
        members.append(
            JSONMember(
                key: "fields", keyOffset: block.range.lowerBound, node: JSONNode(.array(fields), range: block.range)))
        return JSONNode(.object(members), range: block.range)
    }

    private static func field(_ block: TerraformBlock) throws(JSONSyntaxError) -> JSONNode {
        var members = try strings(
            ["field_path": "fieldPath", "order": "order", "array_config": "arrayConfig"], of: block)
        if let vector = block.blocks.first(where: { $0.type == "vector_config" }) {
            let dimension = try vector.attribute("dimension")?.literal("dimension")
            var config = dimension.map { [JSONMember(key: "dimension", keyOffset: $0.offset, node: $0)] } ?? []
            if let flat = vector.blocks.first(where: { $0.type == "flat" }) {
                config.append(
                    JSONMember(
                        key: "flat", keyOffset: flat.range.lowerBound, node: JSONNode(.object([]), range: flat.range)))
            }
            members.append(
                JSONMember(
                    key: "vectorConfig", keyOffset: vector.range.lowerBound,
                    node: JSONNode(.object(config), range: vector.range)))
        }
        return JSONNode(.object(members), range: block.range)
    }

    /// No `index_config` leaves the automatic indexes, an empty one switches all off.
    private static func override(_ block: TerraformBlock) throws(JSONSyntaxError) -> JSONNode {
        var members = try strings(["collection": "collectionGroup", "field": "fieldPath"], of: block)
        if let timeToLive = block.blocks.first(where: { $0.type == "ttl_config" }) {
            members.append(
                JSONMember(
                    key: "ttl", keyOffset: timeToLive.range.lowerBound,
                    node: JSONNode(.boolean(true), range: timeToLive.range)))
        }
        var indexes = ConfigurationTreeBuilder.automaticIndexes(block.range)
        if let config = block.blocks.first(where: { $0.type == "index_config" }) {
            var entries: [JSONNode] = []
            for entry in config.blocks where entry.type == "indexes" {
                var members = try strings(
                    ["order": "order", "array_config": "arrayConfig", "query_scope": "queryScope"], of: entry)
                if entry.attribute("query_scope") == nil { members.append(collectionScope(entry)) }
                entries.append(JSONNode(.object(members), range: entry.range))
            }
            indexes = JSONNode(.array(entries), range: config.range)
        }
        members.append(JSONMember(key: "indexes", keyOffset: block.range.lowerBound, node: indexes))
        return JSONNode(.object(members), range: block.range)
    }

    private static func collectionScope(_ block: TerraformBlock) -> JSONMember {
        JSONMember(
            key: "queryScope", keyOffset: block.range.lowerBound,
            node: JSONNode(.string("COLLECTION"), range: block.range))
    }

    private static func strings(
        _ names: KeyValuePairs<String, String>, of block: TerraformBlock
    ) throws(JSONSyntaxError) -> [JSONMember] {
        var members: [JSONMember] = []
        for (name, key) in names {
            guard let value = block.attribute(name) else { continue }
            members.append(JSONMember(key: key, keyOffset: value.offset, node: try value.literal(name)))
        }
        return members
    }
}

extension TerraformBlock {
    /// The first `dynamic` block in it, at any depth, that makes a part of an index.
    fileprivate var firstDynamic: TerraformBlock? {
        for block in blocks {
            if block.type == "dynamic", block.labels != ["timeouts"] { return block }
            if let inner = block.firstDynamic { return inner }
        }
        return nil
    }
}
