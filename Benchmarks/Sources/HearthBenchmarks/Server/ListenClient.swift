// SPDX-License-Identifier: Apache-2.0

/// Many Listen streams over one connection.
final class ListenClient {
    /// What has come over a stream.
    private struct Stream {
        /// A message that has not come whole.
        var rest: [UInt8] = []
        var documents = 0
        var isCurrent = false
        /// The documents up to the last boundary; nil before the first that shows the target.
        var shown: Int?
    }

    private let client: GRPCClient
    private var streams: [UInt32: Stream] = [:]

    init(port: Int) throws {
        client = try GRPCClient(port: port)
        // Before it has said how many streams it takes at once, a server takes a hundred.
        _ = try client.exchange(client.call("BeginTransaction", Requests.begin.bytes))
    }

    /// The token of the last boundary of any stream.
    private(set) var token: [UInt8] = []

    func listen(to target: Message) throws {
        let request = Message().text(1, Requests.database).message(2, target)
        streams[try client.send(client.call("Listen", request.bytes, isOpen: true))] = Stream()
    }

    /// Waits until every stream shows its target, and has shown so many documents since it began.
    func wait(forDocuments count: Int) throws {
        func isBehind(_ stream: Stream) -> Bool { stream.shown.map { $0 < count } ?? true }
        var behind = streams.values.count(where: isBehind)
        while behind > 0 {
            let (number, bytes) = try client.receivePart()
            guard var stream = streams.removeValue(forKey: number) else { continue }
            let wasBehind = isBehind(stream)
            take(bytes, &stream)
            if wasBehind, !isBehind(stream) { behind -= 1 }
            streams[number] = stream
        }
    }

    /// How many documents the streams have shown.
    var shown: Int { streams.values.reduce(0) { $0 + ($1.shown ?? 0) } }

    private func take(_ bytes: ArraySlice<UInt8>, _ stream: inout Stream) {
        stream.rest += bytes
        var start = 0
        while stream.rest.count - start >= 5 {
            let length = stream.rest[start + 1..<start + 5].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 5 + length
            guard stream.rest.count >= end else { break }
            show(stream.rest[start + 5..<end], &stream)
            start = end
        }
        stream.rest.removeFirst(start)
    }

    private func show(_ message: ArraySlice<UInt8>, _ stream: inout Stream) {
        // The fields of a message: 2 is a change of targets, 3 a document.
        switch message.first.map({ $0 >> 3 }) {
        case 3: stream.documents += 1
        case 2:
            guard let change = Message.payload(2, of: message) else { return }
            if change.starts(with: [0x08, 0x03]) { stream.isCurrent = true }
            // One without a type and without targets ends a state.
            let isBoundary = change.first.map { $0 >> 3 == 4 || $0 >> 3 == 6 } ?? false
            guard isBoundary, stream.isCurrent else { return }
            stream.shown = stream.documents
            token = Message.payload(4, of: change).map(Array.init) ?? []
        default: break
        }
    }
}

extension Requests {
    /// A target: the documents of a collection, or those in which a field has a value.
    static func target(_ collection: String, where field: (String, Message)? = nil, token: [UInt8] = []) -> Message {
        var query = Message().message(2, Message().text(2, collection))
        if let (name, value) = field {
            let filter = Message().message(1, Message().text(2, name)).number(2, 5).message(3, value)
            query = query.message(3, Message().message(2, filter))
        }
        let target = Message().message(2, Message().text(1, root).message(2, query))
        return (token.isEmpty ? target : target.data(4, token)).number(5, 1)
    }
}
