// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOCore

    /// Cuts the bytes of a gRPC stream into messages. Each has a prefix of five bytes: whether it is compressed, and its
    /// length.
    struct GRPCMessageReader {
        private var bytes = ByteBuffer()

        static let prefixLength = 5

        mutating func append(_ more: ByteBuffer) {
            if bytes.readableBytes == 0 {
                bytes = more
            } else {
                bytes.writeImmutableBuffer(more)
                bytes.discardReadBytes()
            }
        }

        /// The next whole message, or nil.
        mutating func next() throws(RequestError) -> ByteBuffer? {
            guard let length = try messageLength(), bytes.readableBytes >= GRPCMessageReader.prefixLength + length
            else { return nil }
            bytes.moveReaderIndex(forwardBy: GRPCMessageReader.prefixLength)
            return bytes.readSlice(length: length)
        }

        /// Refuses a message that announces too many bytes, before they arrive.
        func checkSize() throws(RequestError) { _ = try messageLength() }

        private func messageLength() throws(RequestError) -> Int? {
            let start = bytes.readerIndex
            guard let isCompressed = bytes.getInteger(at: start, as: UInt8.self) else { return nil }
            guard isCompressed == 0 else {
                throw RequestError(.unimplemented, "Compressed messages are not supported; send identity.")
            }
            guard let length = bytes.getInteger(at: start + 1, as: UInt32.self) else { return nil }
            guard length <= RequestLimits.size else { throw RequestLimits.tooLarge }
            return Int(length)
        }
    }

    enum RequestLimits {
        /// Production's limit of a request.
        static let size = 11_534_336

        static let tooLarge = RequestError(
            .invalidArgument, "Request payload size exceeds the limit: \(size) bytes.")
    }
#endif
