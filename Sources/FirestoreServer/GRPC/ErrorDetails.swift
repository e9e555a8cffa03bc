// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import SwiftProtobuf

    /// The details that production adds to a few errors.
    enum ErrorDetails {
        /// A serialised `google.rpc.Status` with an `ErrorInfo`.
        static func status(_ error: RequestError, reason: String, help: String? = nil) throws -> [UInt8] {
            var status = ProtoStatus()
            status.code = Int32(error.status.rawValue)
            status.message = error.message
            var info = ProtoErrorInfo()
            info.reason = reason
            info.domain = "firestore.googleapis.com"
            status.details = [try Google_Protobuf_Any(message: info)]
            if let help {
                var links = ProtoHelp()
                var link = ProtoHelp.Link()
                link.url = help
                links.links = [link]
                status.details.append(try Google_Protobuf_Any(message: links))
            }
            return try status.serializedBytes()
        }
    }
#endif
