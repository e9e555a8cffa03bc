// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Foundation

    /// A command that runs beside the server.
    package enum ChildProcess {
        /// Runs a command with the caller's input and output, and returns its exit code: 128 and the signal's number if a signal ended
        /// it.
        ///
        /// - Parameter environment: variables to set besides the caller's.
        /// - Throws: if there is no such command.
        package static func run(_ command: [String], environment: [String: String]) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            try process.run()
            process.waitUntilExit()
            return process.terminationReason == .uncaughtSignal
                ? 128 + process.terminationStatus : process.terminationStatus
        }
    }
#endif
