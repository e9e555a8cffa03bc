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
        if let logHandler = settings.logHandler { return logHandler(level, message()) }
        guard level == .error || Database.isVerbose.load(ordering: .relaxed) else { return }
        StandardError.write(message())
    }
}

enum StandardError {
    /// Writes a line. Ignores failures, because there is no other place to report them.
    static func write(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
