// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Threads for blocks of transactions, which wait for the disk, for each other, and with a remote for the server.
///
/// The server's answers come through Swift's pool. On Linux, that pool and Dispatch's concurrent queues have their threads
/// in common: one for each processor and, while all of them wait, one more each second, up to 255. Blocks that waited on a
/// concurrent queue would keep the threads from the program's tasks, and from the answers that they wait for. A serial
/// queue has its thread from another pool, so each block runs on a serial queue of its own.
enum TransactionThreads {
    /// How many blocks run at one time, in all databases of the process. Later ones wait in the order of their calls. Serial
    /// queues, such as those of the databases, have 255 threads together.
    static let limit = 64

    private static let entrance = DispatchQueue(label: "hearth.transactions")
    private static let free = DispatchSemaphore(value: limit)

    static func run(_ work: @escaping @Sendable () -> Void) {
        entrance.async {
            free.wait()
            DispatchQueue(label: "hearth.transaction").async {
                work()
                free.signal()
            }
        }
    }
}
