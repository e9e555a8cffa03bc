// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Synchronization

    /// How many shapes of queries the databases of a server may still keep. They share it: a client may name any number of databases.
    final class ShapeRoom: Sendable {
        private let left: Mutex<Int>

        /// - Parameter limit: a shape takes a kilobyte or more.
        init(limit: Int = 100_000) { left = Mutex(limit) }

        /// Takes the room of one shape, and returns whether there was any.
        func take() -> Bool {
            left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
        }

        func giveBack(_ count: Int) { left.withLock { $0 += count } }
    }
#endif
