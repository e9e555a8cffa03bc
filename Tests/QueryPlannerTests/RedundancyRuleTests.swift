// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// The rule `redundant-index` against the planner, which knows nothing of the rule.
@Suite struct RedundancyRuleTests {
    private let database = RandomQueries.database

    /// A warning: every query that the index serves alone is served without it. A note: the query that it names is not.
    @Test func warningsAndNotesHold() throws {
        var warnings = 0
        var notes = 0
        try check(count: Rounds.of(20_000), generate: Self.configuration) { file in
            let source = Array(ConfigurationWriter.text(file).utf8)
            let (read, findings) = ConfigurationReader.read(source)
            for finding in findings where finding.rule.id == "redundant-index" {
                let index = try #require(Self.entry(at: finding.offset, of: source, read))
                var rest = read
                rest.indexes.removeAll { $0 == index }
                let own = IndexConfiguration(indexes: [index], fieldOverrides: read.fieldOverrides)
                if finding.severity == .note {
                    notes += 1
                    let query = try #require(Self.query(in: finding.message))
                    if try !isServed(query, own) { return "the index does not serve \(query)" }
                    if try isServed(query, rest) { return "\(query) is served without the index" }
                } else {
                    warnings += 1
                    for query in Self.queries(index) where try isServed(query, own) {
                        if try !isServed(query, rest) { return "\(query) is not served without \(index.properties)" }
                    }
                }
            }
            return nil
        }
        #expect(warnings > 0 && notes > 0)
    }

    private func isServed(_ text: String, _ configuration: IndexConfiguration) throws -> Bool {
        var advisor = IndexAdvisor()
        try advisor.add(try QueryText.parse(text, database: database), database: database)
        return advisor.additions(to: configuration).configuration == IndexConfiguration()
    }

    /// What the message gives as the query that needs the index.
    private static func query(in message: String) -> String? {
        let parts = message.split(separator: " serves collection")
        guard let part = parts.last, parts.count == 2, let end = part.firstRange(of: ": it costs") else { return nil }
        return "collection" + part[..<end.lowerBound].replacing("…", with: "1")
    }

    private static func entry(
        at offset: Int, of source: [UInt8], _ read: IndexConfiguration
    ) -> IndexDefinition? {
        let text = String(decoding: source[..<offset], as: UTF8.self)
        return read.indexes[text.components(separatedBy: "\"collectionGroup\"").count - 1]
    }

    /// One for each number of bound first fields.
    private static func queries(_ index: IndexDefinition) -> [String] {
        (0...index.fields.count).compactMap { count in
            var text = index.scope == .collection ? "collection('c')" : "collectionGroup('c')"
            for field in index.fields.prefix(count) {
                let test = field.mode == .contains ? "array-contains" : "=="
                text += ".where('\(field.path.wire)','\(test)',1)"
            }
            for field in index.fields.dropFirst(count) {
                guard case .order(let direction) = field.mode else { return nil }
                text += ".orderBy('\(field.path.wire)','\(direction == .ascending ? "asc" : "desc")')"
            }
            return text + ".orderBy('__name__','\(index.nameDirection == .ascending ? "asc" : "desc")')"
        }
    }

    private static func configuration(_ generator: inout SeededGenerator) -> IndexConfiguration {
        let names = ["a", "b", "x", "y"]
        var seen: Set<IndexDefinition> = []
        for _ in 0..<Int.random(in: 4...9, using: &generator) {
            let paths = names.shuffled(using: &generator).prefix(Int.random(in: 2...4, using: &generator))
            var fields = paths.map { name in
                IndexField(
                    FieldPath([Text(name)]),
                    .order(Int.random(in: 0..<4, using: &generator) == 0 ? .descending : .ascending))
            }
            if Bool.random(using: &generator) {
                let place = Int.random(in: 0..<fields.count - 1, using: &generator)
                fields[place] = IndexField(fields[place].path, .contains)
            }
            let isGroup = Int.random(in: 0..<4, using: &generator) == 0
            let index = IndexDefinition(
                collectionGroup: "c", scope: isGroup ? .collectionGroup : .collection, listedFields: fields,
                appendingNameBy: .backend)
            if let index { seen.insert(index) }
        }
        return IndexConfiguration(indexes: Array(seen)).inCanonicalOrder
    }
}
