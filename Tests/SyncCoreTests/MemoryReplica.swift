// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore

/// A replica in memory.
final class MemoryReplica: TestedReplica, ReplicaRecords {
    struct State {
        var header = ReplicaHeader()
        var documents: [DocumentPath: CachedDocument] = [:]
        var queues: [SyncUser: [MutationBatch]] = [:]
        var rejected: [SyncUser: [RejectedBatch]] = [:]
        var targets: [String: TargetData] = [:]
        var keys: [Int: Set<DocumentPath>] = [:]
        var lastUses: [DocumentPath: Int] = [:]
        var bundles: [String: BundleRecord] = [:]
        var namedQueries: [String: NamedQuery] = [:]
    }

    let peers: any ReplicaPeers = NoPeers()
    private(set) var state = State()
    /// How many batches were read.
    private(set) var batchesRead = 0
    var failing: Set<String> = []

    func transaction<Result>(
        _ operation: ReplicaOperation, _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        try refuseIfFailing(operation)
        return try look(body)
    }

    func restart() {}

    func restartAfterDamage() throws {
        var queue = RestoredQueue()
        queue.header = state.header
        for (user, batches) in state.queues { queue.batches += batches.map { (user, $0) } }
        for (user, batches) in state.rejected { queue.rejected += batches.map { (user, $0) } }
        state = State()
        try look(queue.store)
    }

    func problems() -> [String] { [] }

    func look<Result>(
        _ body: (any ReplicaRecords) throws(ReplicaError) -> Result
    ) throws(ReplicaError) -> Result {
        let before = state
        do throws(ReplicaError) {
            return try body(self)
        } catch {
            state = before
            throw error
        }
    }

    var header: ReplicaHeader { state.header }
    func setHeader(_ header: ReplicaHeader) { state.header = header }

    // MARK: Documents

    func document(at path: DocumentPath) -> CachedDocument {
        state.documents[path] ?? CachedDocument(base: .uncached(path))
    }

    func setDocument(_ document: CachedDocument) {
        let isEmpty = !document.base.isCached && document.overlay == nil
        state.documents[document.path] = isEmpty ? nil : document
    }

    func removeDocument(at path: DocumentPath) {
        state.documents[path] = nil
        state.lastUses[path] = nil
    }

