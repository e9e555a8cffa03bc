// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import SwiftProtobuf

    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// The messages that a channel sends, each a JSON value.
    enum WebChannelMessages {
        /// An error in REST's shape, in an array as production sends it.
        static func error(_ error: RequestError) -> [UInt8] {
            var writer = JSONWriter()
            writer.beginArray()
            writer.write(error)
            writer.endArray()
            return writer.bytes
        }

        static func json(_ response: WriteResponse) -> [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            if let id = response.streamID { writer.write("streamId", id) }
            writer.write("streamToken", response.token)
            if let result = response.result {
                writer.writeResults(result.results)
                writer.write("commitTime", result.commitTime.description)
            }
            writer.endObject()
            return writer.bytes
        }

        static func json(_ response: ProtoListenResponse) throws(RequestError) -> [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            switch response.responseType {
            case .targetChange(let change):
                try writer.member("targetChange") { (writer) throws(RequestError) in try writer.members(of: change) }
            case .documentChange(let change):
                try writer.member("documentChange") { (writer) throws(RequestError) in
                    writer.key("document")
                    try writer.write(change.document)
                    writer.write("targetIds", change.targetIds)
                    writer.write("removedTargetIds", change.removedTargetIds)
                }
            case .documentDelete(let change):
                try writer.member("documentDelete") { (writer) throws(RequestError) in
                    writer.write("document", change.document)
                    writer.write("removedTargetIds", change.removedTargetIds)
                    try writer.write("readTime", change.readTime)
                }
            case .documentRemove(let change):
                try writer.member("documentRemove") { (writer) throws(RequestError) in
                    writer.write("document", change.document)
                    writer.write("removedTargetIds", change.removedTargetIds)
                    try writer.write("readTime", change.readTime)
                }
            // The server sends no filters: its differences are exact.
            case .filter, nil: break
            }
            writer.endObject()
            return writer.bytes
        }
    }

    extension JSONWriter {
        fileprivate mutating func member(
            _ name: String, _ body: (inout JSONWriter) throws(RequestError) -> Void
        ) throws(RequestError) {
            key(name)
            beginObject()
            try body(&self)
            endObject()
        }

        fileprivate mutating func members(of change: ProtoTargetChange) throws(RequestError) {
            switch change.targetChangeType {
            case .noChange, .UNRECOGNIZED: break
            case .add: write("targetChangeType", "ADD")
            case .remove: write("targetChangeType", "REMOVE")
            case .current: write("targetChangeType", "CURRENT")
            case .reset: write("targetChangeType", "RESET")
            }
            write("targetIds", change.targetIds)
            if change.hasCause {
                key("cause")
                beginObject()
                key("code")
                integer(Int64(change.cause.code))
                write("message", change.cause.message)
                endObject()
            }
            if !change.resumeToken.isEmpty { write("resumeToken", Array(change.resumeToken)) }
            if change.hasReadTime { try write("readTime", change.readTime) }
        }

        fileprivate mutating func write(_ name: String, _ ids: [Int32]) {
            guard !ids.isEmpty else { return }
            key(name)
            beginArray()
            for id in ids { integer(Int64(id)) }
            endArray()
        }

        fileprivate mutating func write(
            _ name: String, _ time: Google_Protobuf_Timestamp
        ) throws(RequestError) {
            write(name, try Timestamp(time).description)
        }

        fileprivate mutating func write(_ document: ProtoDocument) throws(RequestError) {
            let database = try ResourceName(parsing: document.name).database
            beginObject()
            write("name", document.name)
            if !document.fields.isEmpty {
                key("fields")
                ValueJSON.writeFields(try Fields(document.fields, in: database), to: &self, database: nil)
            }
            try write("createTime", document.createTime)
            try write("updateTime", document.updateTime)
            endObject()
        }
    }
#endif
