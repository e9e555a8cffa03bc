// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    internal import DocumentModel
    package import FirestoreProtocol
    package import NIOCore

    /// Cuts the bytes of a gRPC stream into messages. Each has a prefix of five bytes: whether it is compressed, and its
    /// length.
    package struct GRPCMessageReader: Sendable {
        private var bytes = ByteBuffer()
        private let limit: Int
        private let tooLarge: RequestError

        package static let prefixLength = 5

        /// - Parameters:
        ///   - limit: the most bytes of a message.
        ///   - tooLarge: the error of a message that announces more.
        package init(limit: Int, _ tooLarge: RequestError) {
            self.limit = limit
            self.tooLarge = tooLarge
        }

        /// Whether the bytes end in the middle of a message.
        package var isWithinMessage: Bool { bytes.readableBytes > 0 }

        /// How many bytes wait for the rest of their message.
        package var byteCount: Int { bytes.readableBytes }

        package mutating func append(_ more: ByteBuffer) {
            if bytes.readableBytes == 0 {
                bytes = more
            } else {
                bytes.writeImmutableBuffer(more)
                bytes.discardReadBytes()
            }
        }

        /// The next whole message, or nil.
        package mutating func next() throws(RequestError) -> ByteBuffer? {
            guard let length = try messageLength(), bytes.readableBytes >= GRPCMessageReader.prefixLength + length
            else { return nil }
            bytes.moveReaderIndex(forwardBy: GRPCMessageReader.prefixLength)
            return bytes.readSlice(length: length)
        }

        /// The message of a call that has one, when the call's last bytes are here; nil before. Refuses bytes behind the message, and
        /// a message that announces too many, before they arrive.
        package mutating func onlyMessage(isLast: Bool) throws(RequestError) -> ByteBuffer? {
            let size = try messageLength().map { GRPCMessageReader.prefixLength + $0 }
            let excess = bytes.readableBytes - (size ?? .max)
            guard excess <= 0, excess == 0 || !isLast else {
                throw RequestError.invalid("A call of this method has one message, which is whole.")
            }
            return isLast ? try next() : nil
        }

        private func messageLength() throws(RequestError) -> Int? {
            let start = bytes.readerIndex
            guard let isCompressed = bytes.getInteger(at: start, as: UInt8.self) else { return nil }
            guard isCompressed == 0 else {
                throw RequestError(.unimplemented, "Compressed messages are not supported; send identity.")
            }
            guard let length = bytes.getInteger(at: start + 1, as: UInt32.self) else { return nil }
            guard length <= limit else { throw tooLarge }
            return Int(length)
        }
    }
#endif
