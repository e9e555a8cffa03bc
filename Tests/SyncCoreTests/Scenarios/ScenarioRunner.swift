// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import SyncCore

/// Runs the steps of a scenario with a machine, a replica, and what stands for the server and the clock.
final class ScenarioRunner {
    let scenario: Scenario
    let replica: any TestedReplica
    var machine: SyncMachine
    var network = SimulatedNetwork()
    var timers = VirtualTimers()
    var observed = Observed()
    var expected = ExpectedState()

    var listeners: [SyncQuery: Int] = [:]
    var queryOfListener: [Int: SyncQuery] = [:]
    var writtenPaths: [Int: [String]] = [:]
    var observers: [Int] = []
    var networkIsEnabled = true
    var isShutDown = false
    /// Which listen of a target the server's messages are about; nil for the last.
    var listenIndex: Int?
    /// While a step says itself when a stream's wait is over.
    var waitsForBackoff = false
    private var isListening = false
    private var user = SyncUser(nil)
    private var inputs: [SyncInput] = []
    private var lastNumber = 0
    private let policy: CollectionPolicy

    convenience init(_ scenario: Scenario, _ mode: Scenario.Mode, _ place: ReplicaPlace) throws {
        self.init(scenario, mode, try place.make())
    }

    init(_ scenario: Scenario, _ mode: Scenario.Mode, _ replica: any TestedReplica) {
        self.scenario = scenario
        self.replica = replica
        policy = scenario.policy(in: mode)
        machine = ScenarioRunner.machine(scenario, replica, policy, user)
        feed(.start)
    }

    private static func machine(
        _ scenario: Scenario, _ replica: any TestedReplica, _ policy: CollectionPolicy, _ user: SyncUser
    ) -> SyncMachine {
        let limit = scenario.config["maxConcurrentLimboResolutions"]?.number?.int64.map { Int($0) }
        return SyncMachine(
            replica,
            SyncMachine.Configuration(
                database: ScenarioForm.database, user: user, policy: policy, mostLimboResolutions: limit ?? .max,
                seed: 1))
    }

    /// What differs from what the scenario expects, with the step; nil if nothing does.
    func run() -> String? {
        for (number, step) in scenario.steps.enumerated() {
            observed = Observed()
            if let difference = difference(in: step, number + 1, andThen: {}) { return difference }
        }
        return problem()
    }

    /// Takes a step and says what differs from what it expects.
    ///
    /// - Parameter react: lets other clients follow.
    func difference(in step: JSONNode, _ number: Int, andThen react: () -> Void) -> String? {
        do {
            try perform(step)
            react()
            let differences = try check(step)
            if differences.isEmpty { return nil }
            return "step \(number), \(name(of: step)): \(differences.joined(separator: "; "))"
        } catch {
            return "step \(number), \(name(of: step)): \(error)"
        }
    }

    func problem() -> String? {
        do { return try replica.problems().first.map { "the replica in the end: \($0)" } } catch { return "\(error)" }
    }

    private func name(of step: JSONNode) -> String {
        step.members?.first { ScenarioRunner.isAction($0.key) }?.key ?? "?"
    }

    /// Whether a member of a step says what to do.
    static func isAction(_ key: String) -> Bool { !key.hasPrefix("expected") && key != "clientIndex" }

    /// Whether the client has the streams.
    var isOwner: Bool {
        guard !isShutDown, let state = replica.peers.ownerState else { return false }
        return state.session >> 16 == replica.peers.ownNumber
    }

    func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Inputs and effects

    /// Gives the machine an input, and all that follows from it at once.
    func feed(_ input: SyncInput) {
        if case .listen = input { isListening = true }
        defer { isListening = false }
        inputs.append(input)
        while !inputs.isEmpty {
            let next = inputs.removeFirst()
            for effect in machine.handle(next, at: timers.time) { perform(effect) }
            if inputs.isEmpty, !waitsForBackoff { endWaits() }
        }
    }

    /// The official runners skip the waits of streams.
    private func endWaits() {
        for stream in SyncStream.allCases {
            guard let (timer, ticket) = timers.take(.backoff(stream)) else { continue }
            inputs.append(.timer(timer, ticket: ticket))
        }
    }

    private func perform(_ effect: SyncEffect) {
        switch effect {
        case .openStream(let stream, let connection):
            network.open(stream, connection)
            inputs.append(.streamOpened(stream, connection: connection))
        case .closeStream(let stream, _): network.close(stream)
        case .send(let request): network.receive(request, isNewListen: isListening)
        case .sendWrites(let request):
            network.receive(request)
            if case .handshake = request { respond(WriteResponse(streamToken: [1], commit: nil)) }
        case .startTimer(let timer, let ticket, let milliseconds):
            timers.start(timer, ticket, milliseconds: milliseconds)
        case .cancelTimer(let timer): timers.cancel(timer)
        case .snapshot(let snapshot, _): observed.snapshots.append(snapshot)
        case .listenerFailed(let error, let listener):
            if let query = queryOfListener[listener] { observed.failures.append((query, error.code)) }
        case .snapshotsInSync: observed.snapshotsInSync += 1
        case .writeFinished(let error, let write):
            for path in writtenPaths[write] ?? [] {
                if error == nil { observed.acknowledged.append(path) } else { observed.rejected.append(path) }
            }
        case .pendingWritesFinished(let error, _): if error == nil { observed.finishedWaits += 1 }
        case .bundleFailed(let error, _): observed.bundleFailure = error
        case .invalidateCredentials, .readDocuments, .writeStored, .callFinished, .onlineState, .bundleProgress: break
        }
    }

    private func respond(_ response: WriteResponse) {
        guard let connection = network.connections[.write] else { return }
        inputs.append(.writeResponse(response, connection: connection))
    }

    func acknowledge(at version: Timestamp) {
        guard let connection = network.connections[.write] else { return }
        let writes = network.sentWrites.removeFirst()
        let results = writes.map { _ in WriteResult(updateTime: version, transformResults: []) }
        feed(
            .writeResponse(
                WriteResponse(streamToken: [1], commit: CommitResult(commitTime: version, results: results)),
                connection: connection))
    }

    func say(_ change: WatchChange) {
        feed(.watch(change, connection: network.connections[.watch] ?? 0))
    }

    func fail(_ stream: SyncStream, _ error: SyncError) {
        guard let connection = network.connections[stream] else { return }
        network.close(stream)
        feed(.streamClosed(stream, connection: connection, error, isNetworkFailure: false))
    }

    /// Runs timers in order up to and including this one.
    ///
    /// - Returns: whether it ran.
    @discardableResult
    func runTimers(until last: SyncTimer) -> Bool {
        guard timers.isRunning(last) else { return false }
        while let (timer, ticket) = timers.next() {
            feed(.timer(timer, ticket: ticket))
            if timer == last { break }
        }
        return true
    }

    func runTimers() {
        while let (timer, ticket) = timers.next() { feed(.timer(timer, ticket: ticket)) }
    }

    func change(to id: String?) {
        user = SyncUser(id)
        feed(.changeUser(user))
    }

    func restart() throws {
        feed(.shutdown)
        try replica.restart()
        timers.cancelAll()
        for stream in SyncStream.allCases { network.close(stream) }
        listeners = [:]
        replica.failing = []
        networkIsEnabled = true
        machine = ScenarioRunner.machine(scenario, replica, policy, user)
        feed(.start)
    }
}