    func rows(of query: SyncQuery) -> [SyncDocument] {
        let rows = state.documents.values.compactMap { cached in
            query.sortKey(of: cached.local).map { (key: $0, document: cached.local) }
        }
        let sorted = rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.document)
        return query.limit.map { Array(sorted.prefix($0)) } ?? sorted
    }

    // MARK: The queue

    private func queue(of user: SyncUser) -> [MutationBatch] { state.queues[user] ?? [] }

    /// Counts what a file would have to decode.
    private func read(_ batches: [MutationBatch]) -> [MutationBatch] {
        batchesRead += batches.count
        return batches
    }

    func users() -> Set<SyncUser> { Set(state.queues.keys).union(state.rejected.keys) }
    func batches(of user: SyncUser) -> [MutationBatch] { read(queue(of: user)) }
    func batch(after id: Int, of user: SyncUser) -> MutationBatch? {
        queue(of: user).first { $0.id > id }.flatMap { read([$0]).first }
    }
    func setBatch(_ batch: MutationBatch, of user: SyncUser) {
        if let index = state.queues[user]?.firstIndex(where: { $0.id == batch.id }) {
            state.queues[user]![index] = batch
        } else {
            state.queues[user, default: []].append(batch)
        }
    }
    func removeBatch(_ id: Int, of user: SyncUser) { state.queues[user]?.removeAll { $0.id == id } }

    func batches(writing path: DocumentPath, of user: SyncUser, numbered numbers: Range<Int>) -> [MutationBatch] {
        read(queue(of: user).filter { numbers.contains($0.id) && $0.paths.contains(path) })
    }

    func isQueued(_ path: DocumentPath) -> Bool {
        state.queues.values.contains { $0.contains { $0.paths.contains(path) } }
    }

    func rejectedBatches(of user: SyncUser) -> [RejectedBatch] {
        batchesRead += state.rejected[user]?.count ?? 0
        return state.rejected[user] ?? []
    }

    func rejectedBatch(_ id: Int, of user: SyncUser) -> RejectedBatch? {
        batchesRead += 1
        return state.rejected[user]?.first { $0.batch.id == id }
    }

    func setRejectedBatch(_ batch: RejectedBatch, of user: SyncUser) {
        removeRejectedBatch(batch.batch.id, of: user)
        state.rejected[user, default: []].append(batch)
        state.rejected[user]!.sort { $0.batch.id < $1.batch.id }
    }

    func removeRejectedBatch(_ id: Int, of user: SyncUser) { state.rejected[user]?.removeAll { $0.batch.id == id } }

    // MARK: Targets

    func target(_ canonicalID: String) -> TargetData? { state.targets[canonicalID] }
    func setTarget(_ target: TargetData) { state.targets[target.target.canonicalID] = target }
    func keys(of target: Int, atMost limit: Int) -> [DocumentPath] {
        let paths = (state.keys[target] ?? []).sorted { ResourcePath.compare($0.resource, $1.resource) < 0 }
        return Array(paths.prefix(limit))
    }
    func addKeys(_ paths: Set<DocumentPath>, to target: Int) { state.keys[target, default: []].formUnion(paths) }
    func removeKeys(_ paths: Set<DocumentPath>, from target: Int) { state.keys[target]?.subtract(paths) }
    func isInTarget(_ path: DocumentPath) -> Bool { state.keys.values.contains { $0.contains(path) } }
    func targets(containing path: DocumentPath) -> [TargetData] {
        state.targets.values.filter { state.keys[$0.id]?.contains(path) == true }
    }

    func targets(thatMayCover target: SyncTarget) -> [TargetData] {
        let wider = target.widerCoverages
        return state.targets.values.filter { known in
            guard let coverage = known.target.coverage else { return false }
            return wider.contains {
                $0.collections == coverage.collections && Set(coverage.filters).isSubset(of: $0.filters)
            }
        }
    }

    func removeTarget(_ id: Int) {
        state.targets = state.targets.filter { $0.value.id != id }
        state.keys[id] = nil
    }

    // MARK: Last uses

    func setLastUse(_ sequence: Int, of path: DocumentPath) { state.lastUses[path] = sequence }
    func leastUses(_ limit: Int) -> [Int] {
        let targets = state.targets.values.filter { !$0.isPinned }
        return Array((targets.map(\.sequence) + orphans.map(\.value)).sorted().prefix(limit))
    }
    func targets(usedUpTo sequence: Int, atMost limit: Int) -> [TargetData] {
        let used = state.targets.values.filter { !$0.isPinned && $0.sequence <= sequence }
        return Array(used.sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }.prefix(limit))
    }

    func documents(usedUpTo sequence: Int, atMost limit: Int) -> [DocumentPath] {
        Array(inOrder(orphans.filter { $0.value <= sequence }).prefix(limit))
    }

    /// By the last use, then by the path.
    private func inOrder(_ uses: [DocumentPath: Int]) -> [DocumentPath] {
        uses.sorted {
            $0.value == $1.value
                ? ResourcePath.compare($0.key.resource, $1.key.resource) < 0 : $0.value < $1.value
        }.map(\.key)
    }

    func dropUsesInTargets(amongFirst count: Int) -> Bool {
        let dropped = inOrder(state.lastUses).prefix(count).filter(isInTarget)
        for path in dropped { state.lastUses[path] = nil }
        return !dropped.isEmpty
    }

    private var orphans: [DocumentPath: Int] { state.lastUses.filter { !isInTarget($0.key) } }

    var size: Int {
        state.documents.values.reduce(0) { $0 + DocumentSize.size(of: $1.path, $1.local.fields ?? .empty) }
    }

    // MARK: Other clients

    func foreignChanges(after number: Int?) -> ForeignChanges { ForeignChanges(last: 0) }
    func noteOutcome(of batch: Int, _ error: SyncError?) {}
    func announce() {}
    func requests() -> [TargetRequest] { [] }
    func setRequest(_ request: TargetRequest) {}
    func removeRequest(of client: Int, _ query: SyncQuery) {}

    // MARK: Bundles

    func bundle(_ id: String) -> BundleRecord? { state.bundles[id] }
    func setBundle(_ bundle: BundleRecord) { state.bundles[bundle.id] = bundle }
    func removeBundle(_ id: String) { state.bundles[id] = nil }
    func namedQuery(_ name: String) -> NamedQuery? { state.namedQueries[name] }
    func setNamedQuery(_ query: NamedQuery) { state.namedQueries[query.name] = query }
}

/// A replica in memory has one client.
private final class NoPeers: ReplicaPeers {
    let ownNumber = 1
    let areOthersPresent = false
    private(set) var ownerState: OwnerState?

    func isPresent(_ client: Int) -> Bool { false }
    func claim() -> Bool { true }
    func resign() {}
    func stand(_ isCandidate: Bool) {}
    let areOthersStanding = false
    func tell(_ state: OwnerState) { ownerState = state }
}
