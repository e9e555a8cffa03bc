// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import NIOHPACK
    internal import NIOHTTP2
    internal import QueryPlanner
    internal import SwiftProtobuf
    package import SyncCore
    internal import Synchronization

    extension FirestoreClient {
        /// A way to the server for one client of offline data.
        package func makeTransport() -> any RemoteTransport { FirestoreTransport(self) }
    }

    /// The two streams, and single requests, over the connection of a ``FirestoreClient``.
    ///
    /// Everything happens on the connection's event loop, in the order of the calls, so what the server says is reported
    /// in the order in which it was said. A listen stream is not read while many of its messages wait for the machine.
    final class FirestoreTransport: RemoteTransport {
        /// A stream that was opened and not closed.
        struct OpenStream: Sendable {
            let connection: Int
            /// Distinguishes it from every other stream of this transport.
            let number: Int
            /// Nil until the server is reached.
            var channel: (any Channel)?
            /// How many writes the server has not answered, by request. The first answer is that to the handshake.
            var unanswered: [Int] = []
            var hasShakenHands = false
            /// Whether it is not read, because the machine has enough to do.
            var isPaused = false
        }

        private struct State: Sendable {
            var report: (@Sendable (SyncInput) -> Void)?
            var streams: [SyncStream: OpenStream] = [:]
            var lastNumber = 0
        }

        let client: FirestoreClient
        private let loop: any EventLoop
        private let state: NIOLoopBoundBox<State>
        /// The messages of listen streams that were reported and not taken.
        private let waiting = Atomic<Int>(0)

        /// More messages than these wait with the server.
        static let room = 256
        /// How long the server may take to answer the last request of a stream that is closed.
        private static let farewell = TimeAmount.seconds(5)

        init(_ client: FirestoreClient) {
            self.client = client
            loop = client.connector.loop
            state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
        }

        var database: DatabaseID { client.database }
        var user: SyncUser? { client.tokens.user }

        func start(_ report: @escaping @Sendable (SyncInput) -> Void) {
            loop.execute { self.state.value.report = report }
            // At once: what the program writes next belongs to that user.
            client.tokens.start { report(.changeUser($0)) }
        }

        func invalidateCredentials() { client.tokens.invalidate() }

        func stop(_ ended: @escaping @Sendable () -> Void) {
            loop.flatSubmit {
                self.state.value.report = nil
                // They may be on a connection that the server has left, which ends with its last stream.
                for stream in self.state.value.streams.values { stream.channel?.close(promise: nil) }
                self.state.value.streams = [:]
                return self.client.closing()
            }.whenComplete { _ in ended() }
        }

        // MARK: Opening and closing

        func open(_ stream: SyncStream, connection: Int) {
            loop.execute {
                guard self.state.value.report != nil else { return }
                self.state.value.streams[stream]?.channel?.close(promise: nil)
                self.state.value.lastNumber += 1
                let number = self.state.value.lastNumber
                self.state.value.streams[stream] = OpenStream(connection: connection, number: number)
                Task {
                    let token: Result<AccessToken, SyncError>
                    do throws(SyncError) { token = .success(try await self.client.tokens.token()) } catch {
                        token = .failure(error)
                    }
                    self.loop.execute { self.begin(stream, number, token) }
                }
            }
        }

        private func begin(_ stream: SyncStream, _ number: Int, _ token: Result<AccessToken, SyncError>) {
            guard isOpen(stream, number) else { return }
            let headers: HPACKHeaders
            switch token {
            case .success(let token): headers = client.headers(stream.method, token, nil)
            case .failure(let error): return end(stream, number, CallEnd(error: error))
            }
            client.begin(headers) { self.receive($0, stream, number) }.whenComplete { result in
                switch result {
                case .success(let channel):
                    guard self.isOpen(stream, number), let connection = self.state.value.streams[stream]?.connection
                    else { return channel.close(promise: nil) }
                    self.state.value.streams[stream]?.channel = channel
                    self.state.value.report?(.streamOpened(stream, connection: connection))
                case .failure(let error): self.end(stream, number, CallEnd(error, self.client.connector.endpoint))
                }
            }
        }

        private func isOpen(_ stream: SyncStream, _ number: Int) -> Bool {
            state.value.streams[stream]?.number == number
        }

        func close(_ stream: SyncStream, connection: Int) {
            loop.execute {
                guard let open = self.state.value.streams[stream], open.connection == connection else { return }
                self.state.value.streams[stream] = nil
                guard let channel = open.channel else { return }
                guard stream == .write, open.hasShakenHands else { return channel.close(promise: nil) }
                // The server may be at work on what was sent before: it is told that this was all, and not cut off.
                let last = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))
                channel.writeAndFlush(last, promise: nil)
                let end = channel.eventLoop.scheduleTask(in: FirestoreTransport.farewell) {
                    channel.close(promise: nil)
                }
                channel.closeFuture.whenComplete { _ in end.cancel() }
            }
        }

        /// The stream has ended, and not by this side.
        private func end(_ stream: SyncStream, _ number: Int, _ end: CallEnd) {
            guard isOpen(stream, number), let open = state.value.streams.removeValue(forKey: stream) else { return }
            open.channel?.close(promise: nil)
            state.value.report?(
                .streamClosed(
                    stream, connection: open.connection, client.explained(end), isNetworkFailure: end.isNetworkFailure))
        }

        // MARK: Messages

        private func receive(_ event: CallEvent, _ stream: SyncStream, _ number: Int) {
            guard isOpen(stream, number), let connection = state.value.streams[stream]?.connection else { return }
            switch event {
            case .end(let end): self.end(stream, number, end)
            case .message(let bytes):
                do {
                    guard let input = try input(bytes, stream, connection) else { return }
                    state.value.report?(input)
                    if stream == .watch { pauseIfNeeded() }
                } catch {
                    let text = (error as? RequestError)?.message ?? "\(error)"
                    end(
                        stream, number,
                        CallEnd(error: SyncError(.internal, "What the server sent cannot be read: \(text)")))
                }
            }
        }

        private func pauseIfNeeded() {
            guard waiting.add(1, ordering: .sequentiallyConsistent).newValue >= FirestoreTransport.room,
                let open = state.value.streams[.watch], !open.isPaused, let channel = open.channel
            else { return }
            state.value.streams[.watch]?.isPaused = true
            channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }

        func watchMessageTaken() {
            let left = waiting.subtract(1, ordering: .sequentiallyConsistent).newValue
            guard left == FirestoreTransport.room / 2 else { return }
            loop.execute {
                guard let open = self.state.value.streams[.watch], open.isPaused, let channel = open.channel else {
                    return
                }
                self.state.value.streams[.watch]?.isPaused = false
                channel.setOption(.autoRead, value: true).whenSuccess { channel.read() }
            }
        }

        private func input(_ bytes: ByteBuffer, _ stream: SyncStream, _ connection: Int) throws -> SyncInput? {
            switch stream {
            case .watch:
                let message = try bytes.message(as: ProtoListenResponse.self)
                return try WatchChange(message, in: database).map { .watch($0, connection: connection) }
            case .write:
                let message = try bytes.message(as: ProtoWriteResponse.self)
                let count = answered()
                let response = try WriteResponse(message, toWrites: count, in: database)
                return .writeResponse(response, connection: connection)
            }
        }

        /// How many writes the next answer is for; nil for the handshake.
        private func answered() -> Int? {
            guard var open = state.value.streams[.write] else { return nil }
            defer { state.value.streams[.write] = open }
            guard open.hasShakenHands else {
                open.hasShakenHands = true
                return nil
            }
            return open.unanswered.isEmpty ? 0 : open.unanswered.removeFirst()
        }

        func send(_ request: WatchRequest) {
            loop.execute { self.send(request.message(in: self.database), .watch) }
        }

        func send(_ request: WriteRequest) {
            loop.execute {
                if case .writes(let writes, _) = request {
                    self.state.value.streams[.write]?.unanswered.append(writes.count)
                }
                self.send(request.message(in: self.database), .write)
            }
        }

        private func send(_ message: some Message, _ stream: SyncStream) {
            guard let open = state.value.streams[stream], let channel = open.channel else { return }
            var bytes = ByteBuffer()
            do { try bytes.writeMessage(message) } catch {
                return end(
                    stream, open.number,
                    CallEnd(error: SyncError(.invalidArgument, "The request cannot be written: \(error)")))
            }
            channel.writeAndFlush(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(bytes))), promise: nil)
        }

        // MARK: Single requests

        func documents(at paths: [DocumentPath]) async throws(SyncError) -> [SyncDocument] {
            try await client.documents(at: paths)
        }

        func commit(_ writes: [Write]) async throws(SyncError) -> CommitResult { try await client.commit(writes) }

        func documents(of query: Query) async throws(SyncError) -> [SyncDocument] {
            try await client.documents(of: query)
        }

        func aggregate(_ query: AggregationQuery) async throws(SyncError) -> [Value] {
            try await client.aggregate(query)
        }
    }

    extension SyncStream {
        /// The method of the API.
        fileprivate var method: String {
            switch self {
            case .watch: "Listen"
            case .write: "Write"
            }
        }
    }
#endif
