// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import TestSupport
import Testing

/// I-14: a field override with `ttl` lets documents of its collection group expire at the field's timestamp.
@Suite struct TimeToLiveTests {
    private let now = Timestamp(microseconds: 1_700_000_000_000_000)!

    private func time(_ offset: Int64) -> Value { .timestamp(Timestamp(microseconds: now.microseconds + offset)!) }

    private func database(
        ttl path: FieldPath = "expires", indexes: Set<SingleFieldIndex> = []
    ) throws -> TemporaryDatabase {
        let ttl = FieldOverride(collectionGroup: "sessions", path: path, indexes: indexes, timeToLive: true)
        let off = FieldOverride(collectionGroup: "rooms", path: "expires", indexes: [], timeToLive: false)
        return try TemporaryDatabase(indexes: IndexConfiguration(fieldOverrides: [ttl, off]))
    }

    @Test func whatIsOverGoes() throws {
        let database = try database()
        let engine = database.engine
        let documents: [(DocumentPath, Fields)] = [
            ("sessions/past", ["expires": time(-1), "n": 1]), ("sessions/now", ["expires": time(0)]),
            ("sessions/future", ["expires": time(1)]), ("sessions/missing", ["n": 1]),
            ("sessions/null", ["expires": nil]), ("sessions/number", ["expires": 5]),
            ("sessions/text", ["expires": "2001-01-01T00:00:00Z"]), ("sessions/list", ["expires": [time(-1)]]),
            ("users/u/sessions/past", ["expires": time(-1)]), ("sessions/past/parts/p", ["expires": time(-1)]),
            ("rooms/past", ["expires": time(-1)]), ("others/past", ["expires": time(-1)]),
        ]
        _ = try engine.commit(documents.map { .set($0.0, $0.1) })
        var deleted: [String] = []
        #expect(try engine.deleteExpired(now: now) { deleted.append($0.description) } == 3)
        #expect(deleted.sorted() == ["sessions/now", "sessions/past", "users/u/sessions/past"])
        for (path, _) in documents {
            #expect(try (engine.document(path) == nil) == deleted.contains(path.description), "\(path)")
        }
        #expect(try engine.deleteExpired(now: now) == 0)
    }

    @Test func aFieldInsideAMap() throws {
        let database = try database(ttl: "life.end")
        _ = try database.engine.commit([
            .set("sessions/a", ["life": ["end": time(-1)]]), .set("sessions/b", ["life.end": time(-1)]),
        ])
        #expect(try database.engine.deleteExpired(now: now) == 1)
        #expect(try database.engine.document("sessions/a") == nil)
    }

    @Test func withoutAnOverrideNothingExpires() throws {
        let database = try TemporaryDatabase()
        _ = try database.engine.commit([.set("sessions/a", ["expires": time(-1)])])
        #expect(try database.engine.deleteExpired() == 0)
    }

    /// More than one slice, with indexes on the field and on other fields, and with long IDs. The database verifies
    /// itself at the end.
    @Test func manySlices() throws {
        let indexes = SingleFieldIndex.automatic
        let database = try database(indexes: indexes)
        let engine = database.engine
        let long = String(repeating: "x", count: 700)
        let writes = (0..<1_050).map { number in
            Write.set(
                DocumentPath(ResourcePath(segments: ["sessions", Text("\(number % 3 == 0 ? long : "")\(number)")])),
                ["expires": time(number % 2 == 0 ? -1 : 1), "n": .integer(Int64(number))])
        }
        for start in stride(from: 0, to: writes.count, by: 100) {
            _ = try engine.commit(Array(writes[start..<min(start + 100, writes.count)]))
        }
        #expect(try engine.deleteExpired(now: now) == 525)
        var left = 0
        try engine.forEachDocument { (document) throws(EngineError) in
            left += 1
            #expect(document.fields["expires" as Text] == time(1))
        }
        #expect(left == 525)
    }

    /// A document whose expiry time is moved during the sweep stays.
    @Test func aChangedDocumentStays() throws {
        let database = try database()
        let engine = database.engine
        let paths: [DocumentPath] = (0..<750).map {
            DocumentPath(ResourcePath(segments: ["sessions", Text("\(1_000 + $0)")]))
        }
        _ = try engine.commit(paths.map { .set($0, ["expires": time(-1)]) })
        var isFirst = true
        let count = try engine.deleteExpired(now: now) { _ in
            guard isFirst else { return }
            isFirst = false
            // The last documents are not read yet; those of the first slice are deleted.
            _ = try? engine.commit([.set(paths[749], ["expires": time(1)])])
        }
        #expect(count == 749)
        #expect(try engine.document(paths[749]) != nil)
    }

    /// It is asked before each slice.
    @Test func aSweepThatIsEndedLeavesTheRest() throws {
        let database = try database()
        let engine = database.engine
        _ = try engine.commit(
            (0..<750).map {
                .set(DocumentPath(ResourcePath(segments: ["sessions", Text("\(1_000 + $0)")])), ["expires": time(-1)])
            })
        var (slices, deleted) = (0, 0)
        let end = { () throws(EngineError) in
            slices += 1
            if slices == 2 { throw .refused(.cancelled, "enough") }
        }
        let error = #expect(throws: EngineError.self) {
            try engine.deleteExpired(now: now, deleted: { _ in deleted += 1 }, progress: end)
        }
        #expect(error?.message == "enough")
        #expect((1..<750).contains(deleted))
        #expect(try engine.deleteExpired(now: now) == 750 - deleted)
    }
}
