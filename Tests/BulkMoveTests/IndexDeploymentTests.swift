// SPDX-License-Identifier: Apache-2.0

import BulkMove
import DocumentModel
import IndexCatalog
import JSONText
import SyncCore
import Synchronization
import Testing

/// An Admin API in memory: its answers have the form of the real one's, as its discovery document and firebase-tools
/// describe them.
private final class FakeAdmin: AdminServer {
    private struct State {
        var indexes: [(path: String, body: JSONNode, age: Int)] = []
        var fields: [String: JSONNode] = [:]
        var operations: [String: Int] = [:]
        var log: [String] = []
        var requests = 0
    }

    private let state = Mutex(State())
    private let fault: @Sendable (Int) -> SyncError?

    init(_ fault: @escaping @Sendable (Int) -> SyncError? = { _ in nil }) {
        self.fault = fault
    }

    /// What was changed, in order.
    var changes: [String] { state.withLock { $0.log } }

    func send(_ request: AdminRequest) async throws(SyncError) -> JSONNode {
        let (answer, error): (JSONNode?, SyncError?) = state.withLock { state in
            state.requests += 1
            if let error = fault(state.requests) { return (nil, error) }
            return self.answer(request, &state)
        }
        if let error { throw error }
        return answer ?? .object([:])
    }

    private func answer(_ request: AdminRequest, _ state: inout State) -> (JSONNode?, SyncError?) {
        let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
        switch (request.method, parts[0]) {
        case (.get, let path) where path.hasSuffix("collectionGroups/-/indexes"):
            for index in state.indexes.indices { state.indexes[index].age += 1 }
            return (
                .object([
                    "indexes": .array(
                        state.indexes.enumerated().map { number, index in
                            let extra = [
                                JSONMember(key: "name", node: .string("\(index.path)/\(number)")),
                                JSONMember(key: "state", node: .string(index.age > 3 ? "READY" : "CREATING")),
                            ]
                            return JSONNode(.object(extra + (index.body.members ?? [])))
                        })
                ]), nil
            )
        case (.get, let path) where path.hasSuffix("collectionGroups/-/fields"):
            return (.object(["fields": .array(state.fields.sorted { $0.key < $1.key }.map(\.value))]), nil)
        case (.get, let path):
            state.operations[path, default: 0] += 1
            return (
                .object(["name": .string(path), "done": .boolean(state.operations[path]! > 2)]), nil
            )
        case (.post, let path):
            guard !state.indexes.contains(where: { $0.path == path && $0.body.text() == request.body?.text() }) else {
                return (nil, SyncError(.alreadyExists, "index already exists"))
            }
            state.log.append("create \(path)")
            state.indexes.append((path, request.body ?? .object([:]), 0))
            return (.object(["name": .string("\(path)/operation")]), nil)
        case (.patch, let path):
            state.log.append("\(parts[1]) \(path) \(request.body?.text() ?? "")")
            var members = (state.fields[path]?.members ?? [JSONMember(key: "name", node: .string(path))])
            let mask = String(parts[1].dropFirst("updateMask=".count))
            members.removeAll { $0.key == mask }
            if let value = request.body?[mask] { members.append(JSONMember(key: mask, node: value)) }
            if !members.contains(where: { $0.key == "indexConfig" }) {
                members.append(JSONMember(key: "indexConfig", node: .object(["indexes": .array([])])))
            }
            state.fields[path] = JSONNode(.object(members))
            return (.object(["name": .string("operations/\(state.log.count)")]), nil)
        }
    }
}

@Suite struct IndexDeploymentTests {
    private let database = DatabaseID(project: "shop")

    private func composite(_ group: Text, _ first: Text) -> IndexDefinition {
        IndexDefinition(
            collectionGroup: group, scope: .collection,
            fields: [
                IndexField(FieldPath(name: first), .order(.ascending)),
                IndexField(FieldPath(name: "b"), .order(.descending)),
            ], nameDirection: .descending)
    }

    private var wanted: IndexConfiguration {
        IndexConfiguration(
            indexes: [composite("c", "a"), composite("d", "x y")],
            fieldOverrides: [
                FieldOverride(
                    collectionGroup: "c", path: FieldPath(name: "at"),
                    indexes: [SingleFieldIndex(.ascending, .collectionGroup)], timeToLive: true),
                FieldOverride(collectionGroup: "c", path: FieldPath(name: "body"), indexes: [], timeToLive: false),
            ])
    }

    private func deploy(_ admin: FakeAdmin, _ wanted: IndexConfiguration) async throws -> IndexDifference {
        try await IndexDeployment(admin, database, clock: VirtualClock()) { 0.5 }.run(wanted) { _ in }
    }

    @Test func theDifferenceOnly() async throws {
        let admin = FakeAdmin()
        let first = try await deploy(admin, wanted)
        #expect(first.composites.count == 2 && first.fields.count == 3)
        #expect(
            admin.changes == [
                "create projects/shop/databases/(default)/collectionGroups/c/indexes",
                "create projects/shop/databases/(default)/collectionGroups/d/indexes",
                #"updateMask=indexConfig projects/shop/databases/(default)/collectionGroups/c/fields/at {"indexConfig":{"indexes":[{"queryScope":"COLLECTION_GROUP","fields":[{"fieldPath":"at","order":"ASCENDING"}]}]}}"#,
                #"updateMask=indexConfig projects/shop/databases/(default)/collectionGroups/c/fields/body {"indexConfig":{"indexes":[]}}"#,
                #"updateMask=ttlConfig projects/shop/databases/(default)/collectionGroups/c/fields/at {"ttlConfig":{}}"#,
            ])
        // Once more, there is nothing to do.
        #expect(try await deploy(admin, wanted).isEmpty)
        #expect(admin.changes.count == 5)
        // A pull brings the same.
        let present = try await IndexDeployment(admin, database, clock: VirtualClock()) { 0.5 }.present()
        #expect(present.indexes == wanted.indexes)
        #expect(present.fieldOverrides.map(\.indexes) == wanted.fieldOverrides.map(\.indexes))
        #expect(present.fieldOverrides.map { $0.timeToLive == true } == [true, false])
        // The end of an expiry comes before the change of the field's indexes.
        var changed = wanted
        changed.fieldOverrides[0] = FieldOverride(
            collectionGroup: "c", path: FieldPath(name: "at"), indexes: [], timeToLive: false)
        _ = try await deploy(admin, changed)
        #expect(
            admin.changes.dropFirst(5).map { $0.prefix(22) } == ["updateMask=ttlConfig p", "updateMask=indexConfig"])
    }

    /// Answers are lost, and the server is exhausted now and then.
    @Test func faults() async throws {
        let admin = FakeAdmin { request in
            switch request % 4 {
            case 1: SyncError(.unavailable, "away")
            case 2: SyncError(.resourceExhausted, "quota")
            default: nil
            }
        }
        _ = try await deploy(admin, wanted)
        #expect(admin.changes.count == 5)
        let refusing = FakeAdmin { _ in SyncError(.permissionDenied, "no") }
        await #expect(throws: SyncError(.permissionDenied, "no")) { try await deploy(refusing, wanted) }
    }
}
