// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// Transactions of several tasks and of two processes move amounts between accounts: nothing is lost or created (W-32).
@Suite struct TransactionProcessTests {
    private static let accounts = 4

    @Test func amountsStay() async throws {
        let seed = SeededGenerator.printingSeed().seed
        let sample = try Sample()
        let database = sample.database
        for number in 0..<Self.accounts {
            try await database.document("accounts/\(number)").setData(["amount": 100, "moves": 0])
        }
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = sample.path as String, seed = seed as UInt64] in
                let database = try await Database.open(path: path, settings: Sample.settings)
                try await database.document("ready/child").setData([:])
                try await wait(for: "the parent's beginning") {
                    try await database.document("ready/parent").getDocument().exists
                }
                let moves = try await TransactionProcessTests.move(database, seed: seed &+ 1_000)
                try await database.document("results/child").setData(["moves": moves])
            }
        }()
        // Tests that wait for processes may occupy all threads of Swift's pool, and the child waits for this answer.
        Thread.detachNewThread {
            while (try? database.document("ready/child").sync.getDocument().exists) != true { usleep(200) }
            try? database.document("ready/parent").sync.setData([:])
        }
        try await wait(for: "the child's beginning") {
            try await database.document("ready/parent").getDocument().exists
        }
        let own = try await Self.move(database, seed: seed)
        await other
        let others = try #require(try await database.document("results/child").getDocument()["moves"] as? Int)
        let documents = try await database.collection("accounts").getDocuments().documents
        let amounts = documents.compactMap { $0["amount"] as? Int }
        #expect(amounts.reduce(0, +) == 100 * Self.accounts)
        // Each successful move, and no other, is counted in both of its accounts.
        #expect(documents.compactMap { $0["moves"] as? Int }.reduce(0, +) == 2 * (own + others))
        print("amountsStay: \(own) moves here and \(others) in the other process")
        #expect(own > 0 && others > 0)
    }

    /// - Returns: the number of committed moves; the others ran out of attempts.
    private static func move(_ database: Database, seed: UInt64) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(task))
                    var count = 0
                    for _ in 0..<40 {
                        let from = random.int(0..<accounts)
                        let to = (from + random.int(1..<accounts)) % accounts
                        let amount = random.int(1..<20)
                        do {
                            try await move(amount, from: from, to: to, in: database)
                            count += 1
                        } catch let error as NSError {
                            // Another process may win five times in a row.
                            let codes: [FirestoreErrorCode.Code] = [.failedPrecondition, .aborted]
                            #expect(codes.map(\.rawValue).contains(error.code), "\(error)")
                        }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private static func move(_ amount: Int, from: Int, to: Int, in database: Database) async throws {
        let (one, other) = (database.document("accounts/\(from)"), database.document("accounts/\(to)"))
        try await database.runTransaction { transaction in
            let source = try transaction.getDocument(one)
            let target = try transaction.getDocument(other)
            for (document, change) in [(source, -amount), (target, amount)] {
                let (old, moves) = (document["amount"] as? Int ?? 0, document["moves"] as? Int ?? 0)
                transaction.updateData(["amount": old + change, "moves": moves + 1], forDocument: document.reference)
            }
        }
    }
}
