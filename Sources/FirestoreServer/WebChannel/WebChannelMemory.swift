// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import Synchronization

    /// The bytes that wait in all sessions. Once they are many, each session gets little: clients that never acknowledge anything cost
    /// the others speed and not the server its memory.
    final class WebChannelMemory: Sendable {
        private let total = Atomic<Int>(0)
        private let limit: Int

        /// What may wait in one session.
        private static let usualSize = 2 << 20
        private static let tightSize = 64 << 10

        init(limit: Int) {
            self.limit = limit
        }

        func add(_ bytes: Int) {
            if bytes != 0 { total.add(bytes, ordering: .relaxed) }
        }

        var bytes: Int { total.load(ordering: .relaxed) }
        var isTight: Bool { bytes > limit }
        var sessionSize: Int { isTight ? WebChannelMemory.tightSize : WebChannelMemory.usualSize }
    }
#endif
