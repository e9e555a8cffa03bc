// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import NIOCore
    package import SwiftProtobuf

    extension ByteBuffer {
        /// Appends a message with gRPC's prefix.
        package mutating func writeMessage(_ message: some Message) throws {
            let bytes: [UInt8] = try message.serializedBytes()
            reserveCapacity(minimumWritableBytes: GRPCMessageReader.prefixLength + bytes.count)
            writeInteger(UInt8(0))
            writeInteger(UInt32(bytes.count))
            writeBytes(bytes)
        }

        /// Reads the whole buffer as a message without a prefix.
        package func message<Result: Message>(as type: Result.Type) throws -> Result {
            try Result(serializedBytes: Array(readableBytesView))
        }
    }
#endif
