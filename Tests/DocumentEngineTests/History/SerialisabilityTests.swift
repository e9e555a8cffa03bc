// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Transactions interleaved at random have the effect of some serial order, that of their commits: what each has read is what it
/// would have read just before its commit. And none is aborted without a reason.
@Suite struct SerialisabilityTests {
    @Test func transactionsAreSerialisable() throws {
        var committed = 0
        var aborted = 0
        try check(count: Rounds.of(600), generate: Interleaving.init, shrink: \.simpler) { input in
            var run = try TransactionRun(input)
            let difference = try run.difference()
            committed += run.committed
            aborted += run.aborted
            return difference
        }
        // Both happen often enough for the test to mean something.
        print("\(committed) committed, \(aborted) aborted")
        #expect(committed > Rounds.of(600) / 4 && aborted > Rounds.of(600) / 4)
    }
}

/// What several clients do, one action after another.
private struct Interleaving: CustomStringConvertible {
    enum Read {
        case document(DocumentPath)
        case query(QueryRequest)
        case collectionIDs(DocumentPath?)
        case collection(CollectionPath)
    }

    enum Action {
        case begin
        /// By the open transaction with this number, modulo their count.
        case read(Int, Read)
        /// Commits of open transactions in one LMDB transaction; those with nil have read nothing.
        case commit([(Int?, [Write])])
    }

    var documents: [DocumentPath: Fields]
    var actions: [Action]

    init(_ random: inout SeededGenerator) {
        let generator = DocumentGenerator(values: ValueGenerator(longShare: 0))
        documents = generator.documents(random.int(1..<10), &random)
        let queries = QueryGenerator(documents, values: generator.values)
        let paths = documents.keys.sorted()
        actions = (0..<random.int(10..<60)).map { _ in
            switch random.int(0..<10) {
            case 0, 1: .begin
            case 2...5: .read(random.int(0..<8), Interleaving.read(paths, generator, queries, &random))
            default:
                .commit(
                    (0..<random.pick([1, 1, 2, 3])).map { _ in
                        let writes = (0..<random.int(1..<4)).map { _ in
                            let path =
                                random.chance(0.1) ? generator.path(&random) : random.pick(paths)
                            return random.chance(0.3)
                                ? Write(path, .delete) : .set(path, generator.fields(&random))
                        }
                        return (random.chance(0.6) ? random.int(0..<8) : nil, writes)
                    })
            }
        }
    }

    private static func read(
        _ paths: [DocumentPath], _ generator: DocumentGenerator, _ queries: QueryGenerator,
        _ random: inout SeededGenerator
    ) -> Read {
        switch random.int(0..<11) {
        case 0...3: .document(random.chance(0.1) ? generator.path(&random) : random.pick(paths))
        case 4...7: .query(.documents(queries.query(&random)))
        case 8: .query(.aggregation(queries.aggregationQuery(&random)))
        case 9: .collection(random.pick(DocumentGenerator.collections))
        default: .collectionIDs(random.pick([nil, "c/a1", "d/b2"]))
        }
    }

    var simpler: [Interleaving] {
        Shrinker.array(actions).map { list in
            var copy = self
            copy.actions = list
            return copy
        }
            + actions.indices.flatMap { index -> [Interleaving] in
                guard case .commit(let commits) = actions[index] else { return [] }
                return Shrinker.array(commits).filter { !$0.isEmpty }.map { list in
                    var copy = self
                    copy.actions[index] = .commit(list)
                    return copy
                }
            }
            + Shrinker.documents(documents).map { documents in
                var copy = self
                copy.documents = documents
                return copy
            }
    }

    var description: String { "documents \(documents)\n" + actions.map { "\($0)" }.joined(separator: "\n") }
}

/// Carries out an interleaving, and compares each outcome with the model.
private struct TransactionRun {
    private struct Client {
        var reads: ReadSet
        let began: Int
        var done: [Interleaving.Read] = []
    }

    private let input: Interleaving
    private let database: TemporaryDatabase
    private var model: PastModel
    private var clients: [Client] = []
    private(set) var committed = 0
    private(set) var aborted = 0

    init(_ input: Interleaving) throws {
        self.input = input
        database = try TemporaryDatabase(history: .long)
        model = try PastModel(database.engine)
        let first = try database.engine.commit(input.documents.map { .set($0.key, $0.value) })
        try model.append(database.engine, at: first.commitTime)
    }

