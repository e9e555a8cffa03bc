// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import QueryPlanner
    import SwiftProtobuf
    import SyncCore
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// What production sent over Listen, sent again by a script: the client shows what the documents were.
    ///
    /// Neither the official emulator nor Hearth's server sends existence filters, and the emulator sends no differences.
    @Suite struct RecordedSequenceTests {
        private let server: ScriptedServer
        private let device: Device
        private let directory: TemporaryDirectory

        init() throws {
            server = try ScriptedServer()
            directory = try TemporaryDirectory()
            let client = try FirestoreClient(project: "p", credentials: .emulator(host: server.host))
            device = try Device(directory.path("a.db"), FirestoreTransport(client))
        }

        /// Listens to the collection, or to those of its documents whose `n` is less, plays its first state, and returns the
        /// listener and the stage.
        private func open(
            _ documents: [String: Int64], _ row: String, below limit: Int64? = nil
        ) async throws -> (Int, Stage) {
            var query = Query(from: CollectionSelector(collectionID: "c"))
            query.filter = limit.map { .field(FieldPath(name: "n"), .lessThan, .integer($0)) }
            let listener = device.listen(try SyncQuery(query, database: LocalServer.database))
            let stage = Stage(server)
            stage.documents = documents
            try await stage.answerNextAdd(row)
            try await wait(for: "the state of \(row)") { device.synced(listener) == documents }
            return (listener, stage)
        }

        /// The rows of a recording, each of its runs for itself.
        private static func runs(_ row: String) -> [String] { RecordedListen.rows[row] ?? [] }

        @Test func lifecycle() async throws {
            let query = SyncQuery(document: DocumentPath("c", "a"))
            let listener = device.listen(query)
            let stage = Stage(server)
            stage.documents = ["a": 1]
            try await stage.answerNextAdd(Self.runs("lifecycle/open")[0])
            try await wait(for: "the document") { device.synced(listener) == ["a": 1] }
            stage.documents = ["a": 2]
            try stage.play(Self.runs("lifecycle/update")[0])
            try await wait(for: "the update") { device.synced(listener) == ["a": 2] }
            device.feed(.unlisten(listener: listener))
            let removal = try await stage.nextRequest()
            #expect(removal.removeTarget == stage.target)
            try stage.play(Self.runs("lifecycle/remove")[0])
            let again = device.listen(query)
            let before = stage.target
            try await stage.answerNextAdd(Self.runs("lifecycle/readd")[0].replacing("2", with: "1"))
            #expect(stage.target != before)
            try await wait(for: "the document again") { device.synced(again) == ["a": 2] }
            stage.documents = [:]
            try stage.play(Self.runs("lifecycle/delete")[0])
            try await wait(for: "the deletion") { device.synced(again) == [:] }
            await device.stop()
        }

        @Test(arguments: runs("token/first") + runs("protocol/equality-only-query"))
        func firstStates(_ run: String) async throws {
            _ = try await open(["a": 1, "b": 2], run)
            await device.stop()
        }

        @Test func missingIndexes() async throws {
            let listener = device.listen(try .collection("c"))
            try await Stage(server).answerNextAdd(Self.runs("protocol/missing-index")[0])
            try await wait(for: "the refusal") { device.state.failures[listener] != nil }
            #expect(device.state.failures[listener]?.code == .failedPrecondition)
            #expect(device.state.failures[listener]?.message.hasPrefix("The query requires an index.") == true)
            await device.stop()
        }

        /// What was shown before a stream was cut, what production sent to the listen that resumed, and what is shown then.
        private static let resumptions: [(before: [String: Int64], run: String, after: [String: Int64])] = {
            let rows: [(String, [String: Int64], [String: Int64])] = [
                ("token/current", ["a": 1, "b": 2], ["a": 1, "b": 9]),
                ("token/older", ["a": 1, "b": 2], ["a": 8, "b": 9]),
                ("token/unchanged", ["a": 1, "b": 2], ["a": 1, "b": 2]),
                ("filter/no-change", ["a": 1, "b": 2, "c": 3], ["a": 1, "b": 2, "c": 3]),
                ("expired/expired", ["a": 1], ["a": 2]),
            ]
            return rows.flatMap { row, before, after in runs(row).map { (before, $0, after) } }
        }()

        @Test(arguments: resumptions.indices)
        func resumption(_ number: Int) async throws {
            let (before, run, after) = Self.resumptions[number]
            let names = before.keys.sorted().map { "doc \($0)" }.joined(separator: " ")
            let (listener, stage) = try await open(before, "ADD1 \(names) CUR1 ∎")
            let token = stage.token
            stage.call?.end(RequestError(.unavailable, "the server restarts"))
            try await wait(for: "the end") { !device.state.closes.isEmpty }
            stage.documents = after
            let request = try await stage.answerNextAdd(run)
            #expect(Array(request.addTarget.resumeToken) == token)
            #expect(Int(request.addTarget.expectedCount.value) == before.count)
            // A state that says nothing new shows nothing: what comes behind it does.
            stage.documents["z"] = 7
            try stage.play("doc z ∎")
            let last = after.merging(["z": 7]) { $1 }
            try await wait(for: "the state after \(run)") { device.synced(listener) == last }
            await device.stop()
        }

        /// One document was deleted, another one changed so that the query has it no more.
        @Test func differences() async throws {
            let (listener, stage) = try await open(["a": 1, "b": 2, "c": 3], Self.runs("filter/first")[0], below: 4)
            stage.call?.end(RequestError(.unavailable, "the server restarts"))
            stage.documents = ["a": 1, "c": 4]
            try await stage.answerNextAdd(Self.runs("filter/with-expected-count")[0])
            try await wait(for: "the difference") { device.synced(listener) == ["a": 1] }
            await device.stop()
        }

        /// The count tells that documents are missing, not which: the client asks for the whole result, and for what
        /// became of the two that are not in it.
        @Test func countsAlone() async throws {
            let (listener, stage) = try await open(["a": 1, "b": 2, "c": 3], Self.runs("filter/first")[0])
            stage.call?.end(RequestError(.unavailable, "the server restarts"))
            stage.documents = ["a": 1]
            try await stage.answerNextAdd(Self.runs("filter/without-expected-count")[0])
            let removal = try await stage.nextRequest()
            #expect(removal.removeTarget == stage.target)
            let again = try await stage.answerNextAdd("ADD1 doc a CUR1 ∎")
            #expect(again.addTarget.resumeToken.isEmpty)
            #expect(again.labels["goog-listen-tags"]?.hasPrefix("existence-filter-mismatch") == true)
            try await stage.answerLimbo(of: 2)
            try await wait(for: "the whole result") { device.synced(listener) == ["a": 1] }
            await device.stop()
        }

        @Test(arguments: runs("atomic/transaction"))
        func commitsAsAWhole(_ run: String) async throws {
            let (listener, stage) = try await open([:], Self.runs("atomic/open")[0])
            stage.documents = ["a": 1, "b": 1]
            try stage.play(run)
            try await wait(for: "both documents") { device.synced(listener) == ["a": 1, "b": 1] }
            #expect(device.state.values[listener]?.allSatisfy { $0.count != 1 } == true)
            await device.stop()
        }

        /// Production once sent a target again after CURRENT: nothing flickers.
        @Test func resetsAfterCurrent() async throws {
            let (listener, stage) = try await open(["a": 1, "b": 1], "ADD1 doc a doc b CUR1 ∎")
            stage.documents = ["a": 1, "b": 2]
            try stage.play("RESET1 doc a doc b CUR1 ∎")
            try await wait(for: "the new state") { device.synced(listener) == ["a": 1, "b": 2] }
            #expect(device.state.values[listener]?.allSatisfy { $0.count != 1 } == true)
            await device.stop()
        }
    }

    /// Plays recordings to a client. One test at a time uses it.
    private final class Stage: @unchecked Sendable {
        private let server: ScriptedServer
        private(set) var call: ScriptedCall?
        private var calls = 0
        private var requests = 0
        private(set) var target: Int32 = 0
        private var time: Int32 = 0
        /// The last token that was sent.
        private(set) var token: [UInt8] = []
        /// The field `n` of the documents now, by ID.
        var documents: [String: Int64] = [:] {
            didSet { for (id, n) in documents where oldValue[id] != n { versions[id] = nextTime() } }
        }
        private var versions: [String: Int32] = [:]

        init(_ server: ScriptedServer) { self.server = server }

        private func nextTime() -> Int32 {
            time += 1_000
            return time
        }

        /// The next request of the client, on this stream or on a new one. The first stream may end without one, when the
        /// client learns who its user is.
        func nextRequest() async throws -> ProtoListenRequest {
            while true {
                if call == nil || call?.isEnded == true {
                    call = try await server.call("Listen", calls)
                    calls += 1
                    requests = 0
                }
                guard let call else { continue }
                try await wait(for: "request \(requests) of stream \(calls - 1)") {
                    call.requestCount > requests || call.isClosed
                }
                guard call.requestCount > requests else {
                    self.call = nil
                    continue
                }
                requests += 1
                return try await call.request(requests - 1)
            }
        }

        /// Waits for a listen, and plays to it.
        @discardableResult
        func answerNextAdd(_ text: String) async throws -> ProtoListenRequest {
            let request = try await nextRequest()
            target = request.addTarget.targetID
            try play(text)
            return request
        }

        /// Answers the questions for single documents, and the ends of these listens.
        func answerLimbo(of count: Int) async throws {
            let kept = target
            for _ in 0..<count {
                var request = try await nextRequest()
                while request.removeTarget != 0 { request = try await nextRequest() }
                target = request.addTarget.targetID
                let id = String(request.addTarget.documents.documents[0].split(separator: "/").last ?? "")
                try play("ADD1 \(documents[id] == nil ? "del" : "doc") \(id) CUR1 ∎")
            }
            target = kept
        }

        func play(_ text: String) throws {
            var words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)[...]
            while let word = words.popFirst() {
                var message = ProtoListenResponse()
                if let open = word.firstIndex(of: "{") {
                    // The cause goes on to the end.
                    let rest = ([String(word[word.index(after: open)...])] + words).joined(separator: " ").dropLast()
                    let comma = rest.firstIndex(of: ",")!
                    message.targetChange.targetChangeType = .remove
                    message.targetChange.targetIds = [target]
                    message.targetChange.cause.code = Int32(rest[..<comma])!
                    message.targetChange.cause.message = String(rest[comma...].dropFirst(2))
                    words = []
                } else if word == "doc" || word == "del" {
                    let id = words.removeFirst()
                    let leaves = words.first == "−1"
                    if leaves { words.removeFirst() }
                    message = document(id, leaves: leaves, isDeleted: word == "del")
                } else {
                    change(word, &message)
                }
                try call?.send(message)
            }
        }

        private func document(_ id: String, leaves: Bool, isDeleted: Bool) -> ProtoListenResponse {
            var message = ProtoListenResponse()
            let name = "projects/p/databases/(default)/documents/c/\(id)"
            if isDeleted {
                message.documentDelete.document = name
                message.documentDelete.removedTargetIds = [target]
                message.documentDelete.readTime = .init(seconds: 0, nanos: nextTime())
                return message
            }
            message.documentChange.document.name = name
            var field = ProtoFieldEntry()
            field.key = "n"
            field.value.integerValue = documents[id] ?? 0
            message.documentChange.document.fields = [field]
            message.documentChange.document.createTime = .init(seconds: 0, nanos: 1_000)
            message.documentChange.document.updateTime = .init(seconds: 0, nanos: versions[id] ?? nextTime())
            if leaves {
                message.documentChange.removedTargetIds = [target]
            } else {
                message.documentChange.targetIds = [target]
            }
            return message
        }

        private func change(_ word: String, _ message: inout ProtoListenResponse) {
            if word.hasPrefix("F(") {
                message.filter.targetID = target
                message.filter.count = Int32(word.dropFirst(2).dropLast())!
                return
            }
            switch word.prefix(while: { !$0.isNumber }) {
            case "ADD": message.targetChange.targetChangeType = .add
            case "REMOVE": message.targetChange.targetChangeType = .remove
            case "RESET": message.targetChange.targetChangeType = .reset
            case "CUR": message.targetChange.targetChangeType = .current
            default: message.targetChange.targetChangeType = .noChange
            }
            if word != "∎" { message.targetChange.targetIds = [target] }
            guard word == "∎" || word.hasPrefix("CUR") else { return }
            let now = nextTime()
            token = Array("token \(now)".utf8)
            message.targetChange.resumeToken = .init(token)
            message.targetChange.readTime = .init(seconds: 0, nanos: now)
        }
    }
#endif
