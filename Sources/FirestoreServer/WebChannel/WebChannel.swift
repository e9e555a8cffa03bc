// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import Synchronization

    /// A session and those who wait for it: the service for messages and for room, requests of the client for theirs.
    final class WebChannel: Sendable {
        /// The method whose stream it carries.
        enum Method: String, Sendable {
            case listen = "Listen"
            case write = "Write"
        }

        private struct State {
            var session: WebChannelSession
            /// Cuts off the back channel's connection.
            var abandon: (@Sendable () -> Void)?
            var task: Task<Void, Never>?
        }

        let id: String
        let method: Method
        private let memory: WebChannelMemory
        private let changes = Wakeups()
        private let state: Mutex<State>

        init(_ id: String, _ method: Method, _ memory: WebChannelMemory, at now: Duration) {
            self.id = id
            self.method = method
            self.memory = memory
            state = Mutex(State(session: WebChannelSession(at: now)))
        }

        /// Changes the session, and counts what it now holds.
        private func change<Result, Failure: Error>(
            _ body: (inout WebChannelSession) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try state.withLock { (state) throws(Failure) in
                let before = state.session.bytes
                defer { memory.add(state.session.bytes - before) }
                return try body(&state.session)
            }
        }

        // MARK: The service

        /// Runs the service, whose end the client is told.
        func run(_ service: @escaping @Sendable (WebChannel) async throws -> Void) {
            let task = Task.detached { [self] in
                do {
                    try await service(self)
                    finish(nil)
                } catch {
                    finish(error as? RequestError ?? RequestError(.unknown, "\(error)"))
                }
            }
            let isClosed = state.withLock { state in
                state.task = task
                return state.session.isClosed
            }
            if isClosed { task.cancel() }
        }

        private func finish(_ error: RequestError?) {
            change { $0.finish(error.map(WebChannelMessages.error)) }
            changes.wake()
        }

        /// The client's next message; nil when the session has ended. Only one task may wait for it.
        func next() async -> [UInt8]? {
            while !Task.isCancelled {
                let seen = changes.count
                let (map, isClosed) = change { ($0.takeMap(), $0.isClosed) }
                if let map {
                    // A request may wait for room.
                    changes.wake()
                    return map
                }
                if isClosed { return nil }
                await changes.wait(after: seen)
            }
            return nil
        }

        /// Adds messages, each as soon as the client has acknowledged enough of those before.
        ///
        /// - Throws: `CancellationError` if the session has ended.
        func send<Messages: Sequence>(
            _ messages: Messages, _ json: (Messages.Element) throws -> [UInt8]
        ) async throws {
            for message in messages {
                let json = try json(message)
                while true {
                    let seen = changes.count
                    let size = memory.sessionSize
                    let (isDone, isClosed) = change { session in
                        session.waitsForRoom = !session.hasRoom(size)
                        if !session.waitsForRoom { session.append(json) }
                        return (!session.waitsForRoom, session.isClosed)
                    }
                    if isClosed || Task.isCancelled { throw CancellationError() }
                    if isDone { break }
                    // What is there has to go before there is room. This is a change, too.
                    changes.wake()
                    await changes.wait(after: seen + 1)
                }
            }
            changes.wake()
        }

        // MARK: Requests

        /// Takes a request's messages, once there is room for them, and returns the answer.
        func receive(_ maps: [(number: Int, map: MapQueue.Map)], acknowledging id: Int?, at now: Duration) async throws
            -> [UInt8]
        {
            while true {
                let seen = changes.count
                if state.withLock({ $0.session.receives }) || Task.isCancelled { break }
                await changes.wait(after: seen)
            }
            let answer = try change { (session) throws(RequestError) in
                try session.receive(maps, acknowledging: id, at: now)
            }
            changes.wake()
            return answer
        }

        /// Sends the server's messages as the response of one request. Another such request ends it.
        func sendBack(
            after id: Int, isStreaming: Bool, longestWait: Duration, _ responder: HTTPResponder,
            _ clock: @Sendable () -> Duration
        ) async throws {
            let number = try attach(
                after: id, isStreaming: isStreaming, longestWait: longestWait, responder, at: clock())
            defer { change { $0.detach(number, at: clock()) } }
            var hasBegun = false
            while !Task.isCancelled {
                let seen = changes.count
                switch change({ $0.next(number, room: memory.sessionSize, at: clock()) }) {
                case .send(let chunk, let isLast):
                    if !hasBegun { try await responder.beginChannel() }
                    hasBegun = true
                    try await responder.write(chunk)
                    guard isLast else { continue }
                    // Before the client can use the connection for its next request, which would take this one for unread.
                    change { $0.detach(number, at: clock()) }
                    return responder.end()
                case .wait: await changes.wait(after: seen)
                case .end:
                    if !hasBegun { try await responder.beginChannel() }
                    return responder.end()
                }
            }
            throw CancellationError()
        }

        private func attach(
            after id: Int, isStreaming: Bool, longestWait: Duration, _ responder: HTTPResponder, at now: Duration
        ) throws(RequestError) -> Int {
            let isWriting = state.withLock { $0.session.back?.writingSince != nil }
            let number = try change { (session) throws(RequestError) in
                try session.attach(after: id, isStreaming: isStreaming, longestWait: longestWait, at: now)
            }
            let former = state.withLock { state in
                defer { state.abandon = { responder.abandon() } }
                return state.abandon
            }
            // The response before ends by itself, unless its client does not read it.
            if isWriting { former?() }
            changes.wake()
            return number
        }

        // MARK: Time

        /// Does what is due. Returns whether the session is to be closed.
        func pass(_ now: Duration) -> Bool {
            let size = memory.sessionSize
            let (isDue, isExpired, abandon) = state.withLock { state in
                let session = state.session
                // Others may have left the room that the service waits for.
                let goesOn = session.waitsForRoom && session.hasRoom(size)
                return (
                    goesOn || session.isDue(at: now), session.isExpired(at: now),
                    session.isStuck(at: now) ? state.abandon : nil
                )
            }
            abandon?()
            // A response may have to end for the client to acknowledge what it has.
            if isDue || memory.isTight { changes.wake() }
            return isExpired
        }

        /// Since when it has had no request and no back channel; nil if it has one.
        var idleSince: Duration? { state.withLock { $0.session.back == nil ? $0.session.lastUse : nil } }

        /// Whether its page is away, and not only between two back channels.
        func isAway(at now: Duration) -> Bool { state.withLock { $0.session.isAway(at: now) } }

        func close() {
            change { $0.close() }
            state.withLock { $0.task }?.cancel()
            changes.wake()
        }
    }
#endif
