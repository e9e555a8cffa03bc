// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import SyncCore

/// A machine whose streams open at once, with what it did.
final class ScriptedClient {
    let replica: any TestedReplica
    private(set) var effects: [SyncEffect] = []
    private(set) var connections: [SyncStream: Int] = [:]
    private(set) var machine: SyncMachine
    /// Microseconds.
    var now: Int64 = 1_000_000
    private var configuration: SyncMachine.Configuration

    /// - Parameter isUserKnown: whether nobody is signed in; otherwise credentials are yet to name the user.
    init(
        policy: CollectionPolicy = .leastRecentlyUsed, in replica: any TestedReplica = MemoryReplica(),
        markers: CollectionPath? = nil, isUserKnown: Bool = true
    ) {
        self.replica = replica
        configuration = SyncMachine.Configuration(
            database: ScenarioForm.database, isUserKnown: isUserKnown, policy: policy, markers: markers, seed: 7)
        machine = SyncMachine(replica, configuration)
        feed(.start)
    }

    /// The process ends without a word and starts again.
    ///
    /// - Parameter isDamaged: whether damage was found meanwhile, which leaves the queue.
    func restart(isDamaged: Bool = false) throws {
        connections = [:]
        if isDamaged { try replica.restartAfterDamage() } else { try replica.restart() }
        configuration.policy = .leastRecentlyUsed
        machine = SyncMachine(replica, configuration)
        feed(.start)
    }

    /// What the input led to.
    @discardableResult
    func feed(_ input: SyncInput) -> [SyncEffect] {
        let start = effects.count
        var inputs = [input]
        while !inputs.isEmpty {
            for effect in machine.handle(inputs.removeFirst(), at: Timestamp(microseconds: now)!) {
                effects.append(effect)
                switch effect {
                case .openStream(let stream, let connection):
                    connections[stream] = connection
                    inputs.append(.streamOpened(stream, connection: connection))
                case .closeStream(let stream, _): connections[stream] = nil
                case .sendWrites(.handshake):
                    inputs.append(
                        .writeResponse(WriteResponse(streamToken: [1], commit: nil), connection: connections[.write]!))
                default: break
                }
            }
        }
        return Array(effects[start...])
    }

    @discardableResult
    func listen(
        _ query: SyncQuery, _ options: ListenOptions = ListenOptions(includesMetadataChanges: true), _ listener: Int = 1
    ) -> [SyncEffect] {
        feed(.listen(query, options, listener: listener))
    }

    @discardableResult
    func say(_ change: WatchChange) -> [SyncEffect] { feed(.watch(change, connection: connections[.watch] ?? 0)) }

    /// ADD, documents, CURRENT and a consistent state for the last listen.
    @discardableResult
    func sync(_ documents: [SyncDocument], at time: Int64) -> [SyncEffect] {
        let target = wireIDs.last!
        say(.target(.added, targets: [target], resumeToken: [], readTime: nil))
        for document in documents { say(.document(document, updated: [target], removed: [])) }
        say(.target(.current, targets: [target], resumeToken: [UInt8(time)], readTime: nil))
        return boundary(at: time)
    }

    @discardableResult
    func boundary(at time: Int64) -> [SyncEffect] {
        say(.target(.none, targets: [], resumeToken: [UInt8(time)], readTime: Timestamp(microseconds: time)))
    }

    @discardableResult
    func acknowledge(at time: Int64, results: [Value] = [], writes: Int = 1) -> [SyncEffect] {
        let version = Timestamp(microseconds: time)!
        let result = WriteResult(updateTime: version, transformResults: results)
        let commit = CommitResult(commitTime: version, results: Array(repeating: result, count: writes))
        return feed(
            .writeResponse(WriteResponse(streamToken: [2], commit: commit), connection: connections[.write]!))
    }

    @discardableResult
    func fail(_ stream: SyncStream, _ code: StatusCode) -> [SyncEffect] {
        feed(
            .streamClosed(
                stream, connection: connections[stream]!, SyncError(code, "\(code)"), isNetworkFailure: false))
    }

    /// Ends the wait of a stream that has failed.
    @discardableResult
    func connectAgain(_ stream: SyncStream) -> [SyncEffect] {
        fire(.backoff(stream))
    }

    /// Ends the last wait of a timer.
    @discardableResult
    func fire(_ timer: SyncTimer) -> [SyncEffect] {
        feed(.timer(timer, ticket: effects.waits(timer).last!.ticket))
    }

    /// What the replica has of a query's target.
    func target(of query: SyncQuery) throws -> TargetData? {
        try replica.look { (records) throws(ReplicaError) in try records.target(query.target.canonicalID) }
    }

    func cached(_ id: String) throws -> CachedDocument {
        try replica.look { (records) throws(ReplicaError) in try records.document(at: ScriptedClient.path(id)) }
    }

    /// The numbers of all listens on the wire, in order.
    var wireIDs: [Int] {
        effects.compactMap { if case .send(.add(let request)) = $0 { request.wireID } else { nil } }
    }

    static func path(_ id: String) -> DocumentPath { CollectionPath(ResourcePath(segments: ["c"])).document(Text(id)) }

    static func document(_ id: String, _ n: Int64, at version: Int64) -> SyncDocument {
        SyncDocument(
            path(id), .found(Fields([Field("n", .integer(n))])!, createTime: Timestamp(microseconds: version)!),
            version: Timestamp(microseconds: version)!)
    }

    static func collection(limit: Int? = nil, takesLast: Bool = false, _ direction: Direction = .ascending) throws
        -> SyncQuery
    {
        var query = Query(
            from: CollectionSelector(collectionID: "c"), orders: [Order(FieldPath(name: "n"), direction)])
        query.limit = limit
        query.limitToLast = takesLast
        return try SyncQuery(query, database: ScenarioForm.database)
    }
}

extension [SyncEffect] {
    var snapshots: [ViewSnapshot] { compactMap { if case .snapshot(let snapshot, _) = $0 { snapshot } else { nil } } }

    var listens: [ListenRequest] {
        compactMap { if case .send(.add(let request)) = $0 { request } else { nil } }
    }

    /// The numbers of the reads that were asked for.
    var reads: [Int] { compactMap { if case .readDocuments(_, let read) = $0 { read } else { nil } } }

    var finishedWaits: [Int] { compactMap { if case .pendingWritesFinished(nil, let wait) = $0 { wait } else { nil } } }

    var sentBatches: Int { sentWrites.count }

    /// The writes of each batch that was sent.
    var sentWrites: [[Write]] {
        compactMap { if case .sendWrites(.writes(let writes, _)) = $0 { writes } else { nil } }
    }

    /// The waits of a timer, in milliseconds.
    func waits(_ timer: SyncTimer) -> [(ticket: Int, milliseconds: Int)] {
        compactMap {
            if case .startTimer(timer, let ticket, let milliseconds) = $0 { (ticket, milliseconds) } else { nil }
        }
    }

    /// How calls ended, by their number.
    var answers: [Int: StatusCode] {
        reduce(into: [:]) { if case .callFinished(let error, let call) = $1 { $0[call] = error?.code ?? .ok } }
    }

    /// How writes ended, by their number.
    var finished: [Int: StatusCode] {
        reduce(into: [:]) { if case .writeFinished(let error, let write) = $1 { $0[write] = error?.code ?? .ok } }
    }
}
