// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Automatic indexes that have no entries any more are forgotten.
@Suite struct FieldIndexSweepTests {
    private static func members(_ names: [String]) -> Fields {
        Fields([Field("members", .map(Fields(names.map { Field(Text($0), true) })!))])!
    }

    /// The rooms with a member.
    private static func rooms(of name: Text, _ engine: Engine) throws -> [DocumentPath] {
        let path = FieldPath(["members", name])
        let query = Query.collection("rooms").with { $0.filter = .field(path, .equal, true) }
        return try engine.run(query).documents.map(\.path)
    }

    private static func catalogSize(_ engine: Engine) throws -> Int {
        try engine.scheduler.storage.entryCount(of: .catalog)
    }

    /// More than one read looks at, with some that stay between them, and one whose key is long.
    @Test func fieldsThatCameAndWentCostNothing() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        _ = try engine.commit([.set("rooms/a", Self.members(["u0", "u5", "u9"]))])
        let size = try Self.catalogSize(engine)
        let names = (0..<1_200).map { "u\($0 % 10)-\($0)" } + ["u7" + String(repeating: "x", count: 700)]
        _ = try engine.commit([.set("rooms/b", Self.members(names))])
        #expect(try Self.catalogSize(engine) == size + names.count)
        #expect(try engine.forgetEmptyIndexes() == 0)
        _ = try engine.commit([Write("rooms/b", .delete)])
        #expect(try engine.forgetEmptyIndexes() == names.count)
        #expect(try Self.catalogSize(engine) == size)
        #expect(try engine.forgetEmptyIndexes() == 0)
        #expect(try Self.rooms(of: "u5", engine) == ["rooms/a"])
        #expect(try Self.rooms(of: "u5-5", engine) == [])
    }

    /// Each engine remembers numbers, and knows as little of the other as two processes do.
    @Test func aFieldThatComesBackIsFound() throws {
        let directory = try TemporaryDirectory()
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        let path = directory.path("test.db")
        let engines = [try Engine.open(path, options), try Engine.open(path, options)]
        for round in 0..<4 {
            let (one, other) = (engines[round % 2], engines[(round + 1) % 2])
            _ = try one.commit([.set("rooms/a", Self.members(["u"]))])
            for engine in engines { #expect(try Self.rooms(of: "u", engine) == ["rooms/a"]) }
            _ = try other.commit([Write("rooms/a", .delete)])
            // Of `members` and `members.u`.
            #expect(try one.forgetEmptyIndexes() == 2)
            for engine in engines { #expect(try Self.rooms(of: "u", engine) == []) }
        }
        #expect(try engines[0].verify().problems == [])
    }

    /// A load and an index change give out numbers before they write entries.
    @Test func nothingIsForgottenBesideMaintenance() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        _ = try engine.commit([.set("rooms/a", Self.members(["u"]))])
        _ = try engine.commit([Write("rooms/a", .delete)])
        let count = try engine.environment.whileMaintaining { () throws(EngineError) in
            try engine.forgetEmptyIndexes()
        }
        #expect(count == 0)
        #expect(try engine.forgetEmptyIndexes() == 2)
    }

    /// An index that gets an entry after it was found without.
    @Test func whatIsFilledMeanwhileStays() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        _ = try engine.commit([.set("rooms/a", Self.members(["u", "v"]))])
        _ = try engine.commit([Write("rooms/a", .delete)])
        var steps = 0
        let count = try engine.forgetEmptyIndexes { () throws(EngineError) in
            steps += 1
            // Before the commit.
            if steps == 2 { _ = try engine.commit([.set("rooms/b", Self.members(["v"]))]) }
        }
        #expect(count == 1)
        #expect(try Self.rooms(of: "v", engine) == ["rooms/b"])
        #expect(try Self.rooms(of: "u", engine) == [])
    }
}
