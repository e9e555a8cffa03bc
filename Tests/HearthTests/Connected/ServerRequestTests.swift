// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import QueryPlanner
import SyncCore
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// What only the server answers: transactions, aggregations, vector searches (C-34).
@Suite struct ServerRequestTests {
    @Test func transactions() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        let heard = device.listen(to: device.cities)
        _ = try await heard.next()
        let (city, new) = (device.cities.document("SF"), device.cities.document("new"))
        let sum = try await device.database.runTransaction { transaction in
            let read = try transaction.getDocument(city)
            #expect(!read.metadata.isFromCache)
            #expect(try !transaction.getDocument(new).exists)
            let sum = (read["n"] as? Int ?? 0) + 1
            transaction.updateData(["n": sum], forDocument: city)
            transaction.setData(["n": sum], forDocument: new)
            return sum
        }
        #expect(sum == 2)
        try await wait(for: "the listen's news") { heard.take().last?.text == "[SF=2 new=2]" }
    }

    /// A transaction that has read what another client changes meanwhile runs again.
    @Test func contention() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        let (city, read) = (device.cities.document("SF"), device.cities.document("LA"))
        let runs = Mutex(0)
        try await device.database.runTransaction { transaction in
            let number = try transaction.getDocument(city)["n"] as? Int ?? 0
            _ = try transaction.getDocument(read)
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            // Of the document that is only read, in the first run.
            if run == 1 { try server.set("cities/LA", .n(9)) }
            transaction.updateData(["n": number + 1], forDocument: city)
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try server.n("cities/SF") == 2)
    }

    @Test func offline() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        server.setReachable(false)
        let options = TransactionOptions()
        options.maxAttempts = 1
        for _ in 0..<2 {
            let city = device.cities.document("SF")
            let error = await #expect(throws: FirestoreError.self) {
                _ = try await device.database.runTransaction(with: options) { transaction, pointer in
                    do { _ = try transaction.getDocument(city) } catch { pointer?.pointee = error as NSError }
                    return nil
                }
            }
            #expect(error?.status == .unavailable)
            let counting = await #expect(throws: FirestoreError.self) {
                _ = try await device.cities.count.getAggregation(source: .server)
            }
            #expect(counting?.status == .unavailable)
            // The second time, the program has switched the network off.
            server.setReachable(true)
            try await device.database.disableNetwork()
        }
    }

    @Test func aggregations() async throws {
        let server = try FakeServer()
        for number in 1...4 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        _ = try await device.cities.whereField("n", isLessThan: 3).getDocuments()
        let query = device.cities.whereField("n", isGreaterThan: 1).aggregate([.count(), .sum("n"), .average("n")])
        let all = try await query.getAggregation(source: .server)
        #expect(all.count == 3)
        #expect(all.get(AggregateField.sum("n")) as? Int == 9)
        #expect(all.get(AggregateField.average("n")) as? Double == 3)
        try await device.database.disableNetwork()
        try await device.cities.document("5").setData(["n": 5], until: .stored)
        let cached = try await query.getAggregation(source: .cache)
        #expect(cached.count == 2)
        #expect(cached.get(AggregateField.sum("n")) as? Int == 7)
    }

    @Test func vectorSearches() async throws {
        let server = try FakeServer()
        for (id, place) in [("a", 1.0), ("b", 5.0), ("c", 2.0)] {
            var fields = Fields.empty
            fields["place" as Text] = .vector([place])
            try server.set("cities/\(id)", fields)
        }
        let device = try Device(server)
        let search = device.cities.findNearest(
            vectorField: "place", queryVector: VectorValue([0]), limit: 2, distanceMeasure: .euclidean)
        #expect(try await search.getDocuments().ids == ["a", "c"])
        #expect(try await search.getDocuments(source: .cache).isEmpty)
        let heard = device.listen(to: search)
        try await wait(for: "the refusal") { heard.failures.first?.status == .invalidArgument }
    }

    @Test func explanationsOfTheCache() async throws {
        let server = try FakeServer()
        for number in 1...4 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        let served = device.cities.whereField("n", isGreaterThan: 2)
        let results = try await served.explain(ExplainOptions(analyze: true))
        #expect(results.metrics.executionStats?.resultsReturned == 2)
        #expect(!results.metrics.planSummary.productionPlan.contains("Refused"))
        let refused = try await served.whereField("name", isEqualTo: "x").explain(ExplainOptions(analyze: true))
        #expect(refused.metrics.planSummary.productionPlan.hasPrefix("Refused: The query requires an index."))
        #expect(refused.snapshot?.count == 0)
    }
}
