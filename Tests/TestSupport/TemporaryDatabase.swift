// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
package import DocumentModel
internal import Foundation
package import IndexCatalog
internal import LMDB

/// A database in its own directory that verifies itself when it is released: an index entry without its document, or a
/// document without its entries, fails the test that left it.
package final class TemporaryDatabase {
    private let directory: TemporaryDirectory
    package let engine: Engine
    package let path: String
    /// False if a test verifies the database itself and reports its problems.
    package var verifiesAtEnd = true

    package init(
        project: Text = "hearth", indexes: IndexConfiguration = IndexConfiguration(),
        documents: [DocumentPath: Fields] = [:], usesPlanCache: Bool = true, readsPages: Bool = true,
        stagesLoads: Bool = true, history: HistoryLimits? = nil
    ) throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.db")
        var options = Engine.Options()
        options.identity = DatabaseID(project: project)
        options.durability = .mayLoseDatabase
        options.mapSize = 256 << 20
        options.usesPlanCache = usesPlanCache
        options.readsPages = readsPages
        options.stagesLoads = stagesLoads
        options.history = history
        engine = try Engine.open(path, options)
        try engine.apply(indexes, prune: true)
        if !documents.isEmpty { _ = try engine.commit(documents.map { Write.set($0.key, $0.value) }) }
    }

    deinit {
        guard verifiesAtEnd else { return }
        do {
            let report = try engine.verify()
            precondition(report.problemCount == 0, "the database does not verify: \(report.problems)")
        } catch {
            preconditionFailure("the database cannot be verified: \(error)")
        }
    }
}
