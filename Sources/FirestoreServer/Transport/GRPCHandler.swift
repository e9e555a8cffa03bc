// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP2

    /// What a call sends: messages with their prefixes, then one status.
    enum GRPCPart: Sendable {
        case messages(ByteBuffer)
        case end(RequestError?)
    }

    /// One gRPC call: an HTTP/2 stream. Reads the request, runs the method in a task, and writes what it sends.
    final class GRPCHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundIn = GRPCPart
        typealias OutboundOut = HTTP2Frame.FramePayload

        private let methods: GRPCMethods
        private let limits: ConnectionLimits
        private var call: GRPCCall?
        private var method: GRPCMethod?
        private var reader = GRPCMessageReader.ofRequest
        private let memory: RequestMemory
        /// What the only message of a call holds of it.
        private var held: HeldBytes
        /// Passes the messages of a method that has many on.
        private var messages: WaitingMessages?
        /// Whether the client waits because too many messages do.
        private var holdsReads = false
        private var task: Task<Void, Never>?
        private var timers: [Scheduled<Void>] = []
        private var sentHeaders = false
        private var isEnded = false

        init(_ methods: GRPCMethods, _ limits: ConnectionLimits, _ memory: RequestMemory) {
            self.methods = methods
            self.limits = limits
            self.memory = memory
            held = HeldBytes(memory)
        }

        // MARK: Reading

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isEnded else { return }
            switch unwrapInboundIn(data) {
            case .headers(let frame): begin(context, frame)
            case .data(let frame):
                guard case .byteBuffer(let bytes) = frame.data else { return }
                receive(context, bytes, isLast: frame.endStream)
            default: break
            }
        }

        private func begin(_ context: ChannelHandlerContext, _ frame: HTTP2Frame.FramePayload.Headers) {
            guard call == nil else { return end(context, .invalid("A call has headers once.")) }
            do throws(RequestError) {
                let call = try GRPCCall(frame.headers, PacedWriter(context.channel))
                self.call = call
                guard let method = methods[call.path] else {
                    return end(context, RequestError(.unimplemented, "Method not found: \(call.path)"))
                }
                self.method = method
                if let timeout = call.timeout { stop(context, after: timeout, .deadlineExceeded, "Deadline Exceeded") }
                if case .duplex = method {
                    runDuplex(context, call, method)
                } else if !frame.endStream {
                    let timeout = TimeAmount(limits.request)
                    stop(context, after: timeout, .deadlineExceeded, "The request did not arrive in time.")
                }
            } catch {
                return end(context, error)
            }
            if frame.endStream { receive(context, ByteBuffer(), isLast: true) }
        }

        private func receive(_ context: ChannelHandlerContext, _ bytes: ByteBuffer, isLast: Bool) {
            guard let call, let method else { return }
            reader.append(bytes)
            do throws(RequestError) {
                if let messages {
                    try messages.hold(arriving: reader.byteCount)
                    while let message = try reader.next() { messages.add(message) }
                    if isLast { messages.finish() }
                    return
                }
                // Until the call ends.
                try held.hold(reader.byteCount)
                guard let message = try reader.onlyMessage(isLast: isLast) else { return }
                timers.popLast()?.cancel()
                runSingle(context, call, method, message)
            } catch {
                end(context, error)
            }
        }

        private func runSingle(
            _ context: ChannelHandlerContext, _ call: GRPCCall, _ method: GRPCMethod, _ message: ByteBuffer
        ) {
            let run = observed(call) { await method.run(call, message) }
            task =
                method.isBrief(message)
                ? Task.immediate(executorPreference: LoopExecutor(context.eventLoop), operation: run)
                : Task(operation: run)
        }

        private func runDuplex(_ context: ChannelHandlerContext, _ call: GRPCCall, _ method: GRPCMethod) {
            let isolated = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            let messages = WaitingMessages(memory) { [loop = context.eventLoop] in
                loop.execute {
                    let (handler, context) = isolated.value
                    handler.readOn(context)
                }
            }
            self.messages = messages
            task = Task(operation: observed(call) { await method.run(call, messages) })
        }

        /// What is not read is not acknowledged, so that the client's window closes.
        func read(context: ChannelHandlerContext) {
            holdsReads = messages?.isFull ?? false
            if !holdsReads { context.read() }
        }

        private func readOn(_ context: ChannelHandlerContext) {
            guard holdsReads, !isEnded else { return }
            holdsReads = false
            context.read()
        }

        /// Runs a call, and tells who watches.
        private func observed(
            _ call: GRPCCall, _ run: @escaping @Sendable () async -> StatusCode
        ) -> @Sendable () async -> Void {
            guard let observer = methods.observer, observer.isWatching else { return { _ = await run() } }
            return { await observer.observe(String(call.path.split(separator: "/").last ?? ""), run) }
        }

        // MARK: Writing

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !isEnded else {
                promise?.fail(CancellationError())
                return
            }
            switch unwrapOutboundIn(data) {
            case .messages(let bytes):
                if !sentHeaders {
                    sentHeaders = true
                    context.write(wrapOutboundOut(.headers(.init(headers: GRPCHeaders.start))), promise: nil)
                }
                context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(bytes)))), promise: promise)
            case .end(let error):
                end(context, error)
                promise?.succeed(())
            }
        }

        /// Sends the status, with headers of its own if there was no message, and forgets the call.
        private func end(_ context: ChannelHandlerContext, _ error: RequestError?) {
            guard !isEnded else { return }
            isEnded = true
            let trailers = GRPCHeaders.end(error, isOnly: !sentHeaders)
            context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: trailers, endStream: true))))
                .assumeIsolated().whenComplete { _ in
                    // The stream of a client that is still sending is open. Closing it alone would reset it as cancelled, which
                    // clients report instead of the status.
                    context.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
                    context.close(promise: nil)
                }
            release()
        }

        private func release() {
            for timer in timers { timer.cancel() }
            timers = []
            task?.cancel()
            messages?.end()
            // It refers to this handler.
            messages = nil
            call?.writer.close()
            reader = .ofRequest
            held.release()
        }

        private func stop(
            _ context: ChannelHandlerContext, after time: TimeAmount, _ status: StatusCode, _ message: String
        ) {
            let isolated = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timers.append(
                context.eventLoop.scheduleTask(in: time) {
                    let (handler, context) = isolated.value
                    handler.end(context, RequestError(status, message))
                })
        }

        // MARK: The stream's state

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            call?.writer.setWritable(context.channel.isWritable)
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            isEnded = true
            release()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
