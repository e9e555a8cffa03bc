// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import FirestoreProtocol
    internal import JSONText

    /// The response of a method with several messages: a JSON array. It begins with its first element, so that an error before it
    /// still has its own status.
    struct JSONArrayStream {
        private let responder: HTTPResponder
        private var pending: [UInt8] = []
        private var isFirst = true
        private var hasBegun = false

        private static let partSize = 64 << 10

        init(_ responder: HTTPResponder) {
            self.responder = responder
        }

        /// Adds an object, whose members `body` writes.
        mutating func send(_ body: (inout JSONWriter) throws(RequestError) -> Void) async throws {
            var writer = JSONWriter()
            writer.beginObject()
            try body(&writer)
            writer.endObject()
            pending += Array((isFirst ? "[" : ",\n").utf8) + writer.bytes
            isFirst = false
            if pending.count >= JSONArrayStream.partSize { try await flush() }
        }

        mutating func end() async throws {
            pending += Array((isFirst ? "[]\n" : "\n]\n").utf8)
            try await flush()
            responder.end()
        }

        private mutating func flush() async throws {
            if !hasBegun { try await responder.begin() }
            hasBegun = true
            try await responder.write(pending)
            pending.removeAll(keepingCapacity: true)
        }
    }
#endif
