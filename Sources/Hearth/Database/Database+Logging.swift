// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

extension FirestoreSettings {
    /// The severity of a log message.
    public enum LogLevel: Sendable, Hashable {
        /// Details that help to find a fault: a database was opened or terminated, indexes were set.
        case debug
        /// A failure that no caller is told about.
        case error
    }
}

extension Database {
    /// Enables or disables messages of level `debug` on standard error, for every database of the process without a
    /// ``FirestoreSettings/logHandler``. They are disabled by default.
    public static func enableLogging(_ logging: Bool) {
        isVerbose.store(logging, ordering: .relaxed)
    }

    private static let isVerbose = Atomic<Bool>(false)

    /// Logs the failure of a call without a callback.
    func log(_ failure: (any Error)?, of description: String) {
        if let failure { log(.error, "\(description) failed: \(failure.localizedDescription)") }
    }

    /// Logs that nothing runs the main queue, which happens in programs without a main loop.
    func logStuckCallbacks() {
        log(
            .error,
            "A callback has waited for two seconds: the main queue does not run. Call dispatchMain() or RunLoop.main.run(), or "
                + "set FirestoreSettings.dispatchQueue.")
    }

    func log(_ level: FirestoreSettings.LogLevel, _ message: @autoclosure () -> String) {
        if let logHandler = settings.logHandler {
            return state.loggingThreads.note { logHandler(level, message()) }
        }
        guard level == .error || Database.isVerbose.load(ordering: .relaxed) else { return }
        StandardError.write(message())
    }

    /// Throws in the program's log handler, where a call that waited for the work that is logged would wait for itself.
    func requireOutsideLogHandler() throws(FirestoreError) {
        guard state.loggingThreads.containCurrent else { return }
        throw FirestoreError(
            .failedPrecondition,
            "A log handler must not wait for the database whose message it gets. Use the form with a callback, such as "
                + "terminate(completion:), or await the call in a task.")
    }
}

/// The threads on which a program's log handler runs.
final class LoggingThreads: Sendable {
    /// How many calls of the handler each thread is in.
    private let calls = Mutex<[ObjectIdentifier: Int]>([:])
    /// Of all threads. Every blocking call asks.
    private let count = Atomic(0)

    func note(_ call: () -> Void) {
        let thread = ObjectIdentifier(Thread.current)
        count.wrappingAdd(1, ordering: .relaxed)
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        calls.withLock { $0[thread, default: 0] += 1 }
        call()
        calls.withLock { calls in
            let count = calls[thread, default: 1] - 1
            calls[thread] = count > 0 ? count : nil
        }
    }

    var containCurrent: Bool {
        guard count.load(ordering: .relaxed) > 0 else { return false }
        let thread = ObjectIdentifier(Thread.current)
        return calls.withLock { $0[thread] != nil }
    }
}

enum StandardError {
    /// Writes a line. Ignores failures, because there is no other place to report them.
    static func write(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
