// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Compares reads at past times with full copies of the database after each commit.
@Suite struct PastReadingTests {
    @Test func queriesAnswerAsTheyDidThen() throws {
        try check(count: Rounds.of(200), generate: PastCase.init, shrink: \.simpler) { input in
            let database = try TemporaryDatabase(indexes: input.indexes, history: .long)
            let model = try input.run(database.engine)
            for request in input.requests {
                for (time, state) in model.probes {
                    if let difference = try Self.difference(request, at: time, state, database.engine) {
                        return "at \(time): \(difference)"
                    }
                }
            }
            return nil
        }
    }

    private static func difference(
        _ request: QueryRequest, at time: Timestamp, _ state: PastModel.State, _ engine: Engine
    ) throws -> String? {
        let expected = FuzzExpectation(request, NaiveEvaluator(state.fields))
        let permissive = try outcome(request, at: time, allowScan: true, engine)
        if let difference = try expected.difference(permissive) { return "permissive: \(difference)" }
        let strict = try outcome(request, at: time, allowScan: false, engine)
        switch (permissive, strict) {
        case (.answer(let result), .missingIndex) where result.wasScanned: return nil
        case (.refused, .missingIndex), (.invalid, .invalid): return nil
        case (.answer(let result), .answer) where result.wasScanned: return "scanned, though an index serves"
        default: return try expected.difference(strict).map { "strict: \($0)" }
        }
    }

    private static func outcome(
        _ request: QueryRequest, at time: Timestamp, allowScan: Bool, _ engine: Engine
    ) throws(EngineError) -> FuzzOutcome {
        do throws(QueryError) {
            return .answer(try engine.run(request, at: time, allowScan: allowScan))
        } catch {
            switch error {
            case .planning(.invalid(let error)): return .invalid(error)
            case .planning(.missingIndex(let error)): return .missingIndex(error)
            case .planning(.hint(let error)): return .hintRefused(error)
            case .engine(.refused(.failedPrecondition, let message)) where message.contains("cosine"):
                return .refused(message)
            case .engine(let error): throw error
            }
        }
    }

    @Test func documentsAreThoseOfThen() throws {
        try check(count: Rounds.of(300), generate: PastCase.init, shrink: \.simpler) { input in
            let database = try TemporaryDatabase(history: .long)
            let model = try input.run(database.engine)
            let paths = Set(model.states.flatMap(\.documents.keys)).sorted()
            for (time, state) in model.probes {
                let found = try database.engine.records(paths, at: time).map { try $0?.document() }
                for (path, document) in zip(paths, found) {
                    let expected = state.documents[path]
                    let isSame = document.map { found in expected.map { found.isIdentical(to: $0) } ?? false }
                    if !(isSame ?? (expected == nil)) {
                        return
                            "at \(time): \(path) is \(String(describing: document)), was \(String(describing: expected))"
                    }
                }
            }
            return nil
        }
    }

    /// Each takes thousands of reads: the debug round has half of its usual part.
    @Test func listsAreThoseOfThen() throws {
        let count = Rounds.of(Rounds.share == 1 ? 200 : 100)
        try check(count: count, generate: PastCase.init, shrink: \.simpler) { input in
            let database = try TemporaryDatabase(history: .long)
            let model = try input.run(database.engine)
            let parents: [DocumentPath?] = [nil, "c/a1", "d/b2", "c/a1/c/x", "c/__id7__", "c/none"]
            let scopes =
                DocumentGenerator.collections.map { DocumentScope.collection($0) } + parents.map { .children(of: $0) }
            for (time, state) in model.probes {
                for parent in parents {
                    let found = try database.engine.collectionIDs(under: parent, at: time)
                    let expected = PastModel.collectionIDs(under: parent, state)
                    if found != expected {
                        return "at \(time) under \(String(describing: parent)): \(found), \(expected)"
                    }
                }
                for scope in scopes {
                    let expected = PastModel.names(in: scope, state)
                    for (size, byteGoal) in [(2, Int.max), (1_000, .max), (1_000, 1), (1_000, 100), (3, 60)] {
                        let found = try Self.pages(of: scope, at: time, size: size, byteGoal, database.engine)
                        let isSame =
                            found.map(\.path) == expected.map(\.path)
                            && zip(found, expected).allSatisfy { ($0.record != nil) == $1.exists }
                        if !isSame {
                            return "at \(time) \(scope) by \(size), \(byteGoal): \(found.map(\.path)), \(expected)"
                        }
                    }
                }
            }
            return nil
        }
    }

