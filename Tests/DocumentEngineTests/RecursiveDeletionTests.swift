// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import LMDB
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Deletes a document or collection with everything below it.
@Suite struct RecursiveDeletionTests {
    private static let count = 1_200

    /// Many documents, each with a subcollection of one document, and neighbors whose names have a common prefix.
    private func database(_ count: Int = count) throws -> TemporaryDatabase {
        let database = try TemporaryDatabase()
        var paths = (0..<count).flatMap { ["a/\($0)", "a/\($0)/s/x"] }
        paths += ["a0/1", "a0/1/a/2", "b/a", "b/a/a/1", "b/ab", "b/a/a/1/deep/er", "b/a/ab/1"]
        for start in stride(from: 0, to: paths.count, by: 1_000) {
            let slice = paths[start..<min(paths.count, start + 1_000)]
            _ = try database.engine.commit(slice.map { .set(DocumentPath(stringLiteral: $0), ["n": 1]) })
        }
        return database
    }

    private func names(_ engine: Engine) throws -> [String] {
        var names: [String] = []
        try engine.forEachDocument { names.append($0.path.description) }
        return names
    }

    @Test(arguments: ["", "a", "a/7", "a/7/s", "b", "b/a", "b/a/a", "b/a/a/1", "b/none", "none", "a0/1/a"])
    func whatIsAtAndBelowGoes(_ root: String) throws {
        let database = try database(20)
        let before = try names(database.engine)
        let segments = root.split(separator: "/").map(String.init)
        let path = ResourcePath(segments: segments.map { Text($0) })
        let left = before.filter { !$0.split(separator: "/").map(String.init).starts(with: segments) }
        #expect(try database.engine.deleteDocuments(under: path) == before.count - left.count)
        #expect(try names(database.engine) == left)
    }

    /// Each collection is entered once, plus, for each further slice, the two collections that it starts in.
    @Test(arguments: [("a", count + 1), ("a/7", 2), ("", count + 7)])
    func costsGrowWithWhatIsDeleted(_ root: String, _ collections: Int) throws {
        let database = try database()
        var slices = NameSlices(
            database.engine, under: ResourcePath(segments: root.split(separator: "/").map { Text(String($0)) }))
        var sizes: [Int] = []
        while let names = try slices.next() {
            sizes.append(names.count)
            _ = try database.engine.commit(names.map { Write($0, .delete) })
        }
        #expect(sizes.allSatisfy { $0 <= 1_000 })
        #expect(slices.seeks <= collections + 4 * (sizes.count + 1), "\(slices.seeks) in \(sizes)")
    }

    /// Documents of 1 MiB are deleted a few at once.
    @Test func slicesAreShortInBytesToo() throws {
        let unindexed = FieldOverride(collectionGroup: "c", path: "a", indexes: [])
        let database = try TemporaryDatabase(indexes: IndexConfiguration(fieldOverrides: [unindexed]))
        let text = Value.string(Text(String(repeating: "x", count: 1 << 20 - 200)))
        for path in ["c/1", "c/2", "c/3", "c/4", "c/5", "c/6", "c/7"] as [DocumentPath] {
            _ = try database.engine.commit([.set(path, ["a": text])])
        }
        var slices = NameSlices(database.engine, under: .root)
        var sizes: [Int] = []
        while let names = try slices.next() { sizes.append(names.count) }
        #expect(sizes.reduce(0, +) == 7)
        #expect(sizes.allSatisfy { $0 <= 5 })
    }

    /// A walk keeps open only the collections that it is inside of, because LMDB searches all open cursors.
    @Test func walksCloseTheCollectionsThatTheyLeave() throws {
        let engine = try database().engine
        let transaction = try engine.read { (transaction) throws(EngineError) in
            let environment = ExecutionContext(
                engine.ids, try engine.catalogs.read(&transaction))
            let scan = DocumentScan(scope: .descendants(of: nil), ranges: [.all], backwards: false)
            let source = try CollectionWalkOperator(scan, environment, &transaction)
            while try source.next(&transaction) {}
            return transaction.cursorCount
        }
        #expect(transaction <= 16)
    }
}
