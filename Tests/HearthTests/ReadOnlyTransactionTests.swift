// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import LMDB
import Testing

/// Transactions that only read: all reads agree with one state, and no writer is waited for (W-27, W-32).
@Suite struct ReadOnlyTransactionTests {
    private let sample: Sample
    private let database: Database
    private let one: DocumentReference
    private let other: DocumentReference

    init() throws {
        sample = try Sample()
        database = sample.database
        one = database.document("c/one")
        other = database.document("c/other")
        try database.batch().setData(["n": 0], forDocument: one).setData(["n": 0], forDocument: other).sync.commit()
    }

    @Test func seesOneState() throws {
        var attempts = 0
        let seen = try database.sync.runTransaction { transaction in
            attempts += 1
            let first = try transaction.getDocument(one)["n"] as? Int
            if attempts == 1 {
                try database.batch().updateData(["n": 1], forDocument: one).updateData(["n": 1], forDocument: other)
                    .sync.commit()
            }
            return [first, try transaction.getDocument(other)["n"] as? Int]
        }
        #expect(seen == [1, 1] && attempts == 2)
        var always = 0
        #expect(
            text(.aborted) {
                try database.sync.runTransaction { transaction in
                    always += 1
                    _ = try transaction.getDocument(one)
                    _ = try transaction.getDocument(other)
                    try one.sync.updateData(["n": 10 + always])
                }
            } == "Too much contention on these documents. Please try again.")
        #expect(always == 5)
    }

    @Test func writesNothing() throws {
        var options = Environment.Options()
        options.durability = .mayLoseDatabase
        let environment = try Environment.open(sample.path, options)
        let before = environment.info.lastTransactionID
        try database.sync.runTransaction { transaction in
            _ = try transaction.getDocument(one)
            _ = try transaction.getDocument(other)
            _ = try transaction.getDocument(database.document("c/missing"))
        }
        #expect(environment.info.lastTransactionID == before)
    }
}
