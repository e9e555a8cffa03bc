// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import LMDB

    /// Gives the system the memory that the server has freed after a peak.
    ///
    /// glibc gives back only what lies at the end of a heap, and there are several heaps for the threads: a few small blocks that are used
    /// for long keep all before them. After clients that read slowly 228 MB were in memory, of which 6 MB were in use.
    struct FreedMemory {
        /// What is worth that those who allocate wait for a moment.
        private static let worth = 32 << 20

        /// What was in memory after the last time, or less since then. What glibc tells of freed blocks includes those given back.
        private var left = 0

        /// Gives it back if that is worth it. Not for an event loop: it may take some milliseconds.
        ///
        /// - Returns: whether it was.
        @discardableResult
        mutating func giveBack() -> Bool {
            let used = Processes.anonymousMemory
            left = min(left, used)
            guard used > left + FreedMemory.worth,
                Environment.giveBackFreedMemory(ifMoreThan: FreedMemory.worth)
            else { return false }
            left = Processes.anonymousMemory
            return true
        }
    }
#endif
