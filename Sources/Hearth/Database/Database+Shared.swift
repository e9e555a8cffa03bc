// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
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

    /// What a database has in common with its views for users; see ``asUser(_:)``.
    final class Shared: Sendable {
        let path: String
        let projectID: String?
        let remote: Remote?
        let queues = WorkQueues()
        private let state: Mutex<State>

        init(path: String, settings: FirestoreSettings, projectID: String?, remote: Remote?) {
            self.path = path
            self.projectID = projectID
            self.remote = remote
            state = Mutex(State(settings: settings.values))
        }

        @inline(__always)
        func withLock<R, E: Error>(_ body: (inout State) throws(E) -> sending R) throws(E) -> sending R {
            try state.withLock(body)
        }
    }
}
