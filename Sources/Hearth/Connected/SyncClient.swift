// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import LMDB
internal import ReplicaStore
internal import SyncCore
internal import Synchronization

/// Runs the machine of a database with a remote: gives it calls, messages and timers, one at a time, and carries out its
/// effects.
///
/// Invariants:
/// - The machine, and who waits for it, are used on `queue` only. No lock is held while it runs.
/// - Nothing on `queue` waits for anything but the replica's disk. Who is told something there only resumes a task or hands
///   over to another queue, so a caller that blocks blocks nobody else.
/// - Calls reach the machine in the order in which they were made.
/// - The transport and timers refer to the client weakly. Who waits for an answer is told when the client ends.
final class SyncClient: @unchecked Sendable {  // See the invariants.
    let engine: Engine
    let transport: any RemoteTransport
    let queue = DispatchQueue(label: "hearth.client")
    /// The machine, and with it this client's place among those of the replica; nil when the client has stopped.
    private var machine: SyncMachine?
    private let numbers = Atomic<Int>(0)
    /// Whether the program lets the client use the network.
    private let usesNetwork = Atomic<Bool>(true)
    private(set) var waiting = SyncWaiters()
    private var timers: [SyncTimer: Cancel] = [:]
    private var cancelCollection: Cancel?
    private let schedule: Schedule
    /// Tells of what other clients commit to the replica.
    private var commitWatch: CommitWatch?
    private var lastTime = DocumentModel.Timestamp.noVersion
    private var streamLog = StreamLog()
    private let log: @Sendable (FirestoreSettings.LogLevel, String) -> Void

    /// Runs a piece of work on a queue after so many milliseconds, unless what it returns is called or released before.
    typealias Schedule = @Sendable (DispatchQueue, Int, @escaping @Sendable () -> Void) -> Cancel
    typealias Cancel = @Sendable () -> Void

    /// The server's database.
    var database: DatabaseID { engine.database }

    /// Starts as the transport's user, or as the one whose writes the replica shows until the transport tells who it is.
    ///
    /// - Parameter log: told of what no caller receives, on `queue`.
    /// - Throws: what the transport throws, and `unavailable` if the replica cannot be read.
    init(
        _ replica: sending EngineReplica, _ remote: Remote, _ settings: FirestoreSettings.Values,
        _ log: @escaping @Sendable (FirestoreSettings.LogLevel, String) -> Void,
        schedule: @escaping Schedule = { SyncClient.startTimer(on: $0, after: $1, $2) }
    ) throws {
        let cache = SyncCache(settings)
        let markers = try settings.markers(of: remote.database)
        engine = replica.engine
        self.log = log
        self.schedule = schedule
        transport = try remote.connect(settings.serverAddress)
        let user: SyncUser
        do throws(ReplicaError) { user = try replica.shownUser() } catch { throw FirestoreError(error) }
        machine = SyncMachine(
            replica,
            SyncMachine.Configuration(
                database: replica.engine.database, user: transport.user ?? user, isUserKnown: transport.user != nil,
                policy: cache.policy, markers: markers, seed: .random(in: 0 ... .max)))
        replica.damageHandler = { log(.error, "\($0.message) Opening the database again heals it.") }
        let healing = replica.healing
        // The transport must know whom to report to before the start opens streams; what it reports comes behind the start.
        queue.suspend()
        queue.async { [weak self] in
            if let healing { log(.error, healing.summary) }
            self?.start(cache)
        }
        transport.start { [weak self] in self?.submit($0) }
        queue.resume()
    }

    deinit {
        cancelCollection?()
        for cancel in timers.values { cancel() }
        guard machine != nil else { return }
        waiting.end()
        transport.stop {}
    }

    private func start(_ cache: SyncCache) {
        run(.start)
        commitWatch = engine.environment.watchCommits(on: queue) { [weak self] in self?.run(.replicaChanged) }
        guard case .leastRecentlyUsed = cache.policy, let threshold = cache.threshold else { return }
        scheduleCollection(above: threshold, after: SyncCache.firstCollection)
    }

