// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import GRPCFraming
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
#endif
