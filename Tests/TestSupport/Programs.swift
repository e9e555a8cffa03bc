// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Process {
    /// Runs it with no signal blocked, as a shell does. The threads of tests block nearly all, what `run()` starts inherits that, and few
    /// programs undo it: one that waits for a signal would wait for ever.
    package func start() throws {
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try run()
    }
}
