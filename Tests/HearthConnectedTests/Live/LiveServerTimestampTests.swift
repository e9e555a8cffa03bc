// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import Foundation
    import Hearth
    import TestSupport
    import Testing

    /// Server timestamps, from the write to the server's answer.
    @Suite struct LiveServerTimestampTests {
        /// Two timestamps, one of them in a map that replaces what was there.
        private static var times: [String: Any] {
            ["when": FieldValue.serverTimestamp(), "deep": ["when": FieldValue.serverTimestamp()]]
        }

        private static let behaviors: [ServerTimestampBehavior] = [.none, .estimate, .previous]

        private struct Life {
            let client: LiveClient
            let document: DocumentReference
            let heard: Heard<DocumentSnapshot>

            init(_ server: LiveServer, _ initial: [String: Any]? = ["a": 42]) async throws {
                client = try await LiveClient(server)
                document = client.collection.document("d")
                heard = client.listen(to: document, includeMetadataChanges: true)
                _ = try await heard.first("an absent document") { !$0.metadata.isFromCache }
                guard let initial else { return }
                try await document.setData(initial)
                _ = try await heard.first("the initial data") { $0.exists && !$0.metadata.hasPendingWrites }
            }

            func pending() async throws -> DocumentSnapshot {
                try await heard.first("a pending write") { $0.metadata.hasPendingWrites }
            }

            func settled() async throws -> DocumentSnapshot {
                try await heard.first("an acknowledged write") { !$0.metadata.hasPendingWrites }
            }

            /// The document has times, the same ones whoever asks.
            func expectTimes(in snapshot: DocumentSnapshot) {
                for behavior in behaviors {
                    let when = snapshot.get("when", serverTimestampBehavior: behavior) as? Timestamp
                    #expect(when != nil)
                    #expect(snapshot.get("deep.when", serverTimestampBehavior: behavior) as? Timestamp == when)
                }
                #expect(snapshot["a"] as? Int == 42)
            }
        }

        enum Writing: CaseIterable { case set, update, transactionSet, transactionUpdate }

        @Test(arguments: LiveServer.present, Writing.allCases)
        func written(_ server: LiveServer, by writing: Writing) async throws {
            let isSet = writing == .set || writing == .transactionSet
            let life = try await Life(server, isSet ? nil : ["a": 42])
            let document = life.document
            switch writing {
            case .set:
                var data = LiveServerTimestampTests.times
                data["a"] = 42
                try await document.setData(data)
            case .update: try await document.updateData(LiveServerTimestampTests.times)
            case .transactionSet:
                try await life.client.database.runTransaction { transaction in
                    var data = LiveServerTimestampTests.times
                    data["a"] = 42
                    _ = transaction.setData(data, forDocument: document)
                }
            case .transactionUpdate:
                try await life.client.database.runTransaction {
                    _ = $0.updateData(LiveServerTimestampTests.times, forDocument: document)
                }
            }
            if writing == .set || writing == .update {
                let pending = try await life.pending()
                for path in ["when", "deep.when"] {
                    #expect(pending.get(path) is NSNull)
                    #expect(pending.get(FieldPath(path.split(separator: ".").map(String.init))) is NSNull)
                    #expect(pending.get(path, serverTimestampBehavior: .estimate) is Timestamp)
                    #expect(pending.get(path, serverTimestampBehavior: .previous) is NSNull)
                }
                #expect(pending["a"] as? Int == 42)
                #expect(pending.data()?["when"] is NSNull)
                #expect((pending.data(with: .estimate)?["deep"] as? [String: Any])?["when"] is Timestamp)
            }
            life.expectTimes(
                in: try await life.heard.first("the server's times") {
                    $0.exists && !$0.metadata.hasPendingWrites && $0["when"] is Timestamp
                })
        }

        /// Also of a time in a map that the write itself replaces.
        @Test(arguments: LiveServer.present) func previousTimes(_ server: LiveServer) async throws {
            let life = try await Life(server)
            try await life.document.updateData(LiveServerTimestampTests.times)
            _ = try await life.pending()
            let first = try await life.settled()
            let when = try #require(first["when"] as? Timestamp)
            try await life.document.updateData(LiveServerTimestampTests.times)
            let pending = try await life.pending()
            #expect(pending.get("when", serverTimestampBehavior: .previous) as? Timestamp == when)
            #expect(pending.get("deep.when", serverTimestampBehavior: .previous) as? Timestamp == when)
            life.expectTimes(in: try await life.settled())
        }

        @Test(arguments: LiveServer.present) func previousValuesOfAnotherType(_ server: LiveServer) async throws {
            let life = try await Life(server)
            try await life.document.updateData(["a": FieldValue.serverTimestamp()])
            let pending = try await life.pending()
            #expect(pending["a"] is NSNull)
            #expect(pending.get("a", serverTimestampBehavior: .estimate) is Timestamp)
            #expect(pending.get("a", serverTimestampBehavior: .previous) as? Int == 42)
            let settled = try await life.settled()
            for behavior in LiveServerTimestampTests.behaviors {
                #expect(settled.get("a", serverTimestampBehavior: behavior) is Timestamp)
            }
        }

        /// - Parameter isReplaced: whether a number is written between the two timestamps.
        @Test(arguments: LiveServer.present, [false, true])
        func previousValuesOfLocalWrites(_ server: LiveServer, _ isReplaced: Bool) async throws {
            let life = try await Life(server)
            try await life.client.database.disableNetwork()
            _ = try await life.heard.first("the cached document") { $0.metadata.isFromCache }
            let time = FieldValue.serverTimestamp()
            life.document.updateData(["a": time], completion: nil)
            #expect(try await life.pending().get("a", serverTimestampBehavior: .previous) as? Int == 42)
            if isReplaced {
                life.document.updateData(["a": 1337], completion: nil)
                #expect(try await life.pending()["a"] as? Int == 1337)
            }
            // With another field, so that it is a change.
            life.document.updateData(["a": time, "b": 1], completion: nil)
            let previous = try await life.pending().get("a", serverTimestampBehavior: .previous) as? Int
            #expect(previous == (isReplaced ? 1337 : 42))
            try await life.client.database.enableNetwork()
            #expect(try await life.settled()["a"] is Timestamp)
        }

        @Test(arguments: LiveServer.present, [false, true])
        func absentDocuments(_ server: LiveServer, _ isInTransaction: Bool) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            let error = await #expect(throws: FirestoreError.self) {
                if isInTransaction {
                    try await client.database.runTransaction {
                        _ = $0.updateData(LiveServerTimestampTests.times, forDocument: document)
                    }
                } else {
                    try await document.updateData(LiveServerTimestampTests.times)
                }
            }
            #expect(error?.status == .notFound)
        }

        private struct Dated: Codable {
            var a: Int?
            @ServerTimestamp var first: Timestamp?
            @ServerTimestamp var second: Timestamp?
        }

        @Test(arguments: LiveServer.present) func properties(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            try await document.setData(encoding: Dated())
            var read = try await document.getDocument(as: Dated.self)
            let time = try #require(read.first)
            #expect(read.a == nil && read.second == time)
            // Times that are there are written as they are.
            read.a = 42
            try await document.setData(encoding: read)
            let again = try await document.getDocument(as: Dated.self)
            #expect(again.a == 42 && again.first == time && again.second == time)
        }
    }
#endif
