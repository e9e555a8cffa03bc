// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import Synchronization

    /// How often a block ran.
    final class Runs: Sendable {
        private let runs = Mutex(0)

        var count: Int { runs.withLock { $0 } }

        /// The number of this run.
        func begin() -> Int {
            runs.withLock { runs in
                runs += 1
                return runs
            }
        }
    }
#endif
