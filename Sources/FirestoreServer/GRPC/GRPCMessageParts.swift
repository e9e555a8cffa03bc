// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import GRPCFraming
    internal import NIOCore
    internal import SwiftProtobuf

    /// Sends messages of a call, small ones together. Each may be made when the ones before it are on their way, so that an answer needs
    /// memory for a part only.
    struct GRPCMessageParts {
        private let call: GRPCCall
        private var frames = ByteBuffer()

        /// Messages up to this size go together.
        private static let size = 256 << 10

        init(_ call: GRPCCall) {
            self.call = call
        }

        /// Adds a message. Sends a part that is large enough when the client has room for it.
        mutating func add(_ message: some Message) async throws {
            try frames.writeMessage(message)
            if frames.readableBytes >= GRPCMessageParts.size { try await flush() }
        }

        /// Sends what was added. To be called after the last message.
        mutating func flush() async throws {
            guard frames.readableBytes > 0 else { return }
            let part = frames
            frames = ByteBuffer()
            try await call.writer.write(GRPCPart.messages(part))
        }
    }
#endif
