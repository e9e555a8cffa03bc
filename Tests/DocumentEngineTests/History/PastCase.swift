// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// Random commits, and reads of the states between them.
struct PastCase: CustomStringConvertible {
    /// Commits that share an LMDB transaction if there are several. Then they only set and delete.
    var groups: [[[Write]]]
    var indexes: IndexConfiguration
    var requests: [QueryRequest]

    init(_ random: inout SeededGenerator) {
        let generator = DocumentGenerator(values: ValueGenerator(longShare: random.pick([0, 0.08])))
        var documents = generator.documents(random.int(0..<random.pick([6, 40])), &random)
        groups = [[documents.sorted { $0.key < $1.key }.map { Write.set($0.key, $0.value) }]]
        for _ in 0..<random.int(1..<7) {
            groups.append(PastCase.group(generator, &documents, &random))
        }
        let queries = QueryGenerator(documents, values: generator.values)
        requests = (0..<10).map { _ in .documents(queries.query(&random)) }
        requests += (0..<4).map { _ in .aggregation(queries.aggregationQuery(&random)) }
        requests += (0..<2).map { _ in .documents(PastCase.nearestQuery(queries, &random)) }
        indexes = IndexConfigurationGenerator().configuration(for: requests.map(\.query), &random)
    }

    /// Distances by cosine are rounded, so a threshold that equals one of them is no test.
    private static func nearestQuery(_ queries: QueryGenerator, _ random: inout SeededGenerator) -> Query {
        while true {
            let query = queries.nearestQuery(&random)
            if query.nearest?.measure != .cosine || query.nearest?.threshold == nil { return query }
        }
    }

    private static func group(
        _ generator: DocumentGenerator, _ documents: inout [DocumentPath: Fields], _ random: inout SeededGenerator
    ) -> [[Write]] {
        if random.chance(0.6) {
            let writes = ChangeGenerator(documents: generator).writes(documents, &random)
            for write in writes where documents[write.path] == nil { documents[write.path] = .empty }
            return [writes]
        }
        let paths = documents.keys.sorted()
        return (0..<random.int(2..<5)).map { _ in
            (0..<random.int(1..<5)).map { _ in
                let path = paths.isEmpty || random.chance(0.3) ? generator.path(&random) : random.pick(paths)
                if random.chance(0.4) { return Write(path, .delete) }
                documents[path] = generator.fields(&random)
                return .set(path, documents[path]!)
            }
        }
    }

    /// Makes the commits in a new database.
    func run(_ engine: Engine) throws -> PastModel {
        var model = try PastModel(engine)
        for group in groups {
            if group.count == 1 {
                let result = try engine.commit(group[0])
                try model.append(engine, at: result.commitTime)
            } else {
                for (writes, result) in zip(group, try engine.commitTogether(group)) {
                    model.append(writes.map(\.change), at: result.commitTime)
                }
            }
        }
        return model
    }

    var simpler: [PastCase] {
        func with(_ change: (inout PastCase) -> Void) -> PastCase {
            var copy = self
            change(&copy)
            return copy
        }
        return Shrinker.array(requests).map { list in with { $0.requests = list } }
            + Shrinker.array(groups).map { list in with { $0.groups = list } }
            + groups.indices.flatMap { index in
                Shrinker.array(groups[index]).filter { !$0.isEmpty }.map { list in with { $0.groups[index] = list } }
                    + groups[index].indices.flatMap { commit in
                        Shrinker.array(groups[index][commit]).map { list in with { $0.groups[index][commit] = list } }
                    }
            }
            + Shrinker.array(indexes.indexes).map { list in with { $0.indexes.indexes = list } }
    }

    var description: String {
        let commits = groups.map { group in
            group.map { writes in writes.map { "\($0.path): \($0.operation)" }.joined(separator: "; ") }
                .joined(separator: " || ")
        }
        return """
            commits:
            \(commits.joined(separator: "\n"))
            requests: \(requests.map { $0 })
            """
    }
}

extension Write {
    /// The fields that the write sets; nil for a deletion.
    var change: (DocumentPath, Fields?) {
        if case .update(let fields, _, _) = operation { return (path, fields) }
        return (path, nil)
    }
}
