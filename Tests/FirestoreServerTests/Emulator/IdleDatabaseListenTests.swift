// SPDX-License-Identifier: Apache-2.0

#if Server
    import DocumentEngine
    import DocumentModel
    import TestSupport
    import Testing

    @testable import FirestoreServer

    // Resume tokens say what a client knows of a database, be it closed meanwhile.
    extension IdleDatabaseTests {
        /// What a listener knows of an empty database stays true when its file is removed and made again.
        @Test func tokensOfAnEmptyDatabaseOutliveTheClosing() async throws {
            func state(since token: [UInt8] = []) async throws -> (text: String, token: [UInt8]) {
                let listener = Conversation(service, id("a"))
                listener.add(1, collection: "c", resumeToken: token)
                return (try await listener.first(), listener.token)
            }
            let (first, token) = try await state()
            #expect(first == "ADD1 CUR1 ∎")
            for _ in 0..<2 {
                try await close(id("a"))
                #expect(!names("data/p").contains("a.hearth"))
                #expect(try await state(since: token).text == "ADD1 ∎ CUR1 ∎")
            }
            try await close(id("a"))
            try await write(id("a"))
            let (second, later) = try await state(since: token)
            #expect(second == "ADD1 ∎ doc d CUR1 ∎")
            try await close(id("a"))
            #expect(try await state(since: later).text == "ADD1 ∎ CUR1 ∎")
            // What was cleared is no former state.
            try await registry.database(id("a")).engine.clear()
            for known in [token, later] { #expect(try await state(since: known).text == "ADD1 RESET1 CUR1 ∎") }
        }
    }
#endif
