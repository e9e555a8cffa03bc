// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore
import TestSupport

/// A client under test: the machine with its replica, between a program that remembers what it was shown and a server
/// that answers when the schedule says so.
struct ModelClient {
    let replica: any TestedReplica
    let server: ModelServer
    private(set) var shown: [Int: (query: ModelQuery, options: ListenOptions, snapshot: ViewSnapshot?)] = [:]
    private(set) var unanswered: Set<Int> = []
    /// A law of effects that was broken.
    private(set) var fault: String?
    /// What the program has written itself, by number.
    private var written: [Int: [Write]] = [:]
    private var reads: [(paths: [DocumentPath], read: Int)] = []
    private(set) var machine: SyncMachine
    private var timers = VirtualTimers()
    private var connections: [SyncStream: Int] = [:]
    /// Requests on the write stream that the server has not worked on.
    private var requests: [WriteRequest] = []
    /// Whom the program's credentials name.
    private var user = SyncUser(nil)
    /// Whom the server knows the open write stream as.
    private var writer = SyncUser(nil)
    /// Whom the replica has shown before the last input.
    private var shownBefore: SyncUser?
    private var isDisabled = false
    /// Whether settling rests on the client's own attempts alone.
    var settlesQuietly = false
    private var lastNumber = 0
    private let markers: CollectionPath?
    private var restarts: UInt64 = 0

    /// - Parameter markers: where commits leave markers; nil if they may happen twice.
    init(_ server: ModelServer, _ replica: any TestedReplica, markers: CollectionPath? = nil) {
        self.server = server
        self.replica = replica
        self.markers = markers
        machine = ModelClient.machine(replica, user, markers, seed: 1)
    }

    private static func machine(
        _ replica: any TestedReplica, _ user: SyncUser, _ markers: CollectionPath?, seed: UInt64
    ) -> SyncMachine {
        SyncMachine(
            replica,
            SyncMachine.Configuration(
                database: ScenarioForm.database, user: user, mostLimboResolutions: 2, markers: markers, seed: seed))
    }

    mutating func feed(_ input: SyncInput, _ random: inout SeededGenerator) {
        switch input {
        case .start, .enableNetwork: isDisabled = false
        case .disableNetwork: isDisabled = true
        default: break
        }
        var inputs = [input]
        while !inputs.isEmpty {
            shownBefore = shownUser
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
            if stream == .write { writer = user }
            inputs.append(.streamOpened(stream, connection: connection))
        case .closeStream(let stream, _): forget(stream)
        case .send(let request):
            if isOpen(.watch, request) { server.receive(request, &random) }
        case .sendWrites(let request):
            if isOpen(.write, request) { requests.append(request) }
            checkWriter(request)
        case .startTimer(let timer, let ticket, let milliseconds):
            timers.start(timer, ticket, milliseconds: milliseconds)
        case .cancelTimer(let timer): timers.cancel(timer)
        case .snapshot(let snapshot, let listener): shown[listener]?.snapshot = snapshot
        case .listenerFailed(_, let listener): shown[listener] = nil
        case .writeFinished(let error, let write):
            unanswered.remove(write)
            if error?.code == .alreadyExists, let writes = written[write], server.hasCreated(writes) {
                fault = "write \(write) was committed and reported as refused"
            }
        case .readDocuments(let paths, let read): reads.append((paths, read))
        default: break
        }
    }

    private mutating func isOpen(_ stream: SyncStream, _ request: some Any) -> Bool {
        if connections[stream] != nil { return true }
        fault = "sent on no stream: \(request)"
        return false
    }

    private mutating func checkWriter(_ request: WriteRequest) {
        guard case .writes = request, writer != shownBefore, writer != shownUser else { return }
        fault = "writes were sent as \(writer), not as the user whom the replica shows"
    }

    private var shownUser: SyncUser? { try? replica.shownUser() }

    private mutating func forget(_ stream: SyncStream) {
        guard connections.removeValue(forKey: stream) != nil else { return }
        switch stream {
        case .watch: server.disconnect()
        case .write: requests = []
        }
    }

    // MARK: The program

    mutating func listenSomehow(to query: ModelQuery, _ random: inout SeededGenerator) {
        let options = ListenOptions(
            includesMetadataChanges: true, waitsForServer: random.chance(0.2),
            source: random.chance(0.2) ? .cache : .serverAndCache)
        listen(to: query, &random, options)
    }

    mutating func listen(
        to query: ModelQuery, _ random: inout SeededGenerator,
        _ options: ListenOptions = ListenOptions(includesMetadataChanges: true)
    ) {
        lastNumber += 1
        shown[lastNumber] = (query, options, nil)
        feed(.listen(query.query, options, listener: lastNumber), &random)
    }

    mutating func unlisten(_ random: inout SeededGenerator) {
        guard let listener = shown.keys.sorted().randomElement(using: &random) else { return }
        feed(.unlisten(listener: listener), &random)
        shown[listener] = nil
    }

    mutating func write(_ writes: [Write], _ random: inout SeededGenerator) {
        lastNumber += 1
        unanswered.insert(lastNumber)
        written[lastNumber] = writes
        feed(.write(writes, write: lastNumber), &random)
    }

