// SPDX-License-Identifier: Apache-2.0

#if Server
    import FirestoreProtocol
    import NIOCore
    import NIOHPACK
    import NIOPosix
    import Synchronization
    import Testing

    @testable import FirestoreServer

    /// What a call writes at a time.
    @Suite struct GRPCCallTests {
        /// A listener's first documents come by hundreds, and may be large.
        @Test func partsOfAnAnswer() async throws {
            // A server would close a connection that says nothing.
            let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: "127.0.0.1", port: 0).get()
            let sizes = WrittenSizes()
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SizeHandler(sizes))
                    }
                }
                .connect(host: "127.0.0.1", port: try #require(listener.localAddress?.port)).get()
            let call = try GRPCCall([":method": "POST"], PacedWriter(channel))
            var message = ProtoListenResponse()
            message.documentDelete.document = String(repeating: "x", count: 100_000)
            try await call.send(Array(repeating: message, count: 500))
            let written = sizes.all.withLock { $0 }
            #expect(written.reduce(0, +) == 500 * (try frame(message).count))
            #expect(written.allSatisfy { $0 < 400_000 })
            try await channel.close()
            try await listener.close()
        }
    }

    private final class WrittenSizes: Sendable {
        let all = Mutex<[Int]>([])
    }

    /// Keeps what is written from a channel that is none of gRPC.
    private final class SizeHandler: ChannelOutboundHandler {
        typealias OutboundIn = GRPCPart

        private let sizes: WrittenSizes

        init(_ sizes: WrittenSizes) {
            self.sizes = sizes
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .messages(let bytes) = unwrapOutboundIn(data) {
                sizes.all.withLock { $0.append(bytes.readableBytes) }
            }
            promise?.succeed(())
        }
    }
#endif
