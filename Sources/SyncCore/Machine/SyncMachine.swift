// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A Cloud Firestore client without its surroundings: inputs in, effects out. The same inputs give the same effects.
///
/// It does no I/O but on its ``Replica``, and knows no clock and no threads. Callers give it one input at a time.
package final class SyncMachine {
    package struct Configuration: Sendable {
        /// The server's database, in whose names bloom filters are written.
        package var database: DatabaseID
        package var user: SyncUser
        /// Whether credentials have named ``user``, and not only an earlier client. If they have not, what is written while the
        /// replica shows nobody's writes belongs to the user whom they name first.
        package var isUserKnown: Bool
        package var policy: CollectionPolicy
        /// How many doubtful documents are asked for at once.
        package var mostLimboResolutions: Int
        /// Where commits that must not happen twice leave their markers; nil for none. See ``CommitMarker``.
        package var markers: CollectionPath?
        /// Seeds the chance in waiting times and in the names of markers.
        package var seed: UInt64

        package init(
            database: DatabaseID, user: SyncUser = SyncUser(nil), isUserKnown: Bool = true,
            policy: CollectionPolicy = .leastRecentlyUsed, mostLimboResolutions: Int = 100,
            markers: CollectionPath? = nil, seed: UInt64
        ) {
            self.database = database
            self.user = user
            self.isUserKnown = isUserKnown
            self.policy = policy
            self.mostLimboResolutions = mostLimboResolutions
            self.markers = markers
            self.seed = seed
        }
    }

    /// Why the network is not used.
    enum OfflineCause {
        case notStarted, disabled, storeFailed, userChanges, restarts, shutDown
        /// Another client is the owner.
        case guest
    }

    let database: DatabaseID
    let store: LocalStore
    var now = Timestamp.noVersion
    var effects: [SyncEffect] = []

    var registry = ListenerRegistry()
    var views: [SyncQuery: (view: View, target: Int)] = [:]
    var queriesOfTarget: [Int: [SyncQuery]] = [:]
    /// The queries whose views wait for the server's news of acknowledged writes.
    var awaitingQueries: Set<SyncQuery> = []
    /// The queries whose results lack documents within their limits, as the replica could not be read.
    var unfilledQueries: Set<SyncQuery> = []
    /// How often a view was compared with changes.
    var viewUpdates = 0
    var router = ViewRouter()
    var limbo: LimboTracker

    var streams: [SyncStream: StreamState] = [.watch: StreamState(), .write: StreamState()]
    var watchedTargets: [Int: WatchedTarget] = [:]
    var aggregator: WatchAggregator?
    var lastWireID = 0
    /// The first batches of the queue, to be sent in order.
    var pipeline: [MutationBatch] = []
    /// How many of them were sent on the open stream.
    var sentCount = 0
    /// A batch whose first attempt was counted when it was stored.
    var countedBatch: Int?
    /// A refusal that may be due to an earlier attempt of the first batch.
    var doubt: WriteDoubt?
    var lastRead = 0
    var streamToken: [UInt8] = []
    var hasShakenHands = false
    var online = OnlineStateTracker()
    var offlineCauses: Set<OfflineCause> = [.notStarted]

    /// The writes that wait for the server, by user and batch.
    var writesOfBatch: [SyncUser: [Int: Int]] = [:]
    var waitsForBatch: [Int: [Int]] = [:]
    var retries: [StoreRetry] = []
    var retryBackoff = Backoff()
    /// The guests' requests for which the owner listens.
    var served: Set<ServedRequest> = []
    /// What a guest has asked the owner for, by whether the server is needed, and whether that is out of date.
    var requested: [SyncQuery: Bool] = [:]
    var areRequestsDue = false
    /// How often a guest has looked since there was an owner.
    var looksWithoutOwner = 0
    /// The users whom credentials have named and the replica does not show yet, each in its turn; of those whom a guest's have
    /// named, the last. A replica shows one user's writes: those of the owner's. Nil for one who is yet to be named.
    var namedUsers: [SyncUser?] = []
    var jitter: JitterGenerator
    var tickets: [SyncTimer: Int] = [:]
    var lastTicket = 0
    /// The collection that was asked for last.
    private var collection: (threshold: Int, percentile: Int)?

    private let user: SyncUser
    let isUserKnown: Bool
    let markers: CollectionPath?

    package init(_ replica: any Replica, _ configuration: Configuration) {
        database = configuration.database
        user = configuration.user
        isUserKnown = configuration.isUserKnown
        markers = configuration.markers
        store = LocalStore(replica, configuration.policy, user: configuration.user)
        limbo = LimboTracker(limit: max(1, configuration.mostLimboResolutions))
        jitter = JitterGenerator(seed: configuration.seed)
    }

    /// What follows from an input that happens at `time`, which never decreases.
    package func handle(_ input: SyncInput, at time: Timestamp) -> [SyncEffect] {
        now = time
        effects = []
        lookAtOthers(input)
        handle(input)
        absorb()
        if mayMakeRoom { awaitPeers() }
        requestListens()
        return effects
    }

    private func handle(_ input: SyncInput) {
        switch input {
        case .start: if offlineCauses.contains(.notStarted) { retryUntilStored(.start(user)) }
        case .shutdown: shutDown()
        case .streamOpened(let stream, let connection): streamOpened(stream, connection)
        case .streamClosed(let stream, let connection, let error, let isNetworkFailure):
            streamClosed(stream, connection, error, isNetworkFailure: isNetworkFailure)
        case .watch(let change, let connection):
            if isCurrent(.watch, connection) { handle(change) }
        case .writeResponse(let response, let connection):
            if isCurrent(.write, connection) { handle(response) }
        case .documentsRead(let result, let read): documentsRead(result, read)
        case .timer(let timer, let ticket):
            if tickets[timer] == ticket { fire(timer) }
        default: handleCall(input)
        }
    }

    private func handleCall(_ input: SyncInput) {
        guard !offlineCauses.contains(.shutDown) else { return refuse(input) }
        switch input {
        case .listen(let query, let options, let listener): listen(to: query, QueryListener(listener, options))
        case .unlisten(let listener): unlisten(listener)
        case .write(let writes, let write): self.write(writes, write)
        case .waitForPendingWrites(let wait): waitForPendingWrites(wait)
        case .observeSnapshotsInSync(let observer):
            registry.syncObservers.insert(observer)
            effects.append(.snapshotsInSync(observer: observer))
        case .endSnapshotsInSync(let observer): registry.syncObservers.remove(observer)
        case .enableNetwork: switchNetwork(on: true)
        case .disableNetwork: switchNetwork(on: false)
        case .connectivityRestored: restartNetwork()
        case .changeUser(let user): credentialsName(user)
        case .loadBundle(let bytes, let load): loadBundle(bytes, load)
        case .collectGarbage(let threshold, let percentile):
            collection = (threshold, percentile)
            collectGarbage()
        case .cancelWrite(let batch, let call): finish(call) { () throws(SyncError) in try cancelWrite(batch) }
        case .retryRejectedWrite(let batch, let write): retryRejected(batch, write)
        case .dropRejectedWrite(let batch, let call): finish(call) { () throws(SyncError) in try dropRejected(batch) }
        case .pin(let query, let call): finish(call) { () throws(SyncError) in try pin(query, true) }
        case .unpin(let query, let call): finish(call) { () throws(SyncError) in try pin(query, false) }
        case .evict(let query, let call): finish(call) { () throws(SyncError) in try evict(query) }
        default: break
        }
    }

    /// One pass. While the replica is too large and a pass helps, another one follows: between them, other inputs have
    /// their turn.
    func collectGarbage() {
        guard isOwner, let (threshold, percentile) = collection,
            (try? store.collect(threshold: threshold, percentile: percentile)) == true
        else { return }
        startTimer(.collection, 0)
    }

    /// After the last input, whoever waits for an answer gets one.
    private func refuse(_ input: SyncInput) {
        let error = SyncError(.failedPrecondition, "The client has been terminated.")
        switch input {
        case .listen(_, _, let listener): effects.append(.listenerFailed(error, listener: listener))
        case .write(_, let write): effects.append(.writeFinished(error, write: write))
        case .waitForPendingWrites(let wait): effects.append(.pendingWritesFinished(error, wait: wait))
        case .loadBundle(_, let load): effects.append(.bundleFailed(error, load: load))
        case .retryRejectedWrite(_, let write): effects.append(.writeFinished(error, write: write))
        case .cancelWrite(_, let call), .dropRejectedWrite(_, let call), .pin(_, let call), .unpin(_, let call),
            .evict(_, let call):
            effects.append(.callFinished(error, call: call))
        default: break
        }
    }

    private func finish(_ call: Int, _ body: () throws(SyncError) -> Void) {
        do throws(SyncError) {
            try body()
            effects.append(.callFinished(nil, call: call))
        } catch {
            effects.append(.callFinished(error, call: call))
        }
    }

    // MARK: What is going on

    /// The batches that were sent, or wait for the stream, and are not answered.
    package var outstandingWriteCount: Int { pipeline.count }
    package var activeLimboDocuments: [DocumentPath] { limbo.activePaths }
    package var enqueuedLimboDocuments: [DocumentPath] { limbo.waitingPaths }
}
