// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Dispatch
internal import Synchronization

/// Starts writeback of a large commit's pages while LMDB is still writing further ones, so that LMDB's sync has less to do.
///
/// It makes nothing durable: LMDB syncs as it does without, and gets the errors of pages that could not be written.
enum EarlyWriteback {
    /// From this many changes on, a commit takes longer than starting a thread.
    static let worthwhile = 256
    /// Microseconds between two calls. Each starts writeback of the pages written since the last one.
    private static let pause: UInt32 = 200

    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    /// Runs `commit` with early writeback.
    @unsafe
    static func during(_ environment: OpaquePointer, _ commit: () -> Int32) -> Int32 {
        let descriptor = unsafe Descriptors.data(of: environment)
        // Its own descriptor, so that nobody waits for the last call.
        let own = System.duplicate(descriptor)
        guard own >= 0 else { return commit() }
        let isOver = Flag()
        defer { isOver.isSet.store(true, ordering: .relaxed) }
        DispatchQueue.global().async {
            while !isOver.isSet.load(ordering: .relaxed) {
                hearth_begin_writeback(own)
                System.pause(microseconds: EarlyWriteback.pause)
            }
            System.close(own)
        }
        return commit()
    }
}
