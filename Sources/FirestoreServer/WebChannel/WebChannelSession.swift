// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol

    /// One session of a channel, without I/O: messages in and out, and the back channel that carries those out. Laws:
    ///
    /// - Every message of the client reaches the service once, in order, however often and in which requests it comes.
    /// - Every message of the service reaches the client, in order and without gaps, over as many back channels as it takes.
    /// - Not much more waits than ``bytes`` says before ``hasRoom(_:)`` is false.
    ///
    /// Times are since the server's start.
    struct WebChannelSession {
        private var arrays = ArrayQueue()
        private var maps = MapQueue()
        private(set) var back: BackChannel?
        private var backCount = 0
        /// When a request came or a back channel ended.
        private(set) var lastUse: Duration
        /// Whether the service has sent its last message. The session goes on, so that the client gets it.
        private var isFinished = false
        private(set) var isClosed = false
        /// Whether the service waits for room.
        var waitsForRoom = false

        /// How long a session lives without a back channel.
        static let idleTime = Duration.seconds(60)
        /// How long a page that goes on is between two back channels at most.
        private static let pause = Duration.seconds(5)
        /// How long one chunk may take to be written.
        private static let writingTime = Duration.seconds(60)

        init(at now: Duration) {
            lastUse = now
        }

        // MARK: The service

        /// Bytes that wait in both directions.
        var bytes: Int { arrays.bytes + maps.bytes }

        /// Whether the service may append another message.
        func hasRoom(_ size: Int) -> Bool { arrays.bytes < size }

        mutating func append(_ json: [UInt8]) {
            guard !isClosed, !isFinished else { return }
            arrays.append(json)
        }

        /// The client's next message. The service gets none before there is a back channel: so a session without one costs no more
        /// than its messages.
        mutating func takeMap() -> [UInt8]? { backCount > 0 ? maps.take() : nil }

        /// Ends the service's side, with an error for the client if there is one.
        mutating func finish(_ error: [UInt8]?) {
            if let error { append(error) }
            isFinished = true
            maps.removeAll()
        }

        // MARK: Forward requests

        /// Whether a request's messages may be received now. Otherwise it has to wait.
        var receives: Bool { maps.hasRoom || isFinished || isClosed }

        /// Takes a request's messages.
        ///
        /// - Returns: the answer, a chunk.
        mutating func receive(
            _ list: [(number: Int, map: MapQueue.Map)], acknowledging id: Int?, at now: Duration
        ) throws(RequestError) -> [UInt8] {
            lastUse = now
            if let id { arrays.acknowledge(id) }
            if !isFinished { try maps.receive(list) }
            let text = "[\(back == nil ? 0 : 1),\(arrays.lastSent),\(arrays.outstandingBytes)]"
            return WebChannelText.chunk(Array(text.utf8))
        }

        // MARK: The back channel

        /// Begins a back channel, which replaces the one before.
        ///
        /// - Parameter id: the last ID that the client has.
        /// - Returns: its number.
        /// - Throws: if the session no longer has what comes next.
        mutating func attach(
            after id: Int, isStreaming: Bool, longestWait: Duration, at now: Duration
        ) throws(RequestError) -> Int {
            guard id >= arrays.acknowledged else { throw WebChannelSession.unknown }
            guard id <= arrays.lastSent else {
                throw .invalid("AID is \(id), but the last message that was sent is \(arrays.lastSent).")
            }
            arrays.acknowledge(id)
            lastUse = now
            backCount += 1
            back = BackChannel(backCount, after: id, isStreaming: isStreaming, longestWait: longestWait, at: now)
            return backCount
        }

        /// What a back channel does next.
        ///
        /// - Parameter room: as the service has it: see ``hasRoom(_:)``.
        mutating func next(_ number: Int, room: Int = .max, at now: Duration) -> BackChannel.Step {
            guard var back, back.number == number, !isClosed else { return .end }
            let step = back.next(&arrays, room: room, at: now)
            self.back = back
            return step
        }

        /// Notes that a back channel has ended, for whatever reason.
        mutating func detach(_ number: Int, at now: Duration) {
            guard back?.number == number else { return }
            back = nil
            lastUse = now
        }

        // MARK: Time

        /// Whether the back channel has something to do because of the time alone.
        func isDue(at now: Duration) -> Bool { back?.writingSince == nil && back?.isNoopDue(at: now) == true }

        /// Whether the client does not read what it is sent.
        func isStuck(at now: Duration) -> Bool {
            back?.writingSince.map { now - $0 >= WebChannelSession.writingTime } ?? false
        }

        /// Whether it has no back channel, and not only since the last one ended.
        func isAway(at now: Duration) -> Bool {
            back == nil && (backCount == 0 || now - lastUse >= WebChannelSession.pause)
        }

        /// Whether the client is gone.
        func isExpired(at now: Duration) -> Bool { back == nil && now - lastUse >= WebChannelSession.idleTime }

        mutating func close() {
            isClosed = true
            back = nil
            arrays = ArrayQueue()
            maps.removeAll()
        }

        /// The client looks for these words, but not at the beginning of the answer. It then opens a new session.
        static let unknown = RequestError.invalid("Unknown SID")
    }
#endif
