// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
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
        var rules: SecurityRules?
    }

    private final class OpenEngine: Sendable {
        let engine = Mutex<Engine?>(nil)
        private let padding = CacheLinePadding()
    }

    /// What a database has in common with its views for users; see ``asUser(_:)``.
    final class Shared: Sendable {
        let path: String
        let projectID: String?
        let queues = WorkQueues()
        private let state: Mutex<State>
        /// For threads that have asked for the engine since it was opened. Set and cleared under the lock of `state`.
        private let openEngines = (0..<ShardNumber.count).map { _ in OpenEngine() }
        private let hasRemote: Atomic<Bool>

        init(path: String, settings: FirestoreSettings.Values, projectID: String?) {
            self.path = path
            self.projectID = projectID
            state = Mutex(State(settings: settings))
            hasRemote = Atomic(settings.remote != nil)
        }

        /// Whether the database keeps the offline data of a server's database. It does not change once the file is open.
        var isConnected: Bool { hasRemote.load(ordering: .relaxed) }

        /// - Returns: whether the settings can still be changed, because the file is not open yet.
        func change(_ settings: FirestoreSettings.Values) -> Bool {
            state.withLock { state in
                guard state.engine == nil else { return false }
                state.settings = settings
                hasRemote.store(settings.remote != nil, ordering: .relaxed)
                return true
            }
        }

        /// The engine, as far as this thread knows of it.
        var knownEngine: Engine? {
            get { ShardNumber.withOwn(of: openEngines) { own in own.engine.withLock { $0 } } }
            set { openEngines[ShardNumber.own].engine.withLock { $0 = newValue } }
        }

        func forgetEngine() {
            for shard in openEngines { shard.engine.withLock { $0 = nil } }
        }

        @inline(__always)
        func withLock<R, E: Error>(_ body: (inout State) throws(E) -> sending R) throws(E) -> sending R {
            try state.withLock(body)
        }
    }
}
