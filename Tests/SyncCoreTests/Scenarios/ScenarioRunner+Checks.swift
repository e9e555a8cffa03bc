// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import SyncCore

/// What the program was told during one step.
struct Observed {
    var snapshots: [ViewSnapshot] = []
    var failures: [(query: SyncQuery, code: StatusCode)] = []
    var acknowledged: [String] = []
    var rejected: [String] = []
    var snapshotsInSync = 0
    var finishedWaits = 0
    var bundleFailure: SyncError?
}

/// What holds after each step until a step says otherwise.
struct ExpectedState {
    var activeTargets: [Int: JSONNode] = [:]
    var activeLimbo: Set<String> = []
    var enqueuedLimbo: Set<String> = []

    mutating func update(_ node: JSONNode) {
        if let targets = node["activeTargets"]?.members {
            activeTargets = [:]
            for target in targets { activeTargets[Int(target.key) ?? -1] = target.node }
        }
        if let limbo = node["activeLimboDocs"] { activeLimbo = Set(ScenarioForm.strings(limbo)) }
        if let limbo = node["enqueuedLimboDocs"] { enqueuedLimbo = Set(ScenarioForm.strings(limbo)) }
    }
}

extension ScenarioRunner {
    /// What differs after a step.
    func check(_ step: JSONNode) throws -> [String] {
        var differences: [String] = []
        func compare<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value) {
            if found != wanted { differences.append("\(what): \(found), expected \(wanted)") }
        }
        let wantedEvents = try (step["expectedSnapshotEvents"]?.elements ?? []).map { try event($0) }.sorted()
        let events = (observed.snapshots.map(event) + observed.failures.map { "\($0.query.canonicalID) \($0.code)" })
            .sorted()
        compare("events", events, wantedEvents)
        let state = step["expectedState"] ?? .object([:])
        expected.update(state)
        if let count = state["numOutstandingWrites"]?.number?.int64 {
            compare("outstanding writes", machine.outstandingWriteCount, Int(count))
        }
        if let count = state["writeStreamRequestCount"]?.number?.int64 {
            compare("requests on the write stream", network.writeRequests, Int(count))
        }
        if let count = state["watchStreamRequestCount"]?.number?.int64 {
            compare("requests on the listen stream", network.watchRequests, Int(count))
        }
        let callbacks = state["userCallbacks"]
        compare("acknowledged", observed.acknowledged, ScenarioForm.strings(callbacks?["acknowledgedDocs"]))
        compare("rejected", observed.rejected, ScenarioForm.strings(callbacks?["rejectedDocs"]))
        compare("in-sync events", observed.snapshotsInSync, count(step["expectedSnapshotsInSyncEvents"]))
        compare("finished waits", observed.finishedWaits, count(step["expectedWaitForPendingWritesEvents"]))
        compare("bundle failure", observed.bundleFailure, nil)
        if let isPrimary = state["isPrimary"]?.boolean { compare("primary", isOwner, isPrimary) }
        guard isOwner else { return differences }
        // Guests only note documents in limbo, for when they become the owner.
        compare("active limbo", Set(machine.activeLimboDocuments.map { "\($0)" }), expected.activeLimbo)
        compare("enqueued limbo", Set(machine.enqueuedLimboDocuments.map { "\($0)" }), expected.enqueuedLimbo)
        if networkIsEnabled { compare("targets", network.listens.map(target).sorted(), try wantedTargets()) }
        return differences
    }

    private func count(_ node: JSONNode?) -> Int { Int(node?.number?.int64 ?? 0) }

    // MARK: Events as text

    private func event(_ node: JSONNode) throws -> String {
        let query = try ScenarioForm.query(node["query"] ?? node)
        if let code = node["errorCode"]?.number?.int64, code != 0 {
            return "\(query.canonicalID) \(StatusCode(rawValue: Int(code)) ?? .unknown)"
        }
        var changes: [String] = []
        for kind in ["added", "modified", "removed", "metadata"] {
            for document in node[kind]?.elements ?? [] {
                changes.append(text(kind, try ScenarioForm.document(document)))
            }
        }
        return text(
            query, changes, fromCache: node["fromCache"]?.boolean ?? false,
            pending: node["hasPendingWrites"]?.boolean ?? false)
    }

    private func event(_ snapshot: ViewSnapshot) -> String {
        text(
            snapshot.query, snapshot.changes.map { text("\($0.kind)", $0.document) },
            fromCache: snapshot.isFromCache, pending: snapshot.hasPendingWrites)
    }

    private func text(_ query: SyncQuery, _ changes: [String], fromCache: Bool, pending: Bool) -> String {
        "\(query.canonicalID) \(fromCache ? "cache" : "server")\(pending ? " pending" : "") "
            + changes.sorted().joined(separator: ", ")
    }

    private func text(_ kind: String, _ document: SyncDocument) -> String {
        var writer = JSONWriter()
        ValueJSON.writeFields(document.fields ?? .empty, to: &writer, database: nil)
        let flags = (document.hasLocalMutations ? " local" : "") + (document.hasCommittedMutations ? " committed" : "")
        return "\(kind) \(document.path)@\(document.version.microseconds)\(flags) \(writer.string)"
    }

    // MARK: Targets as text

    private func target(_ id: Int, _ listen: ListenRequest) -> String {
        text(
            id, listen.target, token: String(decoding: listen.resumeToken, as: UTF8.self),
            readTime: listen.readTime?.microseconds ?? 0, label: listen.purpose.label)
    }

    private func wantedTargets() throws -> [String] {
        let labels = [
            "TargetPurposeLimboResolution": "limbo-document",
            "TargetPurposeExistenceFilterMismatch": "existence-filter-mismatch",
            "TargetPurposeExistenceFilterMismatchBloom": "existence-filter-mismatch-bloom",
        ]
        return try expected.activeTargets.map { id, node in
            text(
                id, try ScenarioForm.query(node["queries"]?.elements?.first ?? node).target,
                token: node["resumeToken"]?.string ?? "", readTime: ScenarioForm.version(node["readTime"]).microseconds,
                label: node["targetPurpose"]?.string.flatMap { labels[$0] })
        }.sorted()
    }

    private func text(_ id: Int, _ target: SyncTarget, token: String, readTime: Int64, label: String?) -> String {
        "\(id) \(target.canonicalID) token '\(token)' read time \(readTime) \(label ?? "")"
    }
}
