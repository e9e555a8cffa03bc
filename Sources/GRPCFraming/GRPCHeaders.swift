// SPDX-License-Identifier: Apache-2.0

#if Server || Connected
    package import DocumentModel
    package import FirestoreProtocol
    package import NIOHPACK

    /// The headers of gRPC calls and of their responses.
    package enum GRPCHeaders {
        /// Those of a response before the first message.
        package static let start: HPACKHeaders = [
            ":status": "200", "content-type": "application/grpc", "grpc-accept-encoding": "identity",
        ]

        /// The longest message, encoded, and the longest details. A block of headers is written as one frame, which may have 16 KB, and
        /// some clients take no more than 8 KB of them.
        private static let messageLimit = 4_096
        private static let detailsLimit = 2_048

        /// The trailers with the status. A response without messages has them alone. The end of a long message is cut, and long details
        /// are left out.
        package static func end(_ error: RequestError?, isOnly: Bool) -> HPACKHeaders {
            var headers = isOnly ? start : HPACKHeaders()
            headers.add(name: "grpc-status", value: String((error?.status ?? .ok).rawValue))
            guard let error else { return headers }
            headers.add(name: "grpc-message", value: percentEncoded(bounded(error.message)))
            if let details = error.details.map({ Base64.encode($0) }), details.utf8.count <= detailsLimit {
                headers.add(name: "grpc-status-details-bin", value: details)
            }
            return headers
        }

        /// A message that is too long ends behind a whole character.
        private static func bounded(_ message: String) -> String {
            var size = 0
            let scalars = message.unicodeScalars
            let end = scalars.indices.first { index in
                size += encodedSize(of: scalars[index])
                return size > messageLimit
            }
            guard let end else { return message }
            return "\(message[..<end]) …"
        }

        private static func encodedSize(of scalar: Unicode.Scalar) -> Int {
            scalar.utf8.reduce(0) { $0 + (plain.contains($1) ? 1 : 3) }
        }

        /// Encodes `%` and what is not printable ASCII, and nothing else: some clients do not decode more.
        package static func percentEncoded(_ message: String) -> String {
            PercentEncoding.encode(message, keeping: plain)
        }

        private static let plain = Set(UInt8(0x20)...0x7E).subtracting([UInt8(ascii: "%")])
    }

    /// How a call ended, by the headers of its response.
    package enum GRPCStatus {
        /// The status of a block of headers; nil if it has none. A number that gRPC does not know is `unknown`.
        ///
        /// - Returns: an error with ``StatusCode/ok`` if the call succeeded.
        package static func read(_ headers: HPACKHeaders) -> RequestError? {
            guard let text = headers.first(name: "grpc-status") else { return nil }
            let status = Int(text).flatMap { StatusCode(rawValue: $0) } ?? .unknown
            let message = headers.first(name: "grpc-message") ?? ""
            // A server may send a message that is not encoded.
            var error = RequestError(status, PercentEncoding.decode(message[...]) ?? message)
            error.details = headers.first(name: "grpc-status-details-bin").flatMap { Base64.decode($0) }
            return error
        }

        /// What a response means that is none of gRPC's, by its HTTP status. Gateways and other servers send these.
        package static func code(ofHTTPStatus status: String) -> StatusCode {
            switch status {
            case "400": .internal
            case "401": .unauthenticated
            case "403": .permissionDenied
            case "404": .unimplemented
            case "429", "502", "503", "504": .unavailable
            default: .unknown
            }
        }
    }
#endif
