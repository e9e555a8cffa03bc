// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Random index files and random queries: the edited file serves them, and has what was there.
@Suite struct AdvisedEditTests {
    private struct Case: CustomStringConvertible {
        let source: String
        let comments: [String]
        let queries: [Query]

        var description: String { "\(source)\n\(queries)" }
    }

    private let database = RandomQueries.database

    @Test func nothingIsLost() throws {
        try check(count: Rounds.of(10_000), generate: Self.random) { input in
            let (old, edit) = try edited(input, AdvisedEdit.Pruning())
            let text = String(decoding: edit.source, as: UTF8.self)
            if !edit.removals.isEmpty { return "something was removed" }
            if let comment = lostComment(input, text) { return "\(comment) is lost: \(text)" }
            let new = ConfigurationReader.read(edit.source).configuration
            for index in old.indexes where !new.indexes.contains(index) {
                return "\(index.properties) is lost: \(text)"
            }
            for override in old.fieldOverrides where !isKept(override, new) { return "\(override) is lost: \(text)" }
            return try unserved(input, new).map { "\($0) is not served: \(text)" }
        }
    }

    /// What is removed is listed, every query is served, and the rest is there.
    @Test func pruningRemovesWhatItSays() throws {
        var count = 0
        var broken = 0
        try check(count: Rounds.of(10_000), generate: Self.random) { input in
            let (old, edit) = try edited(input, AdvisedEdit.Pruning(redundant: true, unused: ["k"]))
            count += edit.removals.count
            broken += edit.removals.count { $0.query != nil }
            let text = String(decoding: edit.source, as: UTF8.self)
            let new = ConfigurationReader.read(edit.source).configuration
            let removed = Set(edit.removals.compactMap(\.index))
            for index in old.indexes where removed.contains(index) == new.indexes.contains(index) {
                return "\(index.properties) is neither kept nor removed: \(text)"
            }
            let overrides = edit.removals.compactMap(\.override)
            for override in old.fieldOverrides where !overrides.contains(override) && !isKept(override, new) {
                return "\(override) is lost: \(text)"
            }
            if overrides.contains(where: { $0.timeToLive != nil || $0.indexes.isEmpty }) {
                return "an exemption is lost"
            }
            return try unserved(input, new).map { "\($0) is not served: \(text)" }
        }
        #expect(count > 0 && broken > 0)
    }

    private func edited(
        _ input: Case, _ pruning: AdvisedEdit.Pruning
    ) throws -> (old: IndexConfiguration, edit: AdvisedEdit) {
        var advisor = IndexAdvisor()
        for query in input.queries { try advisor.add(.documents(query), database: database) }
        let source = Array(input.source.utf8)
        return (ConfigurationReader.read(source).configuration, try advisor.edited(source, pruning: pruning))
    }

    /// In the order in which they were written.
    private func lostComment(_ input: Case, _ text: String) -> String? {
        var rest = text[...]
        for comment in input.comments {
            guard let place = rest.firstRange(of: comment) else { return comment }
            rest = rest[place.upperBound...]
        }
        return nil
    }

    private func isKept(_ override: FieldOverride, _ new: IndexConfiguration) -> Bool {
        new.fieldOverrides.contains {
            $0.collectionGroup == override.collectionGroup && $0.path == override.path
                && $0.timeToLive == override.timeToLive && $0.indexes.isSuperset(of: override.indexes)
        }
    }

    private func unserved(_ input: Case, _ configuration: IndexConfiguration) throws -> Query? {
        let catalog = IndexCatalog(configuration)
        return input.queries.first { (try? Planner.plan(.documents($0), catalog: catalog, database: database)) == nil }
    }

    // MARK: - Random files

    private static func random(_ generator: inout SeededGenerator) -> Case {
        var random = RandomQueries(SeededGenerator(seed: generator.next()))
        var queries: [Query] = []
        while queries.count < generator.int(1..<5) {
            let query = random.query()
            if (try? QueryValidator.validate(query, database: RandomQueries.database)) != nil { queries.append(query) }
        }
        var file = IndexConfiguration()
        for _ in 0..<generator.int(0..<6) { file.indexes.append(random.definition()) }
        for path in RandomQueries.fields where generator.chance(0.3) {
            // A second TTL field would be an error, and the tool refuses such files.
            let hasTimeToLive = file.fieldOverrides.contains { $0.timeToLive == true }
            file.fieldOverrides.append(override(of: path, &generator, mayExpire: !hasTimeToLive))
        }
        let text = ConfigurationWriter.node(file).text(.indented)
        var comments: [String] = []
        let lines = text.split(separator: "\n").map { line in
            guard generator.chance(0.3) else { return String(line) }
            let comment = generator.pick(["// c\(comments.count).", "/* c\(comments.count). [{,\" */"])
            comments.append(comment)
            return comment.hasPrefix("//") || generator.chance(0.5) ? "\(line) \(comment)" : "\(comment) \(line)"
        }
        return Case(source: lines.joined(separator: "\n"), comments: comments, queries: queries)
    }

    private static func override(
        of path: FieldPath, _ generator: inout SeededGenerator, mayExpire: Bool
    ) -> FieldOverride {
        let group = SingleFieldIndex(.ascending, .collectionGroup)
        let indexes: Set<SingleFieldIndex> = generator.pick([
            [], SingleFieldIndex.automatic, SingleFieldIndex.automatic.union([group]), [group],
        ])
        return FieldOverride(
            collectionGroup: "k", path: path, indexes: indexes,
            timeToLive: generator.pick([nil, nil, nil, mayExpire, false]))
    }
}
