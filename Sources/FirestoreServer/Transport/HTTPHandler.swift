// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOCore
    internal import NIOHTTP1

    /// What a route sends.
    enum HTTPPart: Sendable {
        case head(HTTPResponseHead)
        case body(ByteBuffer)
        case end
    }

    /// One HTTP/1.1 connection, or one stream of HTTP/2 that is not gRPC. Collects a request, runs its route in a task, and writes
    /// what that sends.
    final class HTTPHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPPart
        typealias OutboundOut = HTTPServerResponsePart

        private let router: RequestRouter
        private var head: HTTPRequestHead?
        /// A whole request that waits until the client has read answers to those before it.
        private var waiting: HTTPRequestHead?
        private var body = ByteBuffer()
        private var held: HeldBytes
        private var writer: PacedWriter?
        private var task: Task<Void, Never>?
        private var timeout: Scheduled<Void>?
        /// Why the request is not read on.
        private var refusal: RequestError?
        private var sizeLimit = RequestLimits.size
        private var closes = false
        /// How many requests have begun.
        private var count = 0

        init(_ router: RequestRouter) {
            self.router = router
            held = HeldBytes(router.memory)
        }

        func channelActive(context: ChannelHandlerContext) {
            awaitRequest(context.channel)
            context.fireChannelActive()
        }

        private func awaitRequest(_ channel: any Channel) {
            timeout?.cancel()
            timeout = channel.eventLoop.scheduleTask(in: TimeAmount(router.limits.request)) {
                channel.close(promise: nil)
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                awaitRequest(context.channel)
                count += 1
                self.head = head
                body.clear()
                held.release()
                refusal = nil
                sizeLimit = WebChannelMethods.isChannel(head) ? RequestLimits.formSize : RequestLimits.size
                if head.version == .http1_1, head.headers.contains(name: "expect") {
                    // Some clients wait for it before they send a long body.
                    let head = HTTPResponseHead(version: head.version, status: .continue)
                    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
                }
            case .body(let bytes): receive(bytes)
            case .end:
                timeout?.cancel()
                guard let head else { return }
                self.head = nil
                // Requests that were sent together come here one by one. The next must not begin because its answer would wait, too.
                if context.channel.isWritable { run(context, head) } else { waiting = head }
            }
        }

        private func receive(_ bytes: ByteBuffer) {
            guard refusal == nil else { return }
            let size = body.readableBytes + bytes.readableBytes
            do throws(RequestError) {
                guard size <= sizeLimit else { throw RequestLimits.tooLarge }
                try held.hold(size)
                body.writeImmutableBuffer(bytes)
            } catch {
                refusal = error
                body = ByteBuffer()
                held.release()
            }
        }

        private func run(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
            // Where HTTP/1.0 does not announce a length, the end of the connection ends the response.
            closes = !head.isKeepAlive || head.version == .http1_0
            let writer = PacedWriter(context.channel)
            self.writer = writer
            let responder = HTTPResponder(writer, head, router.pages.origins)
            let body = body
            self.body = ByteBuffer()
            let refusal = refusal
            task = Task { [router] in
                let answer = { () async -> StatusCode in
                    do {
                        if let refusal { throw refusal }
                        try await router.answer(try HTTPRequest(head, body), responder)
                        return responder.status
                    } catch {
                        responder.fail(error)
                        return (error as? RequestError)?.status ?? .unknown
                    }
                }
                var observer = router.observer
                if ConsoleMethods.sends(head) { observer.feed = nil }
                guard observer.isWatching else {
                    _ = await answer()
                    return
                }
                await observer.observe("\(head.method.rawValue) \(head.uri.prefix { $0 != "?" })", answer)
            }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(let head): context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .body(let bytes): context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
            case .end:
                writer = nil
                task = nil
                held.release()
                let channel = context.channel
                guard closes else {
                    let written = promise ?? context.eventLoop.makePromise()
                    // The client has the time from when the answer has left, however slowly it reads it. A request that was sent behind
                    // this one begins within the write.
                    written.futureResult.assumeIsolated().whenSuccess { [count] in
                        if count == self.count, channel.isActive { self.awaitRequest(channel) }
                    }
                    return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
                }
                context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
                promise?.succeed(())
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            writer?.setWritable(context.channel.isWritable)
            if context.channel.isWritable, let head = waiting {
                waiting = nil
                run(context, head)
            }
            context.fireChannelWritabilityChanged()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ServerIsStopping { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            timeout?.cancel()
            writer?.close()
            task?.cancel()
            held.release()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
