// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// The output of `advise`.
struct AdviceReport {
    let advice: IndexAdvisor.Advice
    let review: ConfigurationReview?
    /// What was removed from the file, or would be.
    let removals: [AdvisedEdit.Removal]
    let queryCount: Int
    let shapeCount: Int
    /// The number of queries that no index would make valid.
    let refused: Int
    /// How many places of a source could not be followed; nil if no source was read.
    let unresolved: Int?

    var node: JSONNode {
        let configuration = ConfigurationWriter.node(advice.configuration)
        var members: [(String, JSONNode)] = [
            ("indexes", configuration["indexes"] ?? .array([])),
            ("fieldOverrides", configuration["fieldOverrides"] ?? .array([])),
            ("add", .array((review?.additions ?? advice.configuration).entries)),
            (
                "unused",
                .array(
                    (review?.unused ?? []).map { ConfigurationWriter.node($0) }
                        + (review?.unusedOverrides ?? []).map { ConfigurationWriter.node($0) })
            ),
            ("redundant", .array((review?.redundant ?? []).map(AdviceReport.node))),
            ("removed", .array(removals.map(AdviceReport.node))),
            ("costs", .array(advice.configuration.indexes.map(AdviceReport.cost))),
            ("exact", .boolean(advice.isExact)),
        ]
        members.append(("queries", .integer(Int64(queryCount))))
        members.append(("refused", .integer(Int64(refused))))
        if let unresolved { members.append(("unresolved", .integer(Int64(unresolved)))) }
        return JSONNode(.object(members.map { JSONMember(key: $0.0, node: $0.1) }))
    }

    private static func node(_ redundancy: ConfigurationReview.Redundancy) -> JSONNode {
        let index = ConfigurationWriter.node(redundancy.index)
        let more: [(String, JSONNode)] = [
            ("coveredBy", .array(redundancy.coveredBy.map { ConfigurationWriter.node($0) })),
            ("joins", .boolean(redundancy.needsJoin)),
            ("cost", .string(EntryCost(redundancy.index).text)),
        ]
        return JSONNode(
            .object((index.members ?? []) + more.map { JSONMember(key: $0.0, node: $0.1) }))
    }

    /// The entry, and the query that would be refused without it.
    private static func node(_ removal: AdvisedEdit.Removal) -> JSONNode {
        let entry =
            removal.index.map { ConfigurationWriter.node($0) } ?? removal.override.map { ConfigurationWriter.node($0) }
        let query = removal.query.map { [JSONMember(key: "breaks", node: .string($0))] } ?? []
        return JSONNode(.object((entry?.members ?? []) + query))
    }

    private static func cost(_ index: IndexDefinition) -> JSONNode {
        .object(["index": .string(properties(index)), "cost": .string(EntryCost(index).text)])
    }
}

extension IndexConfiguration {
    fileprivate var entries: [JSONNode] {
        indexes.map { ConfigurationWriter.node($0) } + fieldOverrides.map { ConfigurationWriter.node($0) }
    }
}

/// The report as text.
struct AdviceText {
    private let report: AdviceReport
    private let isWritten: Bool
    private let style = Style.of(System.standardOutput)

    init(_ report: AdviceReport, isWritten: Bool) {
        self.report = report
        self.isWritten = isWritten
    }

    func write(to output: Output) {
        let configuration = report.advice.configuration
        let queries = Numbers.counted(report.queryCount, "query", "queries")
        let overrides = Numbers.counted(configuration.fieldOverrides.count, "field override")
        let indexes = Numbers.counted(configuration.indexes.count, "composite index", "composite indexes")
        output.line(
            style.bold(
                "\(queries) of \(Numbers.counted(report.shapeCount, "shape")) \(report.queryCount == 1 ? "needs" : "need") "
                    + "\(indexes) and \(overrides)"))
        for index in configuration.indexes {
            output.line("  \(properties(index))  \(style.dim(EntryCost(index).text))")
        }
        for override in configuration.fieldOverrides { output.line("  override \(properties(override))") }
        if !report.advice.isExact {
            output.line("Not all combinations were tried: a smaller set may exist.")
        }
        if let review = report.review {
            write(review, to: output)
            for removal in report.removals { write(removal, to: output) }
        } else if !isWritten {
            output.line()
            output.text(ConfigurationWriter.text(configuration))
        }
    }

    private func write(_ review: ConfigurationReview, to output: Output) {
        for entry in review.additions.indexes {
            output.line("\(style.green("add")) \(properties(entry)): \(EntryCost(entry).text)")
        }
        for entry in review.additions.fieldOverrides {
            output.line("\(style.green("add")) override \(properties(entry))")
        }
        // A query that was not followed may need it.
        let nobody = report.unresolved ?? 0 > 0 ? "no query that could be followed" : "no query"
        for entry in review.unused {
            output.line(
                "\(style.yellow("unused")) \(properties(entry)): \(nobody) needs it, and it costs \(EntryCost(entry).text)"
            )
        }
        for entry in review.unusedOverrides {
            output.line("\(style.yellow("unused")) override \(properties(entry)): \(nobody) needs what it adds")
        }
        for entry in review.redundant {
            let others = entry.coveredBy.map(\.properties).joined(separator: " and ")
            let cover = others.isEmpty ? "automatic indexes" : others
            let joining = entry.needsJoin ? ", joined, which reads more entries" : ""
            output.line(
                "\(style.yellow("redundant")) \(properties(entry.index)): \(cover) will do\(joining); it costs "
                    + EntryCost(entry.index).text)
        }
    }

    private func write(_ removal: AdvisedEdit.Removal, to output: Output) {
        let entry =
            removal.index.map { properties($0) } ?? removal.override.map { "override \(properties($0))" } ?? ""
        let loss = removal.query.map { "queries like \($0) would be refused" } ?? "every query that it served still is"
        output.line("\(style.red("remove")) \(entry): \(loss)")
    }
}
