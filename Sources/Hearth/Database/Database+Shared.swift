// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import LMDB
internal import Synchronization

extension Database {
    struct State {
        var settings: FirestoreSettings.Values
        var engine: Engine?
        var hub: ListenerHub?
        var client: SyncClient?
        var timeToLiveTimer: TimeToLiveTimer?
        var callbackQueue: CallbackQueue?
        var isTerminated = false
        /// Known once the file has been open. Snapshots and references outlive ``Database/terminate()``.
        var identity: DatabaseID?
        var rules: SecurityRules?
    }

    /// A thread's own reference to the engine. The thread counts references to it instead of those to the engine, which all threads
    /// would count, so that their processors passed one cache line back and forth.
    final class EngineHandle: Sendable {
        let engine: Engine
        private let padding = CacheLinePadding()

        init(_ engine: Engine) {
            self.engine = engine
        }
    }

    private final class KnownEngine: Sendable {
        let handle = Mutex<EngineHandle?>(nil)
        private let padding = CacheLinePadding()
    }

    /// What a database has in common with its views for users; see ``asUser(_:)``.
    final class Shared: Sendable {
        let path: String
        let projectID: String?
        let queues = WorkQueues()
        let indexManager = PersistentCacheIndexManager()
        let loggingThreads = LoggingThreads()
        /// Locked shortly, because the program's main thread asks for the settings, too, and a commit for the rules in its turn: nobody
        /// waits for the disk or for another thread's work meanwhile.
        private let state: Mutex<State>
        /// Held while the file is opened, cleared or closed. Taken before the lock of `state`.
        private let file = Mutex(())
        /// For threads that have asked for the engine since it was opened. Set and cleared under the lock of `state`.
        private let knownEngines = (0..<ShardNumber.count).map { _ in KnownEngine() }
        private let hasRemote: Atomic<Bool>

        init(path: String, settings: FirestoreSettings.Values, projectID: String?) {
            self.path = path
            self.projectID = projectID
            state = Mutex(State(settings: settings))
            hasRemote = Atomic(settings.remote != nil)
        }

        /// Whether the database keeps the offline data of a server's database. It does not change once the file is open.
        var isConnected: Bool {
            // Without this, the compiler takes an atomic load for something that may release objects, and callers count what they
            // came through: a reference, its origin, the database.
            @inline(never) @_effects(releasenone)
            get { hasRemote.load(ordering: .relaxed) }
        }

        /// - Returns: whether the settings are as asked for: once the file is open, they can no longer be changed. Waits for a thread
        ///   that is opening the file, which has read them already.
        func change(_ settings: FirestoreSettings.Values) -> Bool {
            withFile {
                state.withLock { state in
                    guard state.engine == nil else { return state.settings == settings }
                    state.settings = settings
                    hasRemote.store(settings.remote != nil, ordering: .relaxed)
                    return true
                }
            }
        }

        /// The engine, as far as this thread knows of it.
        var knownEngine: EngineHandle? {
            get { ShardNumber.withOwn(of: knownEngines) { own in own.handle.withLock { $0 } } }
            set { knownEngines[ShardNumber.own].handle.withLock { $0 = newValue } }
        }

        func forgetEngine() {
            for known in knownEngines { known.handle.withLock { $0 = nil } }
        }

        /// Runs `body`, which may wait for the disk, while no other thread opens, clears or closes the file.
        func withFile<R: Sendable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
            try file.withLock { (_) throws(E) -> R in try body() }
        }

        @inline(__always)
        func withLock<R, E: Error>(_ body: (inout State) throws(E) -> sending R) throws(E) -> sending R {
            try state.withLock(body)
        }
    }
}
