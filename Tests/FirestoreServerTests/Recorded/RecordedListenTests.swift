// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentModel
    import FirestoreProtocol
    import Foundation
    import SwiftProtobuf
    import TestSupport
    import Testing

    @testable import FirestoreServer

    /// The programs that were recorded from production, over real connections: each of their rows is an answer that production gave.
    @Suite struct RecordedListenTests {
        enum Carrier: CaseIterable {
            case gRPC, webChannel
        }

        private let server: TestServer
        private let rows = CheckedRows()

        init() throws { server = try TestServer() }

        private func listener(_ carrier: Carrier) async throws -> Conversation {
            switch carrier {
            case .gRPC: Conversation(try await GRPCCarrier(server))
            case .webChannel: Conversation(WebCarrier(server))
            }
        }

        private func set(_ paths: String..., n: Int, g: String = "g") async throws {
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit(paths.map { .set("c/\($0)", ["n": ProtoValue(n), "g": ProtoValue(g)]) })
            try await connection.close()
        }

        private func delete(_ path: String) async throws {
            let connection = try await GRPCConnection.open(server.port)
            try await connection.commit([.delete("c/\(path)")])
            try await connection.close()
        }

        /// Adds the target of most programs and waits for its first state.
        private func open(
            _ carrier: Carrier, g: String = "g", token: [UInt8] = [], expecting count: Int32? = nil
        ) async throws -> (Conversation, String) {
            let listener = try await listener(carrier)
            listener.add(1, collection: "c", equal: ("g", ProtoValue(g)), resumeToken: token, expectedCount: count)
            return (listener, try await listener.first())
        }

        @Test(arguments: Carrier.allCases) func lifecycle(_ carrier: Carrier) async throws {
            try await set("a", n: 1)
            let listener = try await listener(carrier)
            listener.add(1, documents: ["c/a"])
            rows.check("lifecycle/open", try await listener.first())
            try await set("a", n: 2)
            rows.check("lifecycle/update", try await listener.state())
            // The same data says nothing: what comes next is of the commit after it, and then the target's end.
            try await set("a", n: 2)
            rows.check("lifecycle/same-data", "")
            try await set("a", n: 3)
            rows.check("lifecycle/update", try await listener.state())
            listener.remove(1)
            rows.check("lifecycle/remove", try await listener.next())
            listener.add(2, documents: ["c/a"])
            rows.check("lifecycle/readd", try await listener.first())
            try await delete("a")
            rows.check("lifecycle/delete", try await listener.state())
            rows.expectAll("lifecycle")
        }

        @Test(arguments: Carrier.allCases) func targetProtocol(_ carrier: Carrier) async throws {
            try await set("a", n: 1)
            try await set("b", n: 2)
            var listener = try await listener(carrier)
            listener.add(1, documents: ["c/a"])
            let first = try await listener.first()
            listener.add(1, documents: ["c/b"])
            rows.check("protocol/duplicate-id", first + " " + (try await listener.next()))

            listener = try await self.listener(carrier)
            listener.add(0, documents: ["c/a"])
            rows.check("protocol/server-assigned-id", try await listener.first())
            listener.add(0, documents: ["c/b"])
            rows.check("protocol/second-zero-id", try await listener.first())
            listener.add(7, documents: ["c/b"])
            rows.check("protocol/id-after-assigned", await end(of: listener))
            listener = try await self.listener(carrier)
            listener.add(-1, documents: ["c/a"])
            rows.check("protocol/negative-id", await end(of: listener))

            listener = try await self.listener(carrier)
            listener.add(1, documents: ["c/a"], once: true)
            rows.check("protocol/once", try await listener.first() + " " + (try await listener.next()))
            try await readTimes(carrier)
            try await queries(carrier)
            rows.expectAll("protocol")
        }

        /// How a stream ends that the server refuses.
        private func end(of listener: Conversation) async -> String {
            do { return try await listener.next() } catch let error as GRPCFailure {
                return "end \(error.status?.rawValue ?? -1)"
            } catch { return "\(error)" }
        }

        private func readTimes(_ carrier: Carrier) async throws {
            let before = try await listener(carrier)
            before.add(1, documents: ["c/a"])
            _ = try await before.first()
            try await set("a", n: 5)
            var listener = try await listener(carrier)
            listener.add(1, documents: ["c/a"], readTime: before.time)
            rows.check("protocol/read-time-before-write", try await listener.first())
            let after = listener.time
            listener = try await self.listener(carrier)
            listener.add(1, documents: ["c/a"], readTime: after)
            rows.check("protocol/read-time-after-write", try await listener.first())
        }

        private func queries(_ carrier: Carrier) async throws {
            var listener = try await listener(carrier)
            listener.add(1, collection: "c", equal: ("g", ProtoValue("g")), orderedBy: "n")
            let refusal = try await listener.next() + " " + (try await listener.next())
            // Behind production's line and an empty one comes the definition.
            let rest = #/https://console\S+create_composite=\S+\n\nAdd to .*}\s}/#.dotMatchesNewlines()
            rows.check("protocol/missing-index", refusal.replacing(rest, with: "…}"))
            listener.add(2, documents: ["c/b"])
            #expect(try await listener.first() == "ADD2 doc b CUR2 ∎")
            rows.check("protocol/equality-only-query", try await open(carrier).1)
            try await set("g1/child/c1", "g2/child/c2", n: 1, g: "other")
            listener = try await self.listener(carrier)
            listener.add(1, collection: "child", inAllParents: true)
            rows.check("protocol/collection-group", try await listener.first())
        }

        @Test(arguments: Carrier.allCases) func tokens(_ carrier: Carrier) async throws {
            try await set("a", n: 1)
            try await set("b", n: 1)
            let (first, state) = try await open(carrier)
            rows.check("token/first", state)
            let old = first.token
            try await set("a", n: 2)
            _ = try await first.state()
            let middle = first.token
            try await set("b", n: 2)
            let (current, answer) = try await open(carrier, token: middle)
            rows.check("token/current", answer)
            rows.check("token/older", try await open(carrier, token: old).1)
            rows.check("token/unchanged", try await open(carrier, token: current.token).1)
            let invalid = try await listener(carrier)
            invalid.add(1, collection: "c", resumeToken: Array("not-a-token".utf8))
            rows.check("token/invalid", try await invalid.next())
            invalid.add(2, documents: ["c/a"])
            #expect(try await invalid.first() == "ADD2 doc a CUR2 ∎")
            rows.check("token/other-query", try await open(carrier, g: "other", token: current.token).1)
            rows.check("token/fresh-control", try await open(carrier).1)
            rows.expectAll("token")
        }

        @Test(arguments: Carrier.allCases) func existenceFilters(_ carrier: Carrier) async throws {
            for id in ["a", "b", "c"] { try await set(id, n: 1) }
            let (first, state) = try await open(carrier)
            let token = first.token
            rows.check("filter/first", state)
            rows.check("filter/no-change", try await open(carrier, token: token, expecting: 3).1)
            try await delete("b")
            try await set("c", n: 2, g: "other")
            #expect(try await first.state() + " " + first.state() == "del b ∎ doc c −1 ∎")
            rows.check("filter/with-expected-count", try await open(carrier, token: token, expecting: 3).1)
            rows.check("filter/without-expected-count", try await open(carrier, token: token).1)
            rows.expectAll("filter")
        }

        /// A token of some time ago, but of an hour that the server remembers.
        @Test(arguments: Carrier.allCases) func oldTokens(_ carrier: Carrier) async throws {
            try await set("a", n: 1)
            let (first, state) = try await open(carrier)
            rows.check("expired/first", state)
            let clock = try await server.http(
                "PUT", "/emulator/v1/\(Names.database):clock", #"{"advance":"3000s"}"#)
            #expect(clock.status == 200)
            try await set("a", n: 2)
            rows.check("expired/expired", try await open(carrier, token: first.token).1)
            rows.check("expired/fresh-control", try await open(carrier).1)
            rows.expectAll("expired")
        }

        @Test(arguments: Carrier.allCases) func atomicCommits(_ carrier: Carrier) async throws {
            let (listener, state) = try await open(carrier)
            rows.check("atomic/open", state)
            let connection = try await GRPCConnection.open(server.port)
            var begin = ProtoBeginTransactionRequest()
            begin.database = Names.database
            let begun: ProtoBeginTransactionResponse = try await connection.unary("BeginTransaction", begin)
            let fields = ["n": ProtoValue(1), "g": ProtoValue("g")]
            try await connection.commit([.set("c/a", fields), .set("c/b", fields)], transaction: begun.transaction)
            rows.check("atomic/transaction", try await listener.state())
            try await set("c", "d", n: 1)
            rows.check("atomic/single-commit", try await listener.state())
            try await set("a", n: 2)
            try await set("b", n: 2)
            rows.check("atomic/separate-commits", try await listener.state() + " " + listener.state())
            rows.expectAll("atomic")
        }
    }

    /// Compares answers with the recorded ones, and notes which were.
    private final class CheckedRows {
        private var checked: Set<String> = []

        func check(_ row: String, _ answer: String) {
            checked.insert(row)
            #expect(RecordedListen.allows(answer, in: row), "\(row): \(answer), not \(RecordedListen.rows[row] ?? [])")
        }

        /// No row of a program is left out.
        func expectAll(_ program: String) {
            #expect(Set(RecordedListen.rows.keys.filter { $0.hasPrefix("\(program)/") }) == checked)
        }
    }
#endif
