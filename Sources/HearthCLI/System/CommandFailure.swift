// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel

/// Why a command ended early: a sentence for standard error, and the exit code.
struct CommandFailure: Error {
    let message: String
    let code: Int32

    /// The command could not run.
    init(_ message: String) {
        self.message = message
        code = 2
    }

    init(_ error: EngineError, database path: String) {
        switch error {
        case .storage: message = error.message
        case .damaged, .unusable, .incomplete:
            message = error.message.contains(path) ? error.message : "\"\(path)\": \(error.message)"
        case .refused, .denied: message = "\(error.status.name): \(error.message)"
        }
        code = error.exitCode
    }
}

extension EngineError {
    /// What production would refuse too is a finding. Everything else means that the command could not run.
    var exitCode: Int32 {
        switch self {
        case .refused, .denied: 1
        case .storage, .damaged, .unusable, .incomplete: 2
        }
    }
}

extension ExitCode {
    /// The command ran and found something.
    static let found = ExitCode(1)
    static let couldNotRun = ExitCode(2)
}
