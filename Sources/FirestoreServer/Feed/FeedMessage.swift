// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import NIOCore
    internal import NIOWebSocket

    /// What the emulator's interface reads of a request: each document or query on which rules have decided is an evaluation.
    enum FeedMessage {
        /// Earlier requests, all in one message.
        static func frame(_ requests: [WatchedRequest]) -> WebSocketFrame {
            var writer = JSONWriter()
            writer.beginArray()
            for request in requests {
                for (index, access) in request.done.accesses.enumerated() { writer.write(access, index, of: request) }
            }
            writer.endArray()
            return frame(writer)
        }

        static func frames(_ request: WatchedRequest) -> [WebSocketFrame] {
            request.done.accesses.enumerated().map { index, access in
                var writer = JSONWriter()
                writer.write(access, index, of: request)
                return frame(writer)
            }
        }

        private static func frame(_ writer: JSONWriter) -> WebSocketFrame {
            WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: writer.bytes))
        }
    }

    extension JSONWriter {
        fileprivate mutating func write(_ access: RuledAccess, _ index: Int, of request: WatchedRequest) {
            let database = request.done.database ?? DatabaseID(project: "")
            let path = "/databases/\(database.database)/documents/\(access.path)"
            beginObject()
            write("requestId", "\(request.number)-\(index)")
            write("rulesReleaseName", "projects/\(database.project)/releases/cloud.firestore")
            if let rules = access.rules { write("rules", rules) }
            write("time", request.time.description)
            write("outcome", access.outcome.rawValue)
            key("granularAllowOutcomes")
            beginArray()
            for line in access.deniedLines {
                beginObject()
                key("line")
                integer(Int64(line))
                key("outcome")
                boolean(false)
                endObject()
            }
            endArray()
            key("rulesContext")
            beginObject()
            write("path", path)
            write("method", access.method)
            write("time", access.time.description)
            key("request")
            beginExpressionMap()
            expression(
                "path", "pathValue", .object(["segments": .array(path.split(separator: "/").map(JSONNode.segment))]))
            expression("method", "stringValue", .string(access.method))
            expression("time", "timestampValue", .string(access.time.description))
            key("auth")
            writeExpression(access.claims.map(JSONNode.auth) ?? JSONNode(.null))
            endExpressionMap()
            endObject()
            endObject()
        }

        private mutating func beginExpressionMap() {
            beginObject()
            key("mapValue")
            beginObject()
            key("fields")
            beginObject()
        }

        private mutating func endExpressionMap() {
            endObject()
            endObject()
            endObject()
        }

        private mutating func expression(_ name: String, _ kind: String, _ value: JSONNode) {
            key(name)
            beginObject()
            key(kind)
            node(value)
            endObject()
        }

        /// A JSON value as a value of the rules language.
        private mutating func writeExpression(_ node: JSONNode) {
            if let members = node.members {
                beginExpressionMap()
                for member in members {
                    key(member.key)
                    writeExpression(member.node)
                }
                return endExpressionMap()
            }
            beginObject()
            if let elements = node.elements {
                key("listValue")
                beginObject()
                key("values")
                beginArray()
                for element in elements { writeExpression(element) }
                endArray()
                endObject()
            } else {
                switch node.value {
                case .string: key("stringValue")
                case .boolean: key("boolValue")
                case .number: key("floatValue")
                default: key("nullValue")
                }
                self.node(node)
            }
            endObject()
        }
    }

    extension JSONNode {
        fileprivate static func segment(_ id: Substring) -> JSONNode { .object(["simple": .string(String(id))]) }

        /// `request.auth`: the user's ID, and all claims.
        fileprivate static func auth(_ claims: JSONNode) -> JSONNode {
            .object(["uid": claims["user_id"] ?? claims["sub"] ?? JSONNode(.null), "token": claims])
        }
    }
#endif
