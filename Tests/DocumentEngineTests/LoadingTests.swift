// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import IndexCatalog
import TestSupport
import Testing

@testable import DocumentEngine

/// Bulk loads leave the same state as single writes of the same documents, including entries. Each database verifies
/// itself.
@Suite struct LoadingTests {
    private static let indexes = IndexConfiguration(indexes: [
        IndexDefinition(
            collectionGroup: "c", scope: .collectionGroup,
            fields: [IndexField("tags", .contains), IndexField("a", .order(.descending))], nameDirection: .descending)
    ])

    /// Loads a list, calling `between` before each document.
    private func load(
        _ list: [(DocumentPath, Fields)], into engine: Engine, between: (Int) throws(EngineError) -> Void = { _ in }
    ) throws -> (count: Int, rejected: [String]) {
        var next = 0
        var rejected: [String] = []
        let count = try engine.load(
            next: { () throws(EngineError) in
                guard next < list.count else { return nil }
                try between(next)
                next += 1
                return list[next - 1]
            },
            reject: { path, error in rejected.append("\(path): \(error.message)") })
        return (count, rejected)
    }

    private func contents(_ engine: Engine) throws -> [DocumentPath: Fields] {
        var contents: [DocumentPath: Fields] = [:]
        try engine.forEachDocument { (document) throws(EngineError) in contents[document.path] = document.fields }
        return contents
    }

    @Test func loadsReplaceAndTheLastOfANameWins() throws {
        var random = SeededGenerator.printingSeed()
        let generator = DocumentGenerator()
        let database = try TemporaryDatabase(indexes: Self.indexes)
        var model: [DocumentPath: Fields] = [:]
        for _ in 0..<4 {
            let list = (0..<200).map { _ in (generator.path(&random), generator.fields(&random)) }
            let (count, rejected) = try load(list, into: database.engine)
            #expect(count + rejected.count == list.count)
            for (path, fields) in list where !rejected.contains(where: { $0.hasPrefix("\(path): ") }) {
                model[path] = fields
            }
            let found = try contents(database.engine)
            #expect(Set(found.keys) == Set(model.keys))
            for (path, fields) in found { #expect(model[path]?.isIdentical(to: fields) == true, "\(path)") }
        }
    }

    @Test func aChangeOfIndexesWaitsForALoad() async throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        let list = (0..<300).map { number in
            (
                DocumentPath(ResourcePath(segments: ["c", Text("\(number)")])),
                Fields([
                    Field("a", .integer(Int64(number))), Field("tags", .array(["x", .integer(Int64(number % 3))])),
                ])!
            )
        }
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let change = Task {
            for await _ in started { try engine.apply(Self.indexes, prune: true) }
        }
        let (count, _) = try load(list, into: engine) { (number) throws(EngineError) in
            if number == 150 { starting.yield() }
            // The indexes stay unchanged during the load.
            if number == 299 { #expect(try engine.catalog().composites.isEmpty) }
        }
        starting.finish()
        try await change.value
        #expect(count == 300)
        #expect(try contents(engine).count == 300)
        #expect(try engine.catalog().composites.count == 1)
    }

    @Test func whatCannotBeStoredIsLeftOut() throws {
        let database = try TemporaryDatabase()
        let deep = (0..<25).reduce(Value.integer(1)) { value, _ in .map(Fields([Field("m", value)])!) }
        let list: [(DocumentPath, Fields)] = [
            ("c/1", Fields([Field("a", 1)])!), ("c/2", Fields([Field("m", deep)])!), ("c/3", Fields([Field("a", 3)])!),
        ]
        let (count, rejected) = try load(list, into: database.engine)
        #expect(count == 2)
        #expect(rejected == ["c/2: Property m contains an invalid nested entity."])
        #expect(Set(try contents(database.engine).keys) == ["c/1", "c/3"])
    }

    /// A load that fails writes nothing after it has thrown.
    @Test func aFailedLoadEndsItsCommits() throws {
        let database = try TemporaryDatabase()
        let engine = database.engine
        _ = try engine.commit([.set("c/d", Fields([])!)])
        let fields = Fields([Field("a", .string(Text(String(repeating: "x", count: 1_000_000))))])!
        let (isHeld, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue(label: "writer").async {
            try? engine.write { (_, _, _) throws(EngineError) in
                isHeld.signal()
                isFree.wait()
            }
        }
        isHeld.wait()
        var next = 0
        #expect(throws: EngineError.self) {
            try engine.load(
                next: { () throws(EngineError) in
                    next += 1
                    guard next > 17 else { return (DocumentPath(stringLiteral: "c/\(next)"), fields) }
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { isFree.signal() }
                    throw .refused(.invalidArgument, "Enough.")
                }, reject: { path, error in Issue.record("\(path): \(error)") })
        }
        #expect(try contents(engine).count == 18)
        // The writer's thread has ended, too.
        try engine.write { (_, _, _) throws(EngineError) in }
    }
}
