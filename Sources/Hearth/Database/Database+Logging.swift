// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

extension FirestoreSettings {
    /// How much a message matters.
    public enum LogLevel: Sendable, Hashable {
        /// For whoever looks for a fault: a database was opened or terminated, indexes were set.
        case debug
        /// Something failed, and no caller hears of it.
        case error
    }
}

extension Database {
    /// Whether messages of the level `debug` go to standard error where no ``FirestoreSettings/logHandler`` is set. Off at
    /// first; for all databases of the process.
    public static func enableLogging(_ logging: Bool) {
        isVerbose.store(logging, ordering: .relaxed)
    }

    private static let isVerbose = Atomic<Bool>(false)

    /// Failures of calls whose callback was left out.
    func log(_ failure: (any Error)?, of description: String) {
        if let failure { log(.error, "\(description) failed: \(failure.localizedDescription)") }
    }

    /// For programs without a main loop.
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
    /// Writes a line; does nothing where that fails, for there is nobody left to tell.
    static func write(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
