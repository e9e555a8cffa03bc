// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport

/// A client under test: the machine with its replica, between a program that remembers what it was shown and a server
/// that answers when the schedule says so.
struct ModelClient {
    let replica: any TestedReplica
    var server: ModelServer
    private(set) var shown: [Int: (query: ModelQuery, snapshot: ViewSnapshot?)] = [:]
    private(set) var unanswered: Set<Int> = []
    private var machine: SyncMachine
    private var timers = VirtualTimers()
    private var connections: [SyncStream: Int] = [:]
    /// Requests on the write stream that the server has not worked on.
    private var requests: [WriteRequest] = []
    private var user = SyncUser(nil)
    private var lastNumber = 0

    init(_ server: ModelServer, _ replica: any TestedReplica) {
        self.server = server
        self.replica = replica
        machine = ModelClient.machine(replica, user)
    }

    private static func machine(_ replica: any TestedReplica, _ user: SyncUser) -> SyncMachine {
        SyncMachine(
            replica,
            SyncMachine.Configuration(
                database: ScenarioForm.database, user: user, mostLimboResolutions: 2, seed: 1))
    }

    mutating func feed(_ input: SyncInput, _ random: inout SeededGenerator) {
        var inputs = [input]
        while !inputs.isEmpty {
            for effect in machine.handle(inputs.removeFirst(), at: timers.time) {
                perform(effect, &inputs, &random)
            }
        }
    }

    private mutating func perform(
        _ effect: SyncEffect, _ inputs: inout [SyncInput], _ random: inout SeededGenerator
    ) {
        switch effect {
        case .openStream(let stream, let connection):
            forget(stream)
            connections[stream] = connection
            inputs.append(.streamOpened(stream, connection: connection))
        case .closeStream(let stream, _): forget(stream)
        case .send(let request): server.receive(request, &random)
        case .sendWrites(let request): requests.append(request)
        case .startTimer(let timer, let ticket, let milliseconds):
            timers.start(timer, ticket, milliseconds: milliseconds)
        case .cancelTimer(let timer): timers.cancel(timer)
        case .snapshot(let snapshot, let listener): shown[listener]?.snapshot = snapshot
        case .listenerFailed(_, let listener): shown[listener] = nil
        case .writeFinished(_, let write): unanswered.remove(write)
        default: break
        }
    }

    private mutating func forget(_ stream: SyncStream) {
        connections[stream] = nil
        switch stream {
        case .watch: server.disconnect()
        case .write: requests = []
        }
    }

    // MARK: The program

    mutating func listen(to query: ModelQuery, _ random: inout SeededGenerator) {
        lastNumber += 1
        shown[lastNumber] = (query, nil)
        feed(.listen(query.query, ListenOptions(includesMetadataChanges: true), listener: lastNumber), &random)
    }

    mutating func unlisten(_ random: inout SeededGenerator) {
        guard let listener = shown.keys.sorted().randomElement(using: &random) else { return }
        feed(.unlisten(listener: listener), &random)
        shown[listener] = nil
    }

    mutating func write(_ writes: [Write], _ random: inout SeededGenerator) {
        lastNumber += 1
        unanswered.insert(lastNumber)
        feed(.write(writes, write: lastNumber), &random)
    }

    mutating func change(to id: String?, _ random: inout SeededGenerator) {
        user = SyncUser(id)
        feed(.changeUser(user), &random)
    }

    /// The process ends and starts again. Programs listen anew.
    mutating func restart(_ random: inout SeededGenerator) throws {
        timers.cancelAll()
        SyncStream.allCases.forEach { forget($0) }
        try replica.restart()
        machine = ModelClient.machine(replica, user)
        feed(.start, &random)
        let queries = shown.keys.sorted().map { shown[$0]!.query }
        (shown, unanswered) = ([:], [])
        for query in queries { listen(to: query, &random) }
    }

    // MARK: The server and the clock

    /// Lets the next message of the listen stream arrive. False if there is none.
    mutating func deliver(_ random: inout SeededGenerator) -> Bool {
        guard let connection = connections[.watch], let message = server.nextMessage() else { return false }
        feed(.watch(message, connection: connection), &random)
        return true
    }

