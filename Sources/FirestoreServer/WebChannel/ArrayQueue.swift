// SPDX-License-Identifier: Apache-2.0

#if Server
    /// The server's messages of a session, each with an ID one higher than the last. They wait here until the client has acknowledged
    /// them, because a back channel may be lost with whatever was written to it.
    struct ArrayQueue {
        private struct Message {
            let json: [UInt8]
            let units: Int
        }

        /// The messages behind `acknowledged`.
        private var messages: [Message] = []
        /// The last ID that the client has said it has. The handshake's answer has ID 0.
        private(set) var acknowledged = 0
        /// The last ID that was ever sent.
        private(set) var lastSent = 0
        /// Bytes that wait, each message with what it costs besides.
        private(set) var bytes = 0

        private static let overhead = 64

        /// The last ID that exists.
        var last: Int { acknowledged + messages.count }

        /// Adds a message, which is a JSON value.
        mutating func append(_ json: [UInt8]) {
            messages.append(Message(json: json, units: WebChannelText.utf16Count(json)))
            bytes += json.count + ArrayQueue.overhead
        }

        /// Drops messages up to an ID. An ID that was not sent acknowledges what was, and a lower one than before nothing.
        mutating func acknowledge(_ id: Int) {
            let id = min(id, lastSent)
            guard id > acknowledged else { return }
            for message in messages.prefix(id - acknowledged) { bytes -= message.json.count + ArrayQueue.overhead }
            messages.removeFirst(id - acknowledged)
            acknowledged = id
        }

        /// A chunk with the messages behind an ID, as many as fit into `size` bytes but at least one; nil if there is none.
        mutating func chunk(after id: Int, size: Int) -> (text: [UInt8], last: Int)? {
            guard id >= acknowledged, id < last else { return nil }
            var json = [UInt8(ascii: "[")]
            // For each message: the comma or the bracket before it, and its own brackets and ID.
            var units = 2
            var next = id
            while next < last, next == id || json.count < size {
                let message = messages[next - acknowledged]
                next += 1
                let head = Array("\(next == id + 1 ? "" : ",")[\(next),[".utf8)
                json += head
                json += message.json
                json += Array("]]".utf8)
                units += head.count + message.units + 2
            }
            json.append(UInt8(ascii: "]"))
            lastSent = max(lastSent, next)
            return (WebChannelText.chunk(json, units: units), next)
        }

        /// Bytes that were sent and are not acknowledged.
        var outstandingBytes: Int {
            messages.prefix(lastSent - acknowledged).reduce(0) { $0 + $1.json.count }
        }
    }
#endif
