// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import SwiftProtobuf

    extension JSONWriter {
        /// An error in production's shape.
        mutating func write(_ error: RequestError) {
            beginObject()
            key("error")
            beginObject()
            key("code")
            integer(Int64(error.status.httpCode))
            write("message", error.message)
            write("status", error.status.name)
            if let bytes = error.details, let status = try? ProtoStatus(serializedBytes: bytes) {
                key("details")
                beginArray()
                for detail in status.details { write(detail) }
                endArray()
            }
            endObject()
            endObject()
        }

        private mutating func write(_ detail: Google_Protobuf_Any) {
            beginObject()
            write("@type", detail.typeURL)
            if let info = try? ProtoErrorInfo(unpackingAny: detail) {
                write("reason", info.reason)
                write("domain", info.domain)
            }
            if let help = try? ProtoHelp(unpackingAny: detail) {
                key("links")
                beginArray()
                for link in help.links {
                    beginObject()
                    write("url", link.url)
                    endObject()
                }
                endArray()
            }
            endObject()
        }
    }
#endif
