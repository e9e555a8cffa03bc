// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import BulkMove
    internal import DocumentModel
    internal import SyncCore
    internal import Synchronization

    /// Says on standard error why a request is made again. What fails together is said once.
    final class RetryNotice: Sendable {
        private let lastAttempt = Mutex(0)

        func report(_ error: SyncError, _ attempts: Int) {
            lastAttempt.withLock { last in
                guard attempts != last else { return }
                last = attempts
                ProgressBar.clearLine()
                Diagnostics.write(
                    "hearth: \(error.code.name): \(error.message) Trying again, \(attempts + 1) of \(RetryRule.attempts)"
                )
            }
        }
    }
#endif
