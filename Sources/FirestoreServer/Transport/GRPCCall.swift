// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import NIOCore
    internal import NIOHPACK

    /// A call as its method sees it.
    struct GRPCCall: Sendable {
        /// `/google.firestore.v1.Firestore/Commit`
        let path: String
        let credentials: Credentials
        let timeout: TimeAmount?
        let writer: PacedWriter

        init(_ headers: HPACKHeaders, _ writer: PacedWriter) throws(RequestError) {
            path = headers.first(name: ":path") ?? ""
            self.writer = writer
            guard headers.first(name: ":method") == "POST" else { throw .invalid("gRPC calls use POST.") }
            if let encoding = headers.first(name: "grpc-encoding"), encoding != "identity" {
                throw RequestError(
                    .unimplemented, "Messages compressed by \(encoding) are not supported; send identity.")
            }
            credentials = try Credentials(authorization: headers.first(name: "authorization"))
            timeout = headers.first(name: "grpc-timeout").flatMap { TimeAmount(grpcTimeout: $0) }
        }
    }

    extension TimeAmount {
        /// At most eight digits and a unit: `300S`, `20000m`.
        init?(grpcTimeout text: String) {
            guard let unit = text.utf8.last, text.utf8.count <= 9, let number = Int64(text.dropLast()), number >= 0
            else { return nil }
            switch unit {
            case UInt8(ascii: "H"): self = .hours(number)
            case UInt8(ascii: "M"): self = .minutes(number)
            case UInt8(ascii: "S"): self = .seconds(number)
            case UInt8(ascii: "m"): self = .milliseconds(number)
            case UInt8(ascii: "u"): self = .microseconds(number)
            case UInt8(ascii: "n"): self = .nanoseconds(number)
            default: return nil
            }
        }
    }
#endif
