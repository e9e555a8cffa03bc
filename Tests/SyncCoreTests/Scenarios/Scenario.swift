// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import QueryPlanner
import SyncCore

/// One of the official clients' scenarios: steps, and what must come of each.
struct Scenario {
    let file: String
    let name: String
    let tags: Set<String>
    let config: JSONNode
    let steps: [JSONNode]

    /// How the replica is kept: on disk with collection by age, or in memory with the collection that the scenario names.
    enum Mode: String, CaseIterable {
        case durable, memory
    }

    func applies(in mode: Mode) -> Bool {
        isShared ? mode == .durable : !tags.contains(mode == .durable ? "eager-gc" : "durable-persistence")
    }

    func policy(in mode: Mode) -> CollectionPolicy {
        mode == .memory && config["useEagerGCForMemory"]?.boolean == true ? .eager : .leastRecentlyUsed
    }

    /// Whether several clients have the replica open.
    var isShared: Bool { config["numClients"]?.number?.int64 != 1 }

    /// Why the scenario says nothing about this client; nil if it applies.
    func reasonAgainst(in place: ReplicaPlace) -> String? {
        guard isShared else { return nil }
        if steps.contains(where: { $0["setIndexConfiguration"] != nil || $0["expectedState"]?["indexes"] != nil }) {
            return "indexes that a browser builds, over several clients"
        }
        if steps.contains(where: { $0["applyClientState"]?["primary"] != nil }) {
            return "a tab of a browser that takes the streams from one that lives"
        }
        if steps.contains(where: { $0["applyClientState"]?["visibility"]?.string == "hidden" }) {
            return "tabs of a browser that let those in the foreground go first"
        }
        if steps.contains(where: { $0["clearPersistence"] != nil }) {
            return "offline data that are deleted while another client uses them: that is refused"
        }
        if steps.contains(where: { $0["changeUser"] != nil }) {
            return "tabs of a browser with different users at the same time: a replica shows one user's writes"
        }
        return place == .memory ? "several clients, which a replica in memory has not" : Scenario.differences[name]
    }

    /// Scenarios that expect something else than what the clients of one file do, and what that is.
    private static let differences = [
        "Limbo documents are resolved after primary tab failover":
            "who takes over asks at once for documents in limbo",
        "New client becomes primary if no client has its network enabled":
            "who starts takes nothing from an owner that lives",
        "Query is listened to by primary (with recovery)": "a listen ends although that cannot be stored",
        "Query with active view recovers after primary tab failover (with recovery)":
            "who takes over has no need to store the targets of its views",
    ]

    /// All scenarios of the files in a folder, by name.
    static func all(in folder: URL) throws -> [Scenario] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        return try files.sorted { $0.path < $1.path }.flatMap { file in
            let root = try JSONParser.parse([UInt8](Data(contentsOf: file)))
            return (root.members ?? []).map { member in
                Scenario(
                    file: file.lastPathComponent, name: member.key,
                    tags: Set(member.node["tags"]?.elements?.compactMap(\.string) ?? []),
                    config: member.node["config"] ?? .object([:]), steps: member.node["steps"]?.elements ?? [])
            }
        }
    }
}

/// The forms that scenarios use.
enum ScenarioForm {
    static let database = DatabaseID(project: "test-project")

    struct Malformed: Error {
        let node: JSONNode
    }

    static func path(_ text: String) throws -> DocumentPath { try DocumentPath(parsing: text) }

    static func version(_ node: JSONNode?) -> Timestamp {
        node?.number?.int64.flatMap { Timestamp(microseconds: $0) } ?? .noVersion
    }

    static func strings(_ node: JSONNode?) -> [String] { node?.elements?.compactMap(\.string) ?? [] }
    static func integers(_ node: JSONNode?) -> [Int] {
        node?.elements?.compactMap { $0.number?.int64.map { Int($0) } } ?? []
    }

    static func document(_ node: JSONNode) throws -> SyncDocument {
        guard let key = node["key"]?.string else { throw Malformed(node: node) }
        let path = try path(key)
        let isLocal = node["options"]?["hasLocalMutations"]?.boolean ?? false
        let isCommitted = node["options"]?["hasCommittedMutations"]?.boolean ?? false
        let contents: SyncDocument.Contents =
            if let value = node["value"], !value.isNull {
                .found(try PlainJSON.readFields(value), createTime: version(node["createTime"]))
            } else {
                .missing
            }
        return SyncDocument(
            path, contents, version: version(node["version"]), hasLocalMutations: isLocal,
            hasCommittedMutations: isCommitted)
    }

    static func query(_ node: JSONNode) throws -> SyncQuery {
        guard let text = node.string ?? node["path"]?.string else { throw Malformed(node: node) }
        let resource = try ResourcePath(parsing: text)
        let group = node["collectionGroup"]?.string
        if group == nil, resource.count % 2 == 0, !resource.isEmpty {
            return SyncQuery(document: DocumentPath(resource))
        }
        let parent = group == nil ? ResourcePath(segments: resource.segments.dropLast()) : resource
        var query = Query(
            parent: parent.isEmpty ? nil : DocumentPath(parent),
            from: CollectionSelector(
                collectionID: group.map { Text($0) } ?? resource.segments.last, allDescendants: group != nil))
        query.limit = node["limit"]?.number?.int64.map { Int($0) }
        query.limitToLast = node["limitType"]?.string == "LimitToLast"
        query.orders = (node["orderBys"]?.elements ?? []).map { order in
            let parts = order.elements ?? []
            return Order(
                FieldPath(name: Text(parts[0].string ?? "")), parts[1].string == "desc" ? .descending : .ascending)
        }
        let filters = try (node["filters"]?.elements ?? []).map { try filter($0) }
        if !filters.isEmpty { query.filter = filters.count == 1 ? filters[0] : .and(filters) }
        return try SyncQuery(query, database: database)
    }

    private static func filter(_ node: JSONNode) throws -> Filter {
        let operators: [String: FieldOperator] = [
            "==": .equal, ">=": .greaterThanOrEqual, "<=": .lessThanOrEqual, "array-contains": .arrayContains,
        ]
        guard let parts = node.elements, parts.count == 3, let name = parts[0].string,
            let op = parts[1].string.flatMap({ operators[$0] })
        else { throw Malformed(node: node) }
        return .field(FieldPath(name: Text(name)), op, try PlainJSON.read(parts[2]))
    }

    static func error(_ node: JSONNode?) -> SyncError {
        let code = node?["code"]?.number?.int64.flatMap { StatusCode(rawValue: Int($0)) } ?? .unknown
        return SyncError(code, node?["message"]?.string ?? "")
    }
}
