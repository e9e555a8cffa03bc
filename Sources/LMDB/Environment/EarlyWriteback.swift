// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Has the system begin to write a large commit's pages to the device while LMDB still hands it further ones, so that LMDB's
/// sync finds fewer left.
///
/// It makes nothing durable and decides nothing: LMDB syncs as it does without, and learns there of pages that could not be
/// written.
enum EarlyWriteback {
    /// A commit of so many changes takes longer than a thread takes to begin.
    static let worthwhile = 256
    /// Microseconds between two calls, each of which takes on what has come since the last one.
    private static let pause: UInt32 = 200

    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// Goes on while `commit` runs.
    @unsafe
    static func during(_ environment: OpaquePointer, _ commit: () -> Int32) -> Int32 {
        let descriptor = unsafe Environment.dataDescriptor(of: environment)
        // A descriptor of its own, so that nobody need wait for the last call.
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return commit() }
        let isOver = Flag()
        defer { isOver.isSet.store(true, ordering: .relaxed) }
        DispatchQueue.global().async {
            while !isOver.isSet.load(ordering: .relaxed) {
                hearth_begin_writeback(own)
                usleep(EarlyWriteback.pause)
            }
            close(own)
        }
        return commit()
    }
}