    /// Cancels, drops or repeats a batch.
    mutating func changeQueue(_ random: inout SeededGenerator) {
        lastNumber += 1
        if random.chance(0.4), let batch = try? machine.pendingWrites().randomElement(using: &random) {
            feed(.cancelWrite(batch: batch.id, call: lastNumber), &random)
        } else if let rejected = try? machine.rejectedWrites().randomElement(using: &random) {
            if random.chance(0.3) {
                return feed(.dropRejectedWrite(batch: rejected.batch.id, call: lastNumber), &random)
            }
            unanswered.insert(lastNumber)
            feed(.retryRejectedWrite(batch: rejected.batch.id, write: lastNumber), &random)
        }
    }

    /// Pins, unpins or evicts what is cached of a query.
    mutating func changeCache(_ query: ModelQuery, _ random: inout SeededGenerator) {
        lastNumber += 1
        switch random.int(0..<4) {
        case 0: feed(.pin(query.query, call: lastNumber), &random)
        case 1: feed(.unpin(query.query, call: lastNumber), &random)
        default: feed(.evict(query.query, call: lastNumber), &random)
        }
    }

    mutating func change(to id: String?, _ random: inout SeededGenerator) {
        user = SyncUser(id)
        if random.chance(0.5) { feed(.changeUser(nil), &random) }
        feed(.changeUser(user), &random)
    }

    /// The process ends and starts again. Programs listen anew.
    mutating func restart(_ random: inout SeededGenerator) throws {
        end()
        if random.chance(0.2) { try replica.restartAfterDamage() } else { try replica.restart() }
        start(&random)
    }

    /// The process dies.
    mutating func end() {
        timers.cancelAll()
        SyncStream.allCases.forEach { forget($0) }
    }

    /// It starts again on what it has left.
    mutating func start(_ random: inout SeededGenerator) {
        restarts += 1
        machine = ModelClient.machine(replica, shownUser ?? user, markers, seed: 1 + restarts)
        feed(.start, &random)
        feed(.changeUser(user), &random)
        let listeners = shown.keys.sorted().map { shown[$0]! }
        (shown, unanswered, reads) = ([:], [], [])
        for listener in listeners { listen(to: listener.query, &random, listener.options) }
    }

    // MARK: The server and the clock

    /// Lets the next message of the listen stream arrive. False if there is none.
    mutating func deliver(_ random: inout SeededGenerator) -> Bool {
        guard let connection = connections[.watch], let message = server.nextMessage() else { return false }
        feed(.watch(message, connection: connection), &random)
        return true
    }

    /// Lets the server work on the next request of the write stream. False if there is none.
    ///
    /// - Parameter lost: how often the server's answer is lost on the way.
    mutating func answer(_ random: inout SeededGenerator, refuses: Bool, lost: Double = 0.05) -> Bool {
        if !reads.isEmpty {
            let (paths, read) = reads.removeFirst()
            let fails = random.chance(0.1)
            feed(
                .documentsRead(
                    fails ? .failure(SyncError(.unavailable, "Lost.")) : .success(server.read(paths)), read: read),
                &random)
            return true
        }
        guard let connection = connections[.write], !requests.isEmpty else { return false }
        switch requests.removeFirst() {
        case .goodbye: return true
        case .handshake:
            feed(.writeResponse(WriteResponse(streamToken: [1], commit: nil), connection: connection), &random)
        case .writes(let writes, _):
            switch refuses ? server.refuse(writes) : server.commit(writes) {
            case .failure(let error): fail(.write, error, &random)
            case .success(let commit):
                // The answer may be lost on the way: the client sends the writes again.
                if random.chance(lost) { return loseAnswers(&random) }
                feed(.writeResponse(WriteResponse(streamToken: [1], commit: commit), connection: connection), &random)
            }
        }
        return true
    }

    /// The server may have gone on with what was sent behind.
    private mutating func loseAnswers(_ random: inout SeededGenerator) -> Bool {
        while random.chance(0.5), !requests.isEmpty, case .writes(let writes, _) = requests.removeFirst() {
            guard case .success = server.commit(writes) else { break }
        }
        return fail(.write, SyncError(.unavailable, "Lost."), &random)
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
        prepareToSettle(&random)
        for _ in 0..<ModelClient.settlingRounds {
            answerAll(&random)
            server.tell(&random)
            deliverAll(&random)
        }
    }

    /// Each answer that is lost takes one, and dozens of batches may be queued.
    static let settlingRounds = 40

    mutating func prepareToSettle(_ random: inout SeededGenerator) {
        replica.failing = []
        if isDisabled || !settlesQuietly { feed(.enableNetwork, &random) }
        if !settlesQuietly { feed(.connectivityRestored, &random) }
    }

    mutating func answerAll(_ random: inout SeededGenerator) {
        while answer(&random, refuses: false) {}
    }

    /// Lets all messages arrive, and time pass while a stream waits to be opened.
    mutating func deliverAll(_ random: inout SeededGenerator) {
        while deliver(&random) {}
        for _ in 0..<6 where connections[.watch] == nil || connections[.write] == nil || hasRetry {
            if !runTimer(&random) { break }
        }
    }

    /// Whether something that the store refused is tried again: a guest's request, for example, by its owner.
    private var hasRetry: Bool { timers.isRunning(.storeRetry) || timers.isRunning(.peers) }
}