    /// Lets the server work on the next request of the write stream. False if there is none.
    mutating func answer(_ random: inout SeededGenerator, refuses: Bool) -> Bool {
        guard let connection = connections[.write], !requests.isEmpty else { return false }
        switch requests.removeFirst() {
        case .goodbye: return true
        case .handshake:
            feed(.writeResponse(WriteResponse(streamToken: [1], commit: nil), connection: connection), &random)
        case .writes(let writes, _):
            switch refuses ? .failure(SyncError(.permissionDenied, "No.")) : server.commit(writes) {
            case .failure(let error): fail(.write, error, &random)
            case .success(let commit):
                // The answer may be lost on the way: the client sends the writes again.
                if random.chance(0.05) { return fail(.write, SyncError(.unavailable, "Lost."), &random) }
                feed(.writeResponse(WriteResponse(streamToken: [1], commit: commit), connection: connection), &random)
            }
        }
        return true
    }

    @discardableResult
    mutating func fail(_ stream: SyncStream, _ error: SyncError, _ random: inout SeededGenerator) -> Bool {
        guard let connection = connections[stream] else { return false }
        forget(stream)
        feed(.streamClosed(stream, connection: connection, error, isNetworkFailure: false), &random)
        return true
    }

    @discardableResult
    mutating func runTimer(_ random: inout SeededGenerator) -> Bool {
        guard let (timer, ticket) = timers.next() else { return false }
        feed(.timer(timer, ticket: ticket), &random)
        return true
    }

    /// Runs until nothing is left to say.
    mutating func settle(_ random: inout SeededGenerator) {
        replica.failing = []
        feed(.enableNetwork, &random)
        feed(.connectivityRestored, &random)
        for _ in 0..<12 {
            while answer(&random, refuses: false) {}
            server.tell(&random)
            while deliver(&random) {}
            for _ in 0..<6 where connections[.watch] == nil || connections[.write] == nil || hasRetry {
                if !runTimer(&random) { break }
            }
        }
    }

    private var hasRetry: Bool { timers.isRunning(.storeRetry) }

    // MARK: What the replica must hold

    /// The first document whose local version is not what the server sent with the batches on top of the
    /// user whose writes it shows.
    func inconsistency(of paths: [DocumentPath], _ queries: [ModelQuery]) throws(ReplicaError) -> String? {
        try replica.look { (records) throws(ReplicaError) in
            let batches = try records.batches(of: records.header.user)
            var locals: [SyncDocument] = []
            for path in paths {
                let cached = try records.document(at: path)
                locals.append(cached.local)
                var fields = cached.base.fields
                for write in batches.flatMap(\.writes) where write.path == path {
                    fields = ModelWrite.apply(write, to: fields)
                }
                guard !ModelClient.isSame(cached.local.fields, fields) else { continue }
                return "\(path) is \(String(describing: cached.local.fields)), expected \(String(describing: fields))"
            }
            for query in queries {
                let found = try records.rows(of: query.query)
                let rows = query.query.reversesRows ? found.reversed() : found
                let wanted = query.rows(of: locals)
                let isSame = rows.count == wanted.count && zip(rows, wanted).allSatisfy(ModelClient.isSame)
                if !isSame { return "\(query.query.canonicalID) finds \(rows), expected \(wanted)" }
            }
            return nil
        }
    }

    private static func isSame(_ left: Fields?, _ right: Fields?) -> Bool {
        left.map { left in right.map(left.isIdentical(to:)) ?? false } ?? (right == nil)
    }

    private static func isSame(_ left: SyncDocument, _ right: SyncDocument) -> Bool {
        left.path == right.path && isSame(left.fields, right.fields) && left.version == right.version
            && left.createTime == right.createTime && left.hasLocalMutations == right.hasLocalMutations
            && left.hasCommittedMutations == right.hasCommittedMutations
    }

    /// What a listener shows that differs from the server, once all is settled.
    func difference() throws -> String? {
        let queued = try replica.look { (records) throws(ReplicaError) in
            try records.batches(of: SyncUser(nil)) + records.batches(of: SyncUser("a"))
        }
        if !queued.isEmpty { return "writes are still queued" }
        if let problem = try replica.problems().first { return problem }
        if !unanswered.isEmpty { return "writes \(unanswered.sorted()) were not answered" }
        for (listener, (query, snapshot)) in shown.sorted(by: { $0.key < $1.key }) {
            guard let snapshot else { return "listener \(listener) was told nothing" }
            let found = snapshot.documents.map { "\($0.path) \(String(describing: $0.fields))" }
            let wanted = query.rows(of: server.documents.values).map { "\($0.path) \(String(describing: $0.fields))" }
            if found != wanted { return "listener \(listener): \(found), expected \(wanted)" }
            if snapshot.isFromCache { return "listener \(listener) still waits for the server" }
            if snapshot.hasPendingWrites { return "listener \(listener) still has pending writes" }
        }
        return nil
    }
}
