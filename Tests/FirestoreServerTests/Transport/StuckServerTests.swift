// SPDX-License-Identifier: Apache-2.0

#if Server
    import Dispatch
    import Foundation
    import NIOCore
    import NIOPosix
    import Synchronization
    import TestSupport
    import Testing

    @testable import FirestoreServer

    @Suite struct StuckServerTests {
        /// A process whose event loop hangs can be told to end.
        @Test func stop() async throws {
            let isStuck = Atomic(false)
            let isFree = DispatchSemaphore(value: 0)
            defer { isFree.signal() }
            let socket = ServerSocket(connections: 1, patience: .milliseconds(200)) { _ in
                isStuck.store(true, ordering: .relaxed)
                isFree.wait()
            }
            let port = try socket.bind(host: "127.0.0.1", port: 0)
            let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            try await wait(for: "the connection") { isStuck.load(ordering: .relaxed) }
            let isStopped = Atomic(false)
            Thread.detachNewThread {
                socket.stop()
                isStopped.store(true, ordering: .relaxed)
            }
            try await wait(for: "the stop") { isStopped.load(ordering: .relaxed) }
            try await client.close()
        }
    }
#endif