    private func scheduleCollection(above threshold: Int, after milliseconds: Int) {
        cancelCollection = schedule(queue, milliseconds) { [weak self] in
            guard let self, machine != nil else { return }
            run(.collectGarbage(threshold: threshold, percentile: SyncCache.percentile))
            scheduleCollection(above: threshold, after: SyncCache.collectionInterval)
        }
    }

    /// Ends everything, and waits until the transport has. What is queued stays queued. Not to be called on `queue`.
    func stop() {
        let isFirst = queue.sync {
            guard machine != nil else { return false }
            run(.shutdown)
            machine = nil
            commitWatch = nil
            cancelCollection?()
            waiting.end()
            return true
        }
        guard isFirst else { return }
        let hasEnded = DispatchSemaphore(value: 0)
        transport.stop { hasEnded.signal() }
        hasEnded.wait()
    }

    // MARK: Calls

    /// A number of a listener, write, wait, observer or load.
    func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    var isNetworkEnabled: Bool { usesNetwork.load(ordering: .relaxed) }

    func setNetworkEnabled(_ isEnabled: Bool) {
        usesNetwork.store(isEnabled, ordering: .relaxed)
        submit(isEnabled ? .enableNetwork : .disableNetwork)
    }

    func submit(_ input: SyncInput) {
        queue.async { [self] in run(input) }
    }

    /// - Parameter register: notes who waits for the outcome, just before the machine gets the input.
    func submit(_ input: SyncInput, _ register: @escaping @Sendable (inout SyncWaiters) -> Void) {
        queue.async { [self] in
            register(&waiting)
            guard machine != nil else { return waiting.end() }
            run(input)
        }
    }

    func forgetWait(_ number: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        waiting.waits[number] = nil
    }

    /// Reads something of the machine, after the calls so far.
    func inspect<R: Sendable>(
        _ body: @escaping @Sendable (SyncMachine) throws(ReplicaError) -> R,
        _ deliver: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        queue.async { [self] in
            guard let machine else { return deliver(.failure(FirestoreError.terminated)) }
            do throws(ReplicaError) { deliver(.success(try body(machine))) } catch {
                deliver(.failure(FirestoreError(error)))
            }
        }
    }

    /// Runs `body` after the calls so far.
    func afterCalls(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    // MARK: The machine

    private func run(_ input: SyncInput) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let machine else { return }
        lastTime = max(lastTime, .now)
        if let message = streamLog.message(for: input) { log(message.level, message.text) }
        for effect in machine.handle(input, at: lastTime) { perform(effect) }
        if case .watch = input { transport.watchMessageTaken() }
    }

    private func perform(_ effect: SyncEffect) {
        switch effect {
        case .openStream(let stream, let connection): transport.open(stream, connection: connection)
        case .closeStream(let stream, let connection): transport.close(stream, connection: connection)
        case .send(let request): transport.send(request)
        case .sendWrites(let request): transport.send(request)
        case .invalidateCredentials: transport.invalidateCredentials()
        case .startTimer(let timer, let ticket, let milliseconds): start(timer, ticket, milliseconds)
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?()
        case .readDocuments(let paths, let read): self.read(paths, read)
        default: waiting.tell(effect)
        }
    }

    private func read(_ paths: [DocumentPath], _ read: Int) {
        Task { [weak self, transport] in
            let documents: Result<[SyncDocument], SyncError>
            do throws(SyncError) {
                documents = .success(try await transport.documents(at: paths))
            } catch {
                documents = .failure(error)
            }
            self?.submit(.documentsRead(documents, read: read))
        }
    }

    private static func startTimer(
        on queue: DispatchQueue, after milliseconds: Int, _ work: @escaping @Sendable () -> Void
    ) -> Cancel {
        let timer = ClientTimer(on: queue, after: milliseconds, work)
        return { timer.cancel() }
    }

    private func start(_ timer: SyncTimer, _ ticket: Int, _ milliseconds: Int) {
        let cancel = schedule(queue, milliseconds) { [weak self] in self?.run(.timer(timer, ticket: ticket)) }
        timers.updateValue(cancel, forKey: timer)?()
    }
}
