// SPDX-License-Identifier: Apache-2.0

/// Requests of Cloud Firestore's protocol, as bytes.
struct Message {
    private(set) var bytes: [UInt8] = []

    func number(_ field: Int, _ value: UInt64) -> Message {
        adding(Message.varint(UInt64(field) << 3) + Message.varint(value))
    }

    func double(_ field: Int, _ value: Double) -> Message {
        let bits = value.bitPattern
        return adding(
            Message.varint(UInt64(field) << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
    }

    func text(_ field: Int, _ value: String) -> Message { data(field, Array(value.utf8)) }

    func data(_ field: Int, _ value: [UInt8]) -> Message {
        adding(Message.varint(UInt64(field) << 3 | 2) + Message.varint(UInt64(value.count)) + value)
    }

    func message(_ field: Int, _ value: Message) -> Message { data(field, value.bytes) }

    private func adding(_ more: [UInt8]) -> Message {
        var message = self
        message.bytes += more
        return message
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// The payload of the first field with a number in a message; nil if there is none.
    static func payload(_ wanted: Int, of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        func varint() -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
        while !rest.isEmpty {
            let key = varint()
            switch key & 7 {
            case 0: _ = varint()
            case 1: rest = rest.dropFirst(8)
            case 2:
                let length = Int(varint())
                if key >> 3 == UInt64(wanted) { return rest.prefix(length) }
                rest = rest.dropFirst(length)
            default: rest = rest.dropFirst(4)
            }
        }
        return nil
    }
}

extension Plain {
    /// As a value of the protocol.
    var message: Message {
        switch self {
        case .null: Message().number(11, 0)
        case .boolean(let flag): Message().number(1, flag ? 1 : 0)
        case .integer(let number): Message().number(2, UInt64(bitPattern: number))
        case .double(let number): Message().double(3, number)
        case .string(let text): Message().text(17, text)
        case .time(let microseconds):
            Message().message(
                10,
                Message().number(1, UInt64(microseconds / 1_000_000))
                    .number(2, UInt64(microseconds % 1_000_000 * 1_000)))
        case .array(let elements):
            Message().message(9, elements.reduce(Message()) { $0.message(1, $1.message) })
        case .map(let fields):
            Message().message(
                6, fields.reduce(Message()) { $0.message(1, Message().text(1, $1.name).message(2, $1.value.message)) })
        }
    }
}

/// The requests that the server's benchmarks send.
enum Requests {
    static let database = "projects/benchmarks/databases/(default)"
    static let root = database + "/documents"

    static func get(_ path: String) -> Message { Message().text(1, "\(root)/\(path)") }

    /// The begin of a read-write transaction.
    static let begin = Message().text(1, database)

    static func read(_ path: String, in transaction: [UInt8]) -> Message {
        Message().text(1, database).text(2, "\(root)/\(path)").data(4, transaction)
    }

    static func integer(_ value: Int) -> Message { Message().number(2, UInt64(bitPattern: Int64(value))) }

    static func text(_ value: String) -> Message { Message().text(17, value) }

    /// A write that sets a document.
    static func set(_ path: String, _ fields: [(String, Message)]) -> Message {
        let document = fields.reduce(Message().text(1, "\(root)/\(path)")) { document, field in
            document.message(2, Message().text(1, field.0).message(2, field.1))
        }
        return Message().message(1, document)
    }

    static func commit(_ writes: [Message], in transaction: [UInt8] = []) -> Message {
        let request = writes.reduce(Message().text(1, database)) { $0.message(2, $1) }
        return transaction.isEmpty ? request : request.data(3, transaction)
    }

    /// The documents of a collection group.
    static func all(_ group: String) -> Message {
        Message().text(1, root).message(2, Message().message(2, Message().text(2, group).number(3, 1)))
    }

    /// Those whose field equals a text, the latest by another field, ten of them.
    static func latest(_ group: String, _ field: String, _ value: String, by order: String) -> Message {
        let filter = Message().message(1, Message().text(2, field)).number(2, 5).message(3, text(value))
        let query = Message().message(2, Message().text(2, group).number(3, 1))
            .message(3, Message().message(2, filter))
            .message(4, Message().message(1, Message().text(2, order)).number(2, 2))
            .message(5, Message().number(1, 10))
        return Message().text(1, root).message(2, query)
    }
}
