// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import QueryPlanner
    import TestSupport

    @testable import FirestoreServer
    @testable import SyncCore

    /// What SyncCore's client makes of a Listen stream. Its rules are those that the official SDKs' scenarios state: documents before a
    /// target is added, or of a target that was removed, are dropped, and only a boundary shows what came before it.
    final class SyncedViews: WatchedTargets {
        private var targets: [Int: WatchedTarget] = [:]
        private var keys: [Int: Set<DocumentPath>] = [:]
        private var current: Set<Int> = []
        private var lastVersion = Timestamp.noVersion
        private lazy var aggregator = WatchAggregator(self)
        private(set) var findings: [String] = []

        // MARK: What the client asks for

        func add(_ id: Int32, _ kind: ListenTarget.Kind, showing paths: Set<DocumentPath>) {
            let target: SyncTarget
            switch kind {
            case .query(let query): target = SyncTarget(.query(query), canonicalID: "\(id)")
            case .documents(let paths) where paths.count == 1: target = SyncTarget(document: paths.first!)
            // No client of this kind has a target of several documents. The aggregator treats it as a query.
            case .documents: target = SyncTarget(bundle: "\(id)")
            }
            targets[Int(id)] = WatchedTarget(
                data: TargetData(target, id: Int(id), sequence: 0), isLimbo: false)
            keys[Int(id)] = paths
            aggregator.add(Int(id), wireID: Int(id))
        }

        func remove(_ id: Int32) {
            guard targets.removeValue(forKey: Int(id)) != nil else { return }
            (keys[Int(id)], current) = (nil, current.subtracting([Int(id)]))
            aggregator.remove(Int(id))
        }

        /// What the client shows of a target; nil until all of it has come.
        func shown(_ id: Int32) -> Set<DocumentPath>? { current.contains(Int(id)) ? keys[Int(id)] : nil }

        // MARK: What the server sends

        func take(_ response: ProtoListenResponse, _ database: DatabaseID) {
            do { try handle(WatchChange(response, database), database) } catch {
                findings.append("\(error): \(response)")
            }
        }

        private func handle(_ change: WatchChange, _ database: DatabaseID) {
            if case .targetsRejected(let ids, _) = change { return ids.forEach { remove(Int32($0)) } }
            aggregator.handle(change, database)
            guard case .target(.none, let ids, _, let time?) = change, ids.isEmpty else { return }
            // A client waits for a state that is not older than what it shows.
            guard time >= lastVersion else { return findings.append("a boundary at \(time) after \(lastVersion)") }
            lastVersion = time
            let event = aggregator.takeEvent(at: time)
            if !event.mismatches.isEmpty { findings.append("documents are missing from \(event.mismatches.keys)") }
            for (id, change) in event.targetChanges {
                keys[id] = (keys[id] ?? []).union(change.added).subtracting(change.removed)
                if change.isCurrent { current.insert(id) } else { current.remove(id) }
            }
        }

        func watched(_ id: Int) -> WatchedTarget? { targets[id] }

        func remoteKeys(of id: Int) -> Set<DocumentPath> { keys[id] ?? [] }
    }

    extension WatchChange {
        /// - Throws: if the message has no meaning for a client.
        init(_ response: ProtoListenResponse, _ database: DatabaseID) throws {
            switch response.responseType {
            case .targetChange(let change):
                let ids = change.targetIds.map { Int($0) }
                if change.hasCause {
                    self = .targetsRejected(ids, SyncError(.unknown, change.cause.message))
                    return
                }
                let time = change.hasReadTime ? try Timestamp(change.readTime) : nil
                self = .target(
                    try TargetChangeKind(change.targetChangeType), targets: ids, resumeToken: Array(change.resumeToken),
                    readTime: time)
            case .documentChange(let change):
                let created = try Timestamp(change.document.createTime)
                let document = SyncDocument(
                    try path(change.document.name, database), .found([:], createTime: created),
                    version: try Timestamp(change.document.updateTime))
                self = .document(
                    document, updated: change.targetIds.map { Int($0) },
                    removed: change.removedTargetIds.map { Int($0) })
            case .documentDelete(let deletion):
                self = .deletion(
                    try path(deletion.document, database), readTime: try Timestamp(deletion.readTime),
                    removed: deletion.removedTargetIds.map { Int($0) })
            case .documentRemove(let removal):
                self = .removal(
                    try path(removal.document, database), removed: removal.removedTargetIds.map { Int($0) })
            case .filter, nil: throw Unexpected()
            }
        }

        /// A message that Hearth does not send.
        private struct Unexpected: Error {}
    }

    extension TargetChangeKind {
        fileprivate init(_ type: ProtoTargetChange.TargetChangeType) throws {
            switch type {
            case .noChange: self = .none
            case .add: self = .added
            case .remove: self = .removed
            case .current: self = .current
            case .reset: self = .reset
            case .UNRECOGNIZED: throw RequestError.invalid("\(type)")
            }
        }
    }

    private func path(_ name: String, _ database: DatabaseID) throws -> DocumentPath {
        try DocumentPath(named: name, in: database)
    }
#endif
