// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import QuerySource

struct AdviseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advise",
        abstract: "Find the smallest index file under which every query of a file is served.",
        discussion: """
            The result has the fewest composite indexes, then the fewest overrides, then the fewest fields; it joins \
            indexes where that is enough. With --prefer speed, every query gets an index that serves it alone. With \
            --indexes, it also says what to add to that file, what no query needs, and what other indexes cover. \
            Exemptions and TTL settings of the file stay.

            Write the file of queries yourself, or record it with hearth query --record.

            Examples:
              hearth advise --queries queries.ndjson --output firestore.indexes.json
              hearth advise --queries queries.ndjson --indexes firestore.indexes.json
              hearth advise --queries queries.ndjson --indexes firestore.indexes.json --check
              hearth advise --source src functions --indexes firestore.indexes.json
            """)

    enum Preference: String, ExpressibleByArgument, CaseIterable {
        case size, speed
    }

    @Option(help: ArgumentHelp("The queries; - for standard input.", valueName: "file"), completion: .file())
    var queries: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Files and folders with the source of programs.", valueName: "path"), completion: .file())
    var source: [String] = []
    @Option(
        help: ArgumentHelp("The index file at hand.", valueName: "config"), completion: .file(extensions: ["json"]))
    var indexes: String?
    @Option(
        help: ArgumentHelp("Write the advice to this file, in canonical form.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var output: String?
    @Flag(help: "Write nothing; end with 1 if the file of --output or --indexes would change.")
    var check = false
    @Option(help: "size, or speed: no joins.")
    var prefer = Preference.size
    @Option(help: "text or json (default: text on a terminal, else json).")
    var format: TextFormat?

    func validate() throws {
        guard (queries == nil) != source.isEmpty else {
            throw ValidationError("name either a file of queries with --queries, or programs with --source")
        }
        if check, output == nil, indexes == nil {
            throw ValidationError("--check compares with a file: name it with --output or --indexes")
        }
    }

    func run() throws {
        let file = try indexes.map { try ConfigurationFile.sound($0).configuration }
        let log = try readQueries()
        var advice = log.advisor.smallestConfiguration(replacing: file ?? IndexConfiguration())
        advice.configuration = advice.configuration.inCanonicalOrder
        let report = AdviceReport(
            advice: advice, review: file.map(log.advisor.review), queryCount: log.count,
            shapeCount: log.advisor.shapeCount, refused: log.refused)
        let output = Output()
        switch format ?? (System.isTerminal(System.standardOutput) ? .text : .json) {
        case .text: AdviceText(report, isWritten: self.output != nil).write(to: output)
        case .json: output.text(report.node.text(.indented) + "\n")
        }
        if check { return try compare(advice.configuration, output) }
        if let path = self.output {
            try OutputFile.replace(path, ConfigurationFile.canonical(advice.configuration))
        }
    }

    private func compare(_ advice: IndexConfiguration, _ output: Output) throws {
        let path = self.output ?? indexes ?? "-"
        let known = try ConfigurationFile.sound(path).configuration
        guard Set(known.indexes) != Set(advice.indexes) || Set(known.fieldOverrides) != Set(advice.fieldOverrides)
        else {
            return
        }
        Diagnostics.write("hearth: \"\(path)\" would change; hearth advise --output writes it")
        throw ExitCode.found
    }

    private struct Log {
        var advisor: IndexAdvisor
        /// A recorded shape counts as often as it was seen.
        var count = 0
        var refused = 0
    }

    /// Reads the queries. Reports and leaves out those that production refuses with or without indexes.
    private func readQueries() throws -> Log {
        let database = DatabaseID(project: "hearth")
        var log = Log(advisor: IndexAdvisor(prefer == .size ? .size : .speed))
        guard let queries else {
            try readSource(into: &log, database)
            return log
        }
        try QueryInput.forEach(in: queries, database: database) { input in
            log.count += input.count
            do {
                for request in try input.requests.get() { try log.advisor.add(request, database: database) }
            } catch let error as InvalidQueryError {
                log.refused += input.count
                Diagnostics.write(
                    "hearth: warning: \(queries):\(input.line): skipped, because no index helps: \(error.message)")
            }
        }
        return log
    }
}

extension AdviseCommand {
    /// Reads the queries of programs. Says how many it could not follow.
    private func readSource(into log: inout Log, _ database: DatabaseID) throws {
        var unresolved = 0
        let isComplete = try SourceFile.forEach(source) { file in
            for site in file.report.sites {
                if !site.unresolved.isEmpty { unresolved += 1 }
                for query in site.queries {
                    log.count += 1
                    do throws(InvalidQueryError) {
                        for request in query.requests { try log.advisor.add(request, database: database) }
                    } catch {
                        log.refused += 1
                        let line = file.lines.position(of: site.offset).line
                        Diagnostics.write(
                            "hearth: warning: \(file.path):\(line): skipped, because no index helps: \(error.message)")
                    }
                }
            }
        }
        guard isComplete else { throw ExitCode.couldNotRun }
        guard unresolved > 0 else { return }
        Diagnostics.write(
            "hearth: warning: \(Numbers.counted(unresolved, "query site")) could not be followed; hearth check --source "
                + "lists them")
    }
}

/// The output of `advise`.
struct AdviceReport {
    let advice: IndexAdvisor.Advice
    let review: ConfigurationReview?
    let queryCount: Int
    let shapeCount: Int
    /// The number of queries that no index would make valid.
    let refused: Int

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
            ("costs", .array(advice.configuration.indexes.map(AdviceReport.cost))),
            ("exact", .boolean(advice.isExact)),
        ]
        members.append(("queries", .integer(Int64(queryCount))))
        members.append(("refused", .integer(Int64(refused))))
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
private struct AdviceText {
    let report: AdviceReport
    let isWritten: Bool
    let style = Style.of(System.standardOutput)

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
                "\(queries) of \(Numbers.counted(report.shapeCount, "shape")) need \(indexes) and \(overrides)"))
        for index in configuration.indexes {
            output.line("  \(properties(index))  \(style.dim(EntryCost(index).text))")
        }
        for override in configuration.fieldOverrides { output.line("  override \(AdviceText.text(override))") }
        if !report.advice.isExact {
            output.line("Not all combinations were tried: a smaller set may exist.")
        }
        if let review = report.review {
            write(review, to: output)
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
            output.line("\(style.green("add")) override \(AdviceText.text(entry))")
        }
        for entry in review.unused {
            output.line(
                "\(style.yellow("unused")) \(properties(entry)): no query needs it, and it costs \(EntryCost(entry).text)"
            )
        }
        for entry in review.unusedOverrides {
            output.line("\(style.yellow("unused")) override \(AdviceText.text(entry)): no query needs what it adds")
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

    private static func text(_ override: FieldOverride) -> String {
        let modes = override.indexes.map { "\($0.scope.wireName) \($0.mode)" }.sorted().joined(separator: ", ")
        return "\(override.collectionGroup) \(override.path?.wire ?? "*"): \(modes.isEmpty ? "none" : modes)"
    }
}
