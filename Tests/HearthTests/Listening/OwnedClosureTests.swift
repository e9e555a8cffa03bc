// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

@testable import Hearth

/// Closures of the program that have the last reference to an object, which calls Hearth at its end.
@Suite struct OwnedClosureTests {
    private final class Owner: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
    }

    private static func observe(_ task: LoadBundleTask) -> LoadBundleObserverHandle {
        let owner = Owner { task.removeAllObservers() }
        return task.addObserver { _ in withExtendedLifetime(owner) {} }
    }

    @Test func observersOfABundle() async {
        await #expect(processExitsWith: .success) {
            let task = LoadBundleTask(CallbackQueue(DispatchQueue(label: "test"), timeLimit: .never) {})
            task.removeObserverWith(handle: OwnedClosureTests.observe(task))
            _ = OwnedClosureTests.observe(task)
            task.removeAllObservers()
        }
    }

    private static func observe(_ hub: ListenerHub, _ key: ObjectIdentifier) {
        let owner = Owner { hub.removeInSync(key) }
        hub.addInSync(key) { withExtendedLifetime(owner) {} }
    }

    @Test func inSyncListeners() async {
        await #expect(processExitsWith: .success) {
            let settings = FirestoreSettings()
            settings.cacheSettings = MemoryCacheSettings()
            let database = try await Database.open(path: "none", settings: settings)
            let hub = try database.engineAndHub().hub
            let key = ObjectIdentifier(hub)
            database.queues.listeners.sync { OwnedClosureTests.observe(hub, key) }
            hub.removeInSync(key)
            database.queues.listeners.sync { OwnedClosureTests.observe(hub, key) }
            hub.stop()
        }
    }
}
