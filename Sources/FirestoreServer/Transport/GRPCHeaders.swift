// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOHPACK

    /// The headers of a gRPC response.
    enum GRPCHeaders {
        /// Those before the first message.
        static let start: HPACKHeaders = [
            ":status": "200", "content-type": "application/grpc", "grpc-accept-encoding": "identity",
        ]

        /// The trailers with the status. A response without messages has them alone.
        static func end(_ error: RequestError?, isOnly: Bool) -> HPACKHeaders {
            var headers = isOnly ? start : HPACKHeaders()
            headers.add(name: "grpc-status", value: String((error?.status ?? .ok).rawValue))
            guard let error else { return headers }
            headers.add(name: "grpc-message", value: percentEncoded(error.message))
            if let details = error.details {
                headers.add(name: "grpc-status-details-bin", value: Base64.encode(details))
            }
            return headers
        }

        /// Encodes `%` and what is not printable ASCII, and nothing else: some clients do not decode more.
        static func percentEncoded(_ message: String) -> String {
            var encoded: [UInt8] = []
            encoded.reserveCapacity(message.utf8.count)
            for byte in message.utf8 {
                if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                    encoded.append(byte)
                } else {
                    encoded.append(UInt8(ascii: "%"))
                    encoded.append(hexadecimal[Int(byte >> 4)])
                    encoded.append(hexadecimal[Int(byte & 15)])
                }
            }
            return String(decoding: encoded, as: UTF8.self)
        }

        private static let hexadecimal = Array("0123456789ABCDEF".utf8)
    }
#endif
