// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import GRPCFraming
    internal import NIOCore
    internal import Synchronization

    /// The messages that a client has sent and the call's method has not taken. While they are many bytes, no more are to be read.
    final class WaitingMessages: Sendable {
        private struct State {
            /// Bytes of the messages that the method has not taken.
            var waiting = 0
            /// Bytes of the one that it is dealing with.
            var taken = 0
            /// Bytes of the rest, which is no whole message yet.
            var arriving = 0
            /// Nil when the call is over.
            var held: HeldBytes?

            var isFull: Bool { waiting > WaitingMessages.limit }
        }

        private let stream: AsyncStream<ByteBuffer>
        private let continuation: AsyncStream<ByteBuffer>.Continuation
        private let state: Mutex<State>
        private let hasRoom: @Sendable () -> Void

        /// A client that sends at the pace of the answers never comes near it.
        private static let limit = 1 << 20

        /// - Parameters:
        ///   - memory: what all requests hold together. A message is counted until the method asks for the one after it.
        ///   - hasRoom: called on any thread when ``isFull`` becomes false.
        init(_ memory: RequestMemory, _ hasRoom: @escaping @Sendable () -> Void) {
            (stream, continuation) = AsyncStream.makeStream()
            state = Mutex(State(held: HeldBytes(memory)))
            self.hasRoom = hasRoom
        }

        var isFull: Bool { state.withLock { $0.isFull } }

        /// Notes how many bytes have arrived that are no message of these yet.
        ///
        /// - Throws: `resourceExhausted` if there is no room for them. Nothing waits for room, which these messages may take.
        func hold(arriving bytes: Int) throws(RequestError) {
            try state.withLock { (state) throws(RequestError) in
                let all = bytes + state.waiting + state.taken
                try state.held?.hold(all)
                state.arriving = bytes
            }
        }

        /// Adds a message of the bytes that have arrived.
        func add(_ message: ByteBuffer) {
            let size = WaitingMessages.size(message)
            state.withLock { state in
                state.arriving -= size
                state.waiting += size
            }
            continuation.yield(message)
        }

        /// There will be no more.
        func finish() { continuation.finish() }

        /// The call is over, whatever its method has not taken.
        func end() {
            finish()
            state.withLock { state in
                state.held?.release()
                state.held = nil
            }
        }

        /// Takes the next message; nil when there are no more, or when the task is cancelled. Only one task may take them.
        func next() async -> ByteBuffer? {
            state.withLock { state in
                state.taken = 0
                let left = state.arriving + state.waiting
                state.held?.release(to: left)
            }
            var iterator = stream.makeAsyncIterator()
            guard let message = await iterator.next() else { return nil }
            let wasFull = state.withLock { state in
                let before = state.isFull
                state.taken = WaitingMessages.size(message)
                state.waiting -= state.taken
                return before && !state.isFull
            }
            if wasFull { hasRoom() }
            return message
        }

        /// Empty messages count, too.
        private static func size(_ message: ByteBuffer) -> Int {
            GRPCMessageReader.prefixLength + message.readableBytes
        }
    }
#endif
