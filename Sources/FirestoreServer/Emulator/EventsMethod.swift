// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import JSONText
    internal import Synchronization

    extension EmulatorMethods {
        /// Changes of a database and the requests to all, as server-sent events: `change` with the names of documents, or without
        /// any where everything may have changed, and `request`.
        func sendEvents(_ id: DatabaseID, _ responder: HTTPResponder) async throws {
            let database = try await service.databases.database(id)
            try await responder.begin("text/event-stream", [("x-accel-buffering", "no")])
            let waiting = WaitingEvents()
            let (latest, next) = feed.watch()
            for request in latest { waiting.add(.request(request)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await request in next { waiting.add(.request(request)) } }
                group.addTask {
                    // The page asks for what it shows with the first notice, which comes when no change is missed any more.
                    await database.notices.watch(every: EventStream.pause) { waiting.add(.change($0)) }
                }
                group.addTask {
                    while !Task.isCancelled {
                        try await Task.sleep(for: EventStream.beat)
                        waiting.add(.beat)
                    }
                }
                defer { group.cancelAll() }
                for await event in waiting.events {
                    try await responder.write(event.bytes)
                    if waiting.takeLoss() { try await responder.write(StreamedEvent.change(.anything).bytes) }
                }
            }
        }
    }

    private enum StreamedEvent: Sendable {
        case request(WatchedRequest)
        case change(ChangeNotices.Changed)
        case beat

        var bytes: [UInt8] {
            switch self {
            case .request(let request): EventStream.event(request)
            case .change(let changed): EventStream.event(changed)
            case .beat: Array(":\n\n".utf8)
            }
        }
    }

    /// What waits for a page that reads slowly. The oldest is lost beyond a number.
    private final class WaitingEvents: Sendable {
        let events: AsyncStream<StreamedEvent>
        private let sink: AsyncStream<StreamedEvent>.Continuation
        /// Whether a notice of a change was lost, which the page must not miss.
        private let hasLostChange = Atomic(false)

        init() {
            (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(2 * RequestFeed.capacity))
        }

        func add(_ event: StreamedEvent) {
            guard case .dropped(.change) = sink.yield(event) else { return }
            hasLostChange.store(true, ordering: .sequentiallyConsistent)
        }

        /// Whether a notice was lost since the last call.
        func takeLoss() -> Bool { hasLostChange.exchange(false, ordering: .sequentiallyConsistent) }
    }

    /// The form of server-sent events.
    private enum EventStream {
        /// Between two notices of changes, as nobody sees more.
        static let pause = Duration.milliseconds(100)
        /// Tells the server that a page is gone, and proxies that the connection is used.
        static let beat = Duration.seconds(15)

        static func event(_ changed: ChangeNotices.Changed) -> [UInt8] {
            event("change") { writer in
                guard case .documents(let paths) = changed else { return }
                writer.key("documents")
                writer.beginArray()
                for path in paths.map(\.description).sorted() { writer.string(path) }
                writer.endArray()
            }
        }

        static func event(_ request: WatchedRequest) -> [UInt8] { event("request") { $0.write(request) } }

        private static func event(_ name: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            body(&writer)
            writer.endObject()
            return Array("event: \(name)\ndata: ".utf8) + writer.bytes + Array("\n\n".utf8)
        }
    }

    extension JSONWriter {
        fileprivate mutating func write(_ request: WatchedRequest) {
            key("number")
            integer(Int64(request.number))
            write("time", request.time.description)
            write("method", request.method)
            if let database = request.done.database { write("database", database.resourceName) }
            write("status", request.status.name)
            key("milliseconds")
            double(request.duration / .milliseconds(1))
            for (name, count) in [
                ("documentsRead", request.done.documentsRead), ("documentsWritten", request.done.documentsWritten),
                ("entriesScanned", request.done.entriesScanned),
            ] {
                key(name)
                integer(Int64(count))
            }
            key("queries")
            beginArray()
            for query in request.done.queries { write(query) }
            endArray()
        }

        private mutating func write(_ query: LoggedQuery) {
            beginObject()
            write("query", query.request.summary)
            write("indexes", query.indexes)
            key("entriesScanned")
            integer(Int64(query.entries))
            if let reason = query.reason { write("refused", reason) }
            endObject()
        }
    }
#endif
