// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import Foundation
package import QueryPlanner

/// A query, its documents, and the answer of Cloud Firestore or of its official tests.
package struct RecordedCase: Sendable {
    package enum Expectation: Sendable {
        /// Document names in order, or in any order if `unordered`.
        case names([String], unordered: Bool)
        case aggregates([String: Value])
        /// The gRPC status, such as `INVALID_ARGUMENT`.
        case error(String)
    }

    package let id: String
    package let documents: [DocumentPath: Fields]
    /// The name of the index configuration in force; nil if it is not recorded.
    package let configuration: String?
    package let query: Query
    /// Empty for a document query.
    package let aggregations: [Aggregation]
    package let expectation: Expectation
    /// The fields that some documents must have in the result, by name: what the projection kept of them.
    package let fields: [String: Fields]
    /// Whether ``fields`` omits some fields of the result.
    package let fieldsArePartial: Bool
    package let tags: Set<String>
    /// The case's line in the file.
    package let line: String
}

/// The cases of a folder of shared/data, and the number of lines that this model cannot read as values and queries.
package struct RecordedCases: Sendable {
    /// The files of shared/data with recorded queries, without their extension.
    package static let files = ["production-2026/queries", "production-queries/cases", "sdk-queries/cases"]

    package let cases: [RecordedCase]
    /// The ids of cases whose query does not fit the types. They belong to tests of the JSON form.
    package let unreadable: [String]

    /// - Parameter file: NDJSON with one query per line. `docsets.ndjson` beside it has the document sets that lines
    ///   name.
    package init(_ file: URL) throws {
        let sets = try RecordedCases.documentSets(file.deletingLastPathComponent().appending(path: "docsets.ndjson"))
        var cases: [RecordedCase] = []
        var unreadable: [String] = []
        for line in try RecordedCases.lines(file) {
            let object = try RecordedJSON.object(line)
            do {
                cases.append(try RecordedCase(object, line: line, sets: sets))
            } catch is RecordedJSON.Unreadable {
                unreadable.append(object["id"] as? String ?? "?")
            }
        }
        self.cases = cases
        self.unreadable = unreadable
    }

    /// Document sets by name. Empty if there is no such file, because then each line has its own documents.
    private static func documentSets(_ file: URL) throws -> [String: [DocumentPath: Fields]] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        var sets: [String: [DocumentPath: Fields]] = [:]
        for line in try lines(file) {
            let object = try RecordedJSON.object(line)
            sets[try RecordedJSON.text(object["docset"])] = try RecordedJSON.documents(object["docs"])
        }
        return sets
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

extension RecordedCase {
    fileprivate init(_ object: [String: Any], line: String, sets: [String: [DocumentPath: Fields]]) throws {
        self.line = line
        id = try RecordedJSON.text(object["id"])
        configuration = object["configuration"] as? String
        tags = Set(object["tags"] as? [String] ?? [])
        if let name = object["docset"] as? String, let set = sets[name] {
            documents = set
        } else {
            documents = try RecordedJSON.documents(object["docs"])
        }
        let aggregated = object["structuredAggregationQuery"] as? [String: Any]
        aggregations = try (aggregated?["aggregations"] as? [Any] ?? []).map(RecordedQuery.aggregation)
        query = try RecordedQuery.query(
            (aggregated ?? object)["structuredQuery"] as? [String: Any] ?? [:],
            parent: object["parent"] as? String ?? "", limitToLast: object["limitToLast"] as? Bool ?? false)
        let expect = object["expect"] as? [String: Any] ?? [:]
        expectation = try RecordedCase.expectation(expect)
        fieldsArePartial = object["fieldsPartial"] as? Bool ?? false
        fields = try ((object["fields"] ?? expect["fields"]) as? [String: [String: Any]] ?? [:])
            .mapValues(RecordedJSON.fields)
    }

    private static func expectation(_ expect: [String: Any]) throws -> Expectation {
        if let status = expect["error"] as? String { return .error(status) }
        if let aggregates = expect["aggregates"] as? [String: Any] {
            return .aggregates(try aggregates.mapValues(RecordedJSON.value))
        }
        guard let names = expect["names"] as? [String] else { throw RecordedJSON.Unreadable() }
        return .names(names, unordered: expect["unordered"] as? Bool ?? false)
    }
}
