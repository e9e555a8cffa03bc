// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// C-32.
@Suite struct SnapshotSequenceTests {
    private let audience: Audience
    private var cities: CollectionReference { audience.cities }

    init() throws {
        audience = try Audience()
    }

    @Test func queries() async throws {
        var snapshots = cities.order(by: "n").snapshots.makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 0)
        try await cities.document("a").setData(["n": 1])
        #expect(try await snapshots.next()?.changeTexts == ["+a@0"])
        // Nobody waits meanwhile.
        for number in 2..<4 { try await cities.document("b").setData(["n": number]) }
        try await cities.document("a").delete()
        audience.settle()
        for changes in [["+b@1"], ["b 1>1"], ["-a@0"]] { #expect(try await snapshots.next()?.changeTexts == changes) }
    }

    @Test func documents() async throws {
        var values: [Int?] = []
        let city = cities.document("a")
        for try await snapshot in city.snapshots(includeMetadataChanges: true) {
            values.append(snapshot["n"] as? Int)
            if values.count == 3 { break }
            try await city.setData(["n": values.count])
        }
        #expect(values == [nil, 1, 2])
    }

    @Test func cancellingTheTaskEndsTheSequence() async throws {
        let cities = cities
        let task = Task {
            var count = 0
            for try await _ in cities.snapshots { count += 1 }
            return count
        }
        try await cities.document("a").setData([:])
        audience.settle()
        task.cancel()
        #expect(try await task.value <= 2)
    }

    /// A listener keeps its database open; a sequence whose loop has ended does not.
    @Test func leavingTheLoopEndsTheListener() async throws {
        let directory = audience.path + "-other"
        weak var database: Database?
        do {
            let opened = try await Database.open(path: directory, settings: Sample.settings)
            database = opened
            for try await _ in opened.collection("cities").snapshots { break }
            for try await _ in opened.document("cities/a").snapshots { break }
        }
        try await wait(for: "the end of the database") { database == nil }
    }

    @Test func terminatingEndsListeners() async throws {
        let heard = audience.listen(to: cities)
        var snapshots = cities.snapshots.makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 0)
        try await audience.database.terminate()
        #expect(try await snapshots.next() == nil)
        #expect(heard.take().count == 1 && heard.errors.withLock { $0.isEmpty })
        let late = audience.listen(to: cities)
        #expect(late.errors.withLock { $0.map(\.status) } == [.failedPrecondition])
    }

    /// Commits of other processes, and of other objects for the same file, are noticed.
    @Test func othersCommitsAreNoticed() async throws {
        var snapshots = cities.snapshots.makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 0)
        await #expect(processExitsWith: .success) { [path = audience.path as String] in
            let database = try await Database.open(path: path, settings: Sample.settings)
            try await database.document("cities/a").setData(["n": 1])
        }
        #expect(try await snapshots.next()?.changeTexts == ["+a@0"])
        let other = try await Database.open(path: audience.path, settings: Sample.settings)
        try await other.document("cities/b").setData(["n": 1])
        #expect(try await snapshots.next()?.changeTexts == ["+b@1"])
        // A gap in the numbers, detected by the next commit of this object.
        try await other.document("cities/a").delete()
        try await cities.document("c").setData(["n": 1])
        var ids: [String] = []
        while ids != ["b", "c"] { ids = try await snapshots.next()?.ids ?? [] }
    }
}
