// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import Dispatch
    import Foundation
    import Hearth
    import TestSupport
    import Testing

    /// Transactions that a real server commits (W-24 to W-32).
    @Suite struct LiveTransactionTests {
        enum Base: CaseIterable { case existing, absent, deleted }
        enum Step: CaseIterable { case set, update, delete }

        private func status(_ body: () async throws -> Void) async -> FirestoreErrorCode.Code? {
            do { try await body() } catch let error as FirestoreError { return error.status } catch { return .unknown }
            return nil
        }

        /// What becomes of a document by two writes of one transaction: its number, or the error.
        private static func outcome(_ base: Base, isRead: Bool, _ first: Step, _ second: Step) -> String {
            if first == .update, base != .existing { return isRead ? "invalidArgument" : "notFound" }
            switch (first, second) {
            case (.delete, .update): return "invalidArgument"
            case (_, .delete): return "missing"
            default: return "2"
            }
        }

        @Test(arguments: LiveServer.present, Base.allCases)
        func twoWrites(_ server: LiveServer, to base: Base) async throws {
            let client = try await LiveClient(server)
            for isRead in [false, true] {
                for (first, second) in Step.allCases.flatMap({ first in Step.allCases.map { (first, $0) } }) {
                    let document = client.collection.document()
                    if base != .absent { try await document.setData(["n": 0]) }
                    if base == .deleted { try await document.delete() }
                    let status = await status {
                        try await client.database.runTransaction { transaction in
                            if isRead { _ = try transaction.getDocument(document) }
                            for (number, step) in [first, second].enumerated() {
                                switch step {
                                case .set: transaction.setData(["n": number + 1], forDocument: document)
                                case .update: transaction.updateData(["n": number + 1], forDocument: document)
                                case .delete: transaction.deleteDocument(document)
                                }
                            }
                        }
                    }
                    let outcome: String
                    if let status {
                        outcome = "\(status)"
                    } else {
                        outcome = try await document.getDocument(source: .server).text
                    }
                    let expected = LiveTransactionTests.outcome(base, isRead: isRead, first, second)
                    #expect(outcome == expected, "\(isRead ? "read, " : "")\(first), \(second)")
                }
            }
        }

        @Test(arguments: LiveServer.present) func merges(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let (town, names) = (client.collection.document("town"), client.collection.document("names"))
            try await names.setData(["a.b": "old", "c.d": "old", "e": ["f": "old", "g": "old"]])
            try await client.database.runTransaction { transaction in
                transaction.setData(["a": "b", "nested": ["a": "b"]], forDocument: town)
                transaction.setData(["c": "d", "nested": ["c": "d"]], forDocument: town, merge: true)
                transaction.updateData([FieldPath(["a.b"]): "new"], forDocument: names)
                transaction.updateData([FieldPath(["c.d"]): "new"], forDocument: names)
                transaction.updateData(["e.f": "new"], forDocument: names)
            }
            let merged = try #require(try await town.getDocument(source: .server).data())
            #expect(merged["a"] as? String == "b" && merged["c"] as? String == "d")
            #expect(merged["nested"] as? [String: String] == ["a": "b", "c": "d"])
            let updated = try #require(try await names.getDocument(source: .server).data())
            #expect(updated["a.b"] as? String == "new" && updated["c.d"] as? String == "new")
            #expect(updated["e"] as? [String: String] == ["f": "new", "g": "old"])
        }

        enum Counting: CaseIterable { case set, update, mergeAndUpdate }

        /// Three transactions that have read the same state: each counts once.
        @Test(arguments: LiveServer.present, Counting.allCases)
        func contention(_ server: LiveServer, _ counting: Counting) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("counter")
            try await document.setData(["n": 5, "modified": "no", "untouched": "clean"])
            let (runs, gate) = (Runs(), DispatchSemaphore(value: 0))
            let count: @Sendable () async throws -> Void = {
                try await client.database.runTransaction { transaction in
                    let n = try transaction.getDocument(document)["n"] as? Int ?? 0
                    if runs.begin() <= 3 { gate.wait() }
                    LiveTransactionTests.write(n + 1, to: document, counting, transaction)
                }
            }
            async let first: Void = count()
            async let second: Void = count()
            async let third: Void = count()
            try await wait(for: "three reads") { runs.count == 3 }
            for _ in 0..<3 { gate.signal() }
            _ = try await (first, second, third)
            let result = try await document.getDocument(source: .server)
            #expect(result["n"] as? Int == 8)
            // One repetition of the second that commits, two of the third.
            #expect(runs.count <= 6)
            if counting != .set { #expect(result["untouched"] as? String == "clean") }
            if counting == .mergeAndUpdate { #expect(result["modified"] as? String == "yes") }
        }

        private static func write(
            _ n: Int, to document: DocumentReference, _ counting: Counting, _ transaction: Transaction
        ) {
            switch counting {
            case .set: transaction.setData(["n": n], forDocument: document)
            case .update: transaction.updateData(["n": n], forDocument: document)
            case .mergeAndUpdate:
                transaction.setData(
                    ["n": n, "modified": "maybe", "untouched": "dirty"], forDocument: document, mergeFields: ["n"])
                transaction.updateData(["modified": "yes"], forDocument: document)
            }
        }

        /// What was only read counts: the transaction runs again, and the second time nothing changes any more.
        @Test(arguments: LiveServer.present, [false, true])
        func changesOfWhatWasRead(_ server: LiveServer, _ exists: Bool) async throws {
            let client = try await LiveClient(server)
            let (read, written) = (client.collection.document("read"), client.collection.document("written"))
            if exists { try await read.setData(["n": 15]) }
            let runs = Runs()
            try await client.database.runTransaction { transaction in
                _ = try transaction.getDocument(read)
                if runs.begin() == 1 { try read.sync.setData(["n": 1234]) }
                transaction.setData(["n": 16], forDocument: exists ? written : read)
            }
            #expect(runs.count == 2)
            #expect(try await read.getDocument(source: .server)["n"] as? Int == (exists ? 1234 : 16))
        }

        @Test(arguments: LiveServer.present, [1, 2])
        func attempts(_ server: LiveServer, _ most: Int) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            try await document.setData(["n": 15])
            let options = TransactionOptions()
            #expect(options.maxAttempts == 5)
            options.maxAttempts = most
            let runs = Runs()
            let status = await status {
                _ = try await client.database.runTransaction(with: options) { transaction, pointer in
                    do {
                        _ = try transaction.getDocument(document)
                        try document.sync.setData(["n": 1234 + runs.begin()])
                    } catch {
                        pointer?.pointee = error as NSError
                    }
                    return nil
                }
            }
            #expect(status == .failedPrecondition)
            #expect(runs.count == most)
        }

        /// A document that is read twice in one run must be the same.
        @Test(arguments: LiveServer.present) func twoReadings(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            try await document.setData(["n": 15])
            let status = await status {
                try await client.database.runTransaction { transaction in
                    _ = try transaction.getDocument(document)
                    try document.sync.setData(["n": UUID().uuidString])
                    _ = try transaction.getDocument(document)
                }
            }
            #expect(status == .aborted)
        }

        @Test(arguments: LiveServer.present) func errorsThatEndThem(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let absent = client.collection.document("absent")
            let runs = Runs()
            let permanent = await #expect(throws: FirestoreError.self) {
                try await client.database.runTransaction { transaction in
                    _ = runs.begin()
                    _ = try transaction.getDocument(absent)
                    transaction.updateData(["n": 1], forDocument: absent)
                }
            }
            #expect(permanent == FirestoreError(.invalidArgument, "Can't update a document that doesn't exist."))
            #expect(runs.count == 1)
            let bad = client.collection.document("__badpath__")
            let badPath = await status {
                try await client.database.runTransaction { transaction in
                    _ = try transaction.getDocument(bad)
                    transaction.setData(["n": 1], forDocument: bad)
                }
            }
            #expect(badPath == .invalidArgument)
            let late = await status {
                try await client.database.runTransaction { transaction in
                    transaction.setData(["n": 1], forDocument: absent)
                    _ = try transaction.getDocument(absent)
                }
            }
            #expect(late == .invalidArgument)
            struct Stop: Error {}
            let stopped = Runs()
            await #expect(throws: Stop.self) {
                try await client.database.runTransaction { transaction in
                    _ = stopped.begin()
                    transaction.setData(["n": 1], forDocument: absent)
                    throw Stop()
                }
            }
            #expect(stopped.count == 1)
            #expect(try await !absent.getDocument(source: .server).exists)
        }

        @Test(arguments: LiveServer.present) func withoutWrites(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let (there, absent) = (client.collection.document("there"), client.collection.document("absent"))
            try await there.setData(["n": 1])
            let read = try await client.database.runTransaction { transaction in
                _ = try transaction.getDocument(absent)
                return try transaction.getDocument(there).text
            }
            #expect(read == "1")
            #expect(try await client.database.runTransaction { _ in 7 } == 7)
            let options = TransactionOptions()
            options.maxAttempts = 0
            let status = await status {
                _ = try await client.database.runTransaction(with: options) { _, _ in nil }
            }
            #expect(status == .invalidArgument)
        }
    }
#endif
