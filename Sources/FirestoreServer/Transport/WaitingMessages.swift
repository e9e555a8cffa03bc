// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import GRPCFraming
    internal import NIOCore
    internal import Synchronization

    /// The messages that a client has sent and the call's method has not taken. While they are many bytes, no more are to be read.
    final class WaitingMessages: Sendable {
        private let stream: AsyncStream<ByteBuffer>
        private let continuation: AsyncStream<ByteBuffer>.Continuation
        private let bytes = Mutex(0)
        private let hasRoom: @Sendable () -> Void

        /// A client that sends at the pace of the answers never comes near it.
        private static let limit = 1 << 20

        /// - Parameter hasRoom: called on any thread when ``isFull`` becomes false.
        init(_ hasRoom: @escaping @Sendable () -> Void) {
            (stream, continuation) = AsyncStream.makeStream()
            self.hasRoom = hasRoom
        }

        var isFull: Bool { bytes.withLock { $0 > WaitingMessages.limit } }

        func add(_ message: ByteBuffer) {
            bytes.withLock { $0 += WaitingMessages.size(message) }
            continuation.yield(message)
        }

        /// There will be no more.
        func finish() { continuation.finish() }

        /// Takes the next message; nil when there are no more, or when the task is cancelled. Only one task may take them.
        func next() async -> ByteBuffer? {
            var iterator = stream.makeAsyncIterator()
            guard let message = await iterator.next() else { return nil }
            let wasFull = bytes.withLock { bytes in
                let before = bytes
                bytes -= WaitingMessages.size(message)
                return before > WaitingMessages.limit && bytes <= WaitingMessages.limit
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
