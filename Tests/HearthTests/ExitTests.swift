// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// Synchronous, so that the write is not awaited. The database is released on return.
private func writeWithoutWaiting(_ path: String) throws {
    let database = try Database.open(path: path)
    for number in 0..<20 { try database.collection("cities").addDocument(from: ["number": number]) }
    database.batch().setData(["n": 1], forDocument: database.document("other/batch")).commit()
    database.document("other/heard").setData(["n": 2]) { _ in }
    database.runTransaction({ transaction, _ in
        transaction.setData(["n": 3], forDocument: database.document("other/transaction"))
    }) { _, _ in }
}

/// Queued writes when the program ends.
@Suite struct ExitTests {
    @Test func queuedWritesAreFinished() async throws {
        let sample = try Sample()
        await #expect(processExitsWith: .success) { [path = sample.path as String] in
            try writeWithoutWaiting(path)
            exit(EXIT_SUCCESS)
        }
        let cities = try await sample.database.collection("cities").getDocuments()
        #expect(Set(cities.documents.compactMap { $0["number"] as? Int }) == Set(0..<20))
        let others = try await sample.database.collection("other").getDocuments()
        #expect(others.documents.map(\.documentID) == ["batch", "heard", "transaction"])
    }

    /// The program also ends if a write cannot be finished, and reports it.
    @Test func unfinishedWritesAreReported() async throws {
        let sample = try Sample()
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [path = sample.path as String] in
            let database = try Database.openBlocking(path)
            for _ in 0..<2 {
                database.runTransaction({ _, _ in
                    while true { sleep(60) }
                }) { _, _ in }
            }
            exit(EXIT_SUCCESS)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Hearth: 2 calls were not finished when the program ended"))
    }
}

extension Database {
    fileprivate static func openBlocking(_ path: String) throws -> Database { try open(path: path) }
}