    mutating func difference() throws -> String? {
        for action in input.actions {
            switch action {
            case .begin:
                clients.append(
                    Client(reads: try database.engine.beginReading(), began: model.states.count - 1))
            case .read(let number, let read):
                if !clients.isEmpty { try perform(read, number % clients.count) }
            case .commit(let commits):
                if let difference = try commit(commits) { return difference }
            }
        }
        let stored = try PastModel.documents(of: database.engine)
        let isSame =
            stored.count == model.present.documents.count
            && stored.allSatisfy { model.present.documents[$0.key]?.isIdentical(to: $0.value) ?? false }
        return isSame ? nil : "the documents are not those of the serial order"
    }

    private mutating func perform(_ read: Interleaving.Read, _ client: Int) throws {
        switch read {
        case .document(let path): clients[client].reads.add(path)
        case .collectionIDs(let parent): clients[client].reads.addNames(below: parent)
        case .collection(let path): clients[client].reads.addDocuments(in: .collection(path))
        case .query(let request):
            // Those that are refused have read nothing.
            let time = clients[client].reads.time
            guard let result = try? database.engine.run(request, at: time, allowScan: true) else { return }
            clients[client].reads.add(result)
        }
        clients[client].done.append(read)
    }

    private mutating func commit(_ commits: [(Int?, [Write])]) throws -> String? {
        var taken: [Client?] = []
        var together: [([Write], ReadSet?)] = []
        for (number, writes) in commits {
            let client = number.flatMap { clients.isEmpty ? nil : clients.remove(at: $0 % clients.count) }
            taken.append(client)
            together.append((writes, client?.reads))
        }
        let results = try database.engine.commitTogether(together)
        for (index, result) in results.enumerated() {
            let reason = taken[index].map(conflict) ?? .none
            switch (result, reason) {
            case (.success, .some(.certain(let read))):
                return "committed in spite of \(read), which would be answered differently now"
            case (.failure(.refused(.aborted, _)), nil): return "aborted without a reason: \(taken[index]!.done)"
            case (.failure(.refused(.aborted, _)), _): aborted += 1
            case (.failure(let error), _): return "\(error)"
            case (.success(let commit), _):
                committed += taken[index] == nil ? 0 : 1
                model.append(together[index].0.map(\.change), at: commit.commitTime)
            }
        }
        return nil
    }

    // MARK: - What the model says

    private enum Conflict {
        /// A read would have another result.
        case certain(Interleaving.Read)
        /// It has the same result, but a transaction may be aborted for simplicity.
        case possible
    }

    private func conflict(_ client: Client) -> Conflict? {
        let states = Array(model.states[client.began...])
        if let read = client.done.first(where: { !isSame($0, states[0], states[states.count - 1]) }) {
            return .certain(read)
        }
        return client.done.contains { mayBeRefused($0, states) } ? .possible : nil
    }

    private func isSame(_ read: Interleaving.Read, _ then: PastModel.State, _ now: PastModel.State) -> Bool {
        switch read {
        case .document(let path): then.documents[path]?.updateTime == now.documents[path]?.updateTime
        case .collectionIDs(let parent):
            PastModel.collectionIDs(under: parent, then) == PastModel.collectionIDs(under: parent, now)
        case .collection(let path): rows(path, then) == rows(path, now)
        case .query(.documents(let query)): rows(query, then) == rows(query, now)
        case .query(.aggregation(let query)):
            "\((try? NaiveEvaluator(then.fields).aggregates(of: query)) ?? [])"
                == "\((try? NaiveEvaluator(now.fields).aggregates(of: query)) ?? [])"
        }
    }

    private struct Row: Hashable {
        let path: DocumentPath
        let updateTime: Timestamp?
    }

    private func rows(_ collection: CollectionPath, _ state: PastModel.State) -> Set<Row> {
        let documents = state.documents.values.filter { $0.path.collection == collection }
        return Set(documents.map { Row(path: $0.path, updateTime: $0.updateTime) })
    }

    private func rows(_ query: Query, _ state: PastModel.State) -> [Row] {
        let rows = (try? NaiveEvaluator(state.fields).rows(of: query)) ?? []
        return rows.map { Row(path: $0.path, updateTime: state.documents[$0.path]?.updateTime) }
    }

    /// A document that came and went, the names of other documents, skipped rows, rows behind a projection's last one, and values
    /// that do not change a sum.
    private func mayBeRefused(_ read: Interleaving.Read, _ states: [PastModel.State]) -> Bool {
        switch read {
        case .document(let path):
            states.contains { $0.documents[path]?.updateTime != states[0].documents[path]?.updateTime }
        case .collection: false
        case .collectionIDs, .query(.aggregation): states.count > 1
        case .query(.documents(let query)):
            states.count > 1 && (query.offset > 0 || query.limit != nil && query.projection != nil || query.limit == 0)
        }
    }
}
