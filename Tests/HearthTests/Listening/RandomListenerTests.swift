// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import IndexCatalog
import QueryPlanner
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Compares listeners of random queries during random writes with new results.
@Suite struct RandomListenerTests {
    /// A listener under test, with an array to which every change was applied.
    private final class Subject {
        let query: QueryPlanner.Query
        let listener: QueryListener
        let events: Heard<[QueryDocumentSnapshot]>
        var rows: [QueryDocumentSnapshot] = []
        var replayed: [QueryDocumentSnapshot] = []

        init(_ query: QueryPlanner.Query, _ database: Database, _ engine: Engine) throws {
            self.query = query
            let normalized = try Normalizer.normalize(query, database: engine.database)
            let events = Heard<[QueryDocumentSnapshot]>()
            self.events = events
            // Without indexes, so that a listener can use every query of the generator.
            let target = ListenerTarget(normalized, in: database, engine.database, DecisionBasis()) {
                (engine) throws(QueryError) in
                try engine.run(query, allowScan: true)
            }
            listener = QueryListener(target) { event in
                switch event {
                case .rows(let rows, _): events.add(rows)
                case .failed(let error): Issue.record("a listener failed: \(error)")
                case .ended: break
                }
                return true
            }
        }

        /// Takes the new snapshots and compares them with the oracle. Returns whether there were any.
        func check(_ oracle: NaiveEvaluator, _ engine: Engine, _ note: String) throws -> Bool {
            let news = events.take()
            #expect(news.count <= 1, "\(note): one snapshot a commit")
            if let newest = news.last {
                replay(to: newest)
                #expect(!newest.elementsEqual(rows, by: ===) || rows.isEmpty, "\(note): nothing has changed")
                rows = newest
            }
            let expected = try oracle.rows(of: query)
            let found = rows.compactMap(\.document)
            let isRight =
                found.count == expected.count
                && zip(found, expected).allSatisfy { $0.path == $1.path && $0.fields.isIdentical(to: $1.fields) }
            #expect(isRight, "\(note): \(found.map(\.path)) and not \(expected.map(\.path)) for \(query)")
            let anew = try engine.run(query, allowScan: true).documents
            #expect(
                zip(found, anew).allSatisfy { $0.path == $1.path && $0.updateTime == $1.updateTime }
                    && found.count == anew.count, "\(note)")
            let isReplayed = replayed.elementsEqual(rows, by: ===)
            #expect(isReplayed, "\(note): the changes give \(replayed.map(\.documentID))")
            return !news.isEmpty
        }

        /// Applies the changes between two results as a program would.
        private func replay(to newest: [QueryDocumentSnapshot]) {
            let normalized = listener.target
            let changes = SnapshotDifference(from: rows, to: newest).changes { row in
                let key = row.document.flatMap(normalized.sortKey) ?? []
                return normalized.isReversed ? key.map { ~$0 } : key
            }
            for change in changes {
                if change.oldIndex != UInt(NSNotFound) {
                    let old = replayed.remove(at: Int(change.oldIndex))
                    #expect(old.reference == change.document.reference)
                }
                if change.newIndex != UInt(NSNotFound) {
                    replayed.insert(change.document, at: Int(change.newIndex))
                }
            }
            let ranks = changes.map { [.removed: 0, .added: 1, .modified: 2][$0.type] ?? 3 }
            #expect(ranks == ranks.sorted(), "C-27")
        }
    }

    /// Whether the library can express the query. It has no offsets, projections, collections without an ID, or groups
    /// under a document, and no query may hold values that are too large.
    private static func isOfTheLibrary(_ query: QueryPlanner.Query, _ engine: Engine) -> Bool {
        query.offset == 0 && query.projection == nil && query.from.collectionID != nil && query.limit != 0
            && (query.parent == nil || !query.from.allDescendants)
            && (try? Normalizer.normalize(query, database: engine.database)) != nil
    }

    private static let rounds = Rounds.of(30)
    private static let commits = 40

    @Test func listenersOfRandomQueriesAreAlwaysRight() throws {
        var random = SeededGenerator.printingSeed()
        var told = 0
        var quiet = 0
        for round in 0..<Self.rounds {
            let audience = try Audience()
            let (engine, hub) = try audience.database.engineAndHub()
            let generator = DocumentGenerator()
            var documents = generator.documents(30, &random)
            _ = try engine.commit(documents.map { .set($0.key, $0.value) })
            let queries = QueryGenerator(documents)
            var subjects: [Subject] = []
            while subjects.count < 25 {
                let query = queries.query(&random)
                guard Self.isOfTheLibrary(query, engine) else { continue }
                let subject = try Subject(query, audience.database, engine)
                try audience.database.queues.listeners.sync { try hub.start(subject.listener) }
                _ = try subject.check(NaiveEvaluator(documents), engine, "round \(round), the first snapshot")
                subjects.append(subject)
            }
            for number in 0..<Self.commits {
                try change(&documents, engine, generator, &random)
                audience.settle()
                let oracle = NaiveEvaluator(documents)
                for subject in subjects {
                    let note = "seed \(random.seed), round \(round), commit \(number)"
                    if try subject.check(oracle, engine, note) { told += 1 } else { quiet += 1 }
                }
            }
            hub.stop()
        }
        #expect(
            told > 50 * Self.rounds && quiet > 50 * Self.rounds, "\(told) snapshots, \(quiet) times nothing to tell")
    }

    /// One commit of a few writes, mostly to documents that exist.
    private func change(
        _ documents: inout [DocumentPath: Fields], _ engine: Engine, _ generator: DocumentGenerator,
        _ random: inout SeededGenerator
    ) throws {
        var writes: [Write] = []
        for _ in 0..<random.int(1..<6) {
            let known = documents.keys.sorted { ResourcePath.compare($0.resource, $1.resource) < 0 }
            let path = random.chance(0.75) && !known.isEmpty ? random.pick(known) : generator.path(&random)
            if random.chance(0.25) {
                documents[path] = nil
                writes.append(Write(path, .delete))
            } else if random.chance(0.5), var fields = documents[path],
                let field = fields.storage.randomElement(using: &random)
            {
                fields[field.name] = generator.plain(&random)
                documents[path] = fields
                writes.append(.set(path, fields))
            } else {
                let fields = generator.fields(&random)
                documents[path] = fields
                writes.append(.set(path, fields))
            }
        }
        _ = try engine.commit(writes)
    }
}