    private static func pages(
        of scope: DocumentScope, at time: Timestamp, size: Int, _ byteGoal: Int, _ engine: Engine
    ) throws -> [ListedDocument] {
        var all: [ListedDocument] = []
        while true {
            let page = try engine.documentsAndParents(
                in: scope, after: all.last?.path, limit: size, byteGoal: byteGoal, at: time)
            all += page
            let bytes = page.reduce(0) { $0 + ($1.record?.byteCount ?? 0) }
            if page.count < size, bytes < byteGoal { return all }
        }
    }

    @Test func changesAreTheDifferencesOfStates() throws {
        try check(count: Rounds.of(300), generate: PastCase.init, shrink: \.simpler) { input in
            let database = try TemporaryDatabase(history: .long)
            let model = try input.run(database.engine)
            for from in model.states.indices {
                for to in model.states.indices where to >= from {
                    let states = model.states
                    let changes = try database.engine.changes(since: states[from].time, upTo: states[to].time)
                    let found = try changes.map(Change.init)
                    let expected = (from..<to).flatMap { Change.between(states[$0], states[$0 + 1]) }
                    guard found.count == expected.count, found.map(\.time) == expected.map(\.time),
                        Set(found) == Set(expected)
                    else { return "from \(from) to \(to): \(found), expected \(expected)" }
                    let wanted = try database.engine.changes(
                        since: states[from].time, upTo: states[to].time, where: Self.isWanted
                    ).map(Change.init)
                    guard wanted == found.filter({ Self.isWanted($0.path) }) else {
                        return "from \(from) to \(to), wanted alone: \(wanted), of \(found)"
                    }
                    let parts = try Self.parts(since: states[from].time, upTo: states[to].time, database.engine)
                    guard parts == found else { return "from \(from) to \(to) in parts: \(parts), not \(found)" }
                    let commits = try Self.parts(
                        since: states[from].time, upTo: states[to].time, database.engine, byteGoal: 1)
                    guard commits == found else { return "from \(from) to \(to) by bytes: \(commits), not \(found)" }
                    let names = try database.engine.changedDocuments(
                        since: states[from].time, upTo: states[to].time, in: .descendants(of: nil), limit: found.count,
                        isFormer: { $0.fields.count.isMultiple(of: 2) })
                    guard let names, Set(names.all) == Set(found.map(\.path)), names.all.count == Set(names.all).count,
                        names.former
                            == Set(names.all.filter { states[from].fields[$0]?.count.isMultiple(of: 2) ?? false })
                    else { return "from \(from) to \(to): \(names ?? ([], [])) changed, not \(found)" }
                }
            }
            return nil
        }
    }

    /// Some documents.
    private static func isWanted(_ path: DocumentPath) -> Bool { path.id.utf8Count.isMultiple(of: 2) }

    /// The changes between two times, read a commit or two at a time. A part's changes end with the states at its end.
    ///
    /// - Parameter byteGoal: if it is given, a part has one commit, as each has documents before or after it.
    private static func parts(
        since start: Timestamp, upTo end: Timestamp, _ engine: Engine, byteGoal: Int? = nil
    ) throws -> [Change] {
        var all: [Change] = []
        var time = start
        while time < end {
            let part = try engine.firstChanges(
                since: time, upTo: end, byteGoal == nil ? 2 : .max, byteGoal: byteGoal ?? .max)
            #expect(part.end > time && part.changes.allSatisfy { $0.commitTime <= part.end })
            #expect(part.end == end || part.changes.count >= (byteGoal == nil ? 2 : 1))
            if byteGoal != nil { #expect(Set(part.changes.map(\.commitTime)).count <= 1) }
            time = part.end
            all += try part.changes.map(Change.init)
        }
        return all
    }

    /// A change, compared by the update times of its versions.
    private struct Change: Hashable {
        let time: Timestamp
        let path: DocumentPath
        let old: Timestamp?
        let new: Timestamp?

        init(_ time: Timestamp, _ path: DocumentPath, _ old: Document?, _ new: Document?) {
            (self.time, self.path, self.old, self.new) = (time, path, old?.updateTime, new?.updateTime)
        }

        init(_ change: VersionChange) throws {
            self.init(change.commitTime, change.path, try change.old?.document(), try change.new?.document())
        }

        static func between(_ first: PastModel.State, _ second: PastModel.State) -> [Change] {
            Set(first.documents.keys).union(second.documents.keys).compactMap { path in
                let change = Change(second.time, path, first.documents[path], second.documents[path])
                return change.old == change.new ? nil : change
            }
        }
    }
}
