// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Hearth

@Suite(.timeLimit(.minutes(2))) struct CallbackQueueTests {
    /// Reported once, however many callbacks wait.
    @Test func aQueueThatNobodyRunsIsTold() async throws {
        let queue = DispatchQueue(label: "test.idle", attributes: .initiallyInactive)
        let told = Atomic<Int>(0)
        let begun = Atomic<Int>(0)
        let callbacks = CallbackQueue(queue, timeLimit: .milliseconds(1)) { told.add(1, ordering: .relaxed) }
        for _ in 0..<3 { callbacks.async { begun.add(1, ordering: .relaxed) } }
        while told.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        callbacks.async { begun.add(1, ordering: .relaxed) }
        queue.activate()
        await withCheckedContinuation { continuation in callbacks.async { continuation.resume() } }
        try await Task.sleep(for: .milliseconds(20))
        #expect(told.load(ordering: .relaxed) == 1 && begun.load(ordering: .relaxed) == 4)
    }

    /// Checks again for callbacks that arrived after the one that it checked.
    @Test func laterCallbacksAreLookedAfter() async throws {
        let queue = DispatchQueue(label: "test.busy")
        let told = Atomic<Int>(0)
        let callbacks = CallbackQueue(queue, timeLimit: .milliseconds(1)) { told.add(1, ordering: .relaxed) }
        while told.load(ordering: .relaxed) == 0 {
            callbacks.async {}
            queue.async { usleep(5_000) }
            callbacks.async {}
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The main queue is the default, and a callback that waits for it is logged.
    @Test func aProgramWithoutAMainLoopIsTold() async throws {
        #expect(FirestoreSettings().dispatchQueue.label == DispatchQueue.main.label)
        await #expect(processExitsWith: .success) {
            let settings = FirestoreSettings()
            settings.cacheSettings = MemoryCacheSettings()
            let isLogged = DispatchSemaphore(value: 0)
            let log = Mutex<[String]>([])
            settings.logHandler = { level, message in
                guard level == .error else { return }
                log.withLock { $0.append(message) }
                isLogged.signal()
            }
            let database = try await Database.open(path: "none", settings: settings)
            DispatchQueue.main.async { isLogged.wait() }
            await withCheckedContinuation { continuation in
                database.document("a/b").setData([:]) { _ in continuation.resume() }
            }
            #expect(
                log.withLock { $0 } == [
                    "A callback has waited for two seconds: the main queue does not run. Call dispatchMain() or "
                        + "RunLoop.main.run(), or set FirestoreSettings.dispatchQueue."
                ])
        }
    }
}
