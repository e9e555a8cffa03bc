// SPDX-License-Identifier: Apache-2.0

#if Server
    /// What one request of a back channel has been sent, and when it is due to be sent more. Times are since the server's start.
    struct BackChannel {
        let number: Int
        /// Whether the response goes on after its first chunk. Otherwise, it is one answer of long polling.
        let isStreaming: Bool
        /// How long an answer of long polling may wait for messages.
        let longestWait: Duration
        private let start: Duration
        /// The ID of the last message that it was sent, at first the last that its client had before.
        private(set) var last: Int
        private(set) var sentBytes = 0
        private var lastTime: Duration
        /// Since when a chunk is being written; nil between chunks.
        private(set) var writingSince: Duration?

        /// The bytes of a chunk.
        private static let chunkSize = 64 << 10
        /// The bytes of a response. The client acknowledges them by its next request, and its browser keeps all of them until then.
        private static let responseSize = 1 << 20
        /// How long a response may go on.
        private static let lifetime = Duration.seconds(45)
        /// The client gives up after half as long again.
        static let keepAlive = Duration.seconds(30)

        init(_ number: Int, after id: Int, isStreaming: Bool, longestWait: Duration, at now: Duration) {
            self.number = number
            self.isStreaming = isStreaming
            self.longestWait = longestWait
            last = id
            start = now
            lastTime = now
        }

        enum Step: Equatable {
            case send([UInt8], isLast: Bool)
            case wait
            /// The request was replaced, or the session has ended.
            case end
        }

        /// - Parameter room: the bytes that may wait in the queue.
        mutating func next(_ queue: inout ArrayQueue, room: Int, at now: Duration) -> Step {
            writingSince = nil
            let size = isStreaming ? BackChannel.chunkSize : BackChannel.responseSize
            if let (text, id) = queue.chunk(after: last, size: size) {
                last = id
                return send(text, isLast: awaitsClient(queue, room), at: now)
            }
            let isOver = awaitsClient(queue, room)
            guard isOver || isNoopDue(at: now) else { return .wait }
            // It repeats an ID: the client takes the ID of what came last as what it has.
            let noop = WebChannelText.chunk(Array("[[\(last),[\"noop\"]]]".utf8))
            return send(noop, isLast: isOver, at: now)
        }

        /// Whether everything was sent and nothing can be added before the client acknowledges some of it, which it does by the
        /// request that follows the response.
        private func awaitsClient(_ queue: ArrayQueue, _ room: Int) -> Bool {
            last == queue.last && queue.bytes >= room
        }

        private mutating func send(_ text: [UInt8], isLast: Bool, at now: Duration) -> Step {
            sentBytes += text.count
            lastTime = now
            writingSince = now
            let isFull = sentBytes >= BackChannel.responseSize || now - start >= BackChannel.lifetime
            return .send(text, isLast: isLast || !isStreaming || isFull)
        }

        /// Whether the client must hear something, though there is no message. A stream that is silent at first is taken for one that
        /// a proxy holds back.
        func isNoopDue(at now: Duration) -> Bool {
            if isStreaming {
                sentBytes == 0 || now - lastTime >= BackChannel.keepAlive
            } else {
                now - start >= longestWait
            }
        }
    }
#endif
