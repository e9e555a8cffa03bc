// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import QuerySource
internal import SecurityRules

/// Prints the verdicts on queries in source, or collects them as findings.
final class SourcePrinter {
    private let format: FindingFormat
    private let indexes: CheckedIndexes
    private let database: DatabaseID
    private let baseline: SourceBaseline
    private let output = Output()
    private var findings = FindingList()
    private var sites = 0
    private var files: Set<String> = []
    /// What was found, for a new baseline.
    private(set) var found = SourceBaseline()
    private(set) var refused = 0
    private(set) var unresolved = 0
    /// How many queries are served without an index.
    private(set) var scans = 0
    private var resolved = 0
    private var withoutIndex = 0

    private let rules: RulesVerdict?
    /// How many queries the rules deny to users who are signed in.
    private(set) var denied = 0

    init(
        _ format: FindingFormat, _ indexes: CheckedIndexes, _ database: DatabaseID, _ baseline: SourceBaseline,
        _ rules: RulesVerdict?
    ) {
        self.rules = rules
        self.format = format
        self.indexes = indexes
        self.database = database
        self.baseline = baseline
    }

    func write(_ site: SourceSite, in file: SourceFile) {
        sites += 1
        files.insert(file.path)
        let position = file.lines.position(of: site.offset)
        var lacksIndex = false
        for query in site.queries {
            let outcome = indexes.outcome(query.requests, database)
            if case .missingIndex = outcome { lacksIndex = true }
            if let (rule, message) = outcome.refusal(indexes.catalog, database) {
                let finding = finding(rule, .error, "\(query.text): \(message)", site, file, position)
                guard report(finding, query.text) else { continue }
                refused += 1
            }
            if case .scan(let error) = outcome {
                lacksIndex = true
                let message = "\(query.text): \(error.scanSentence)"
                let finding = finding("unindexed-query", .warning, message, site, file, position)
                guard report(finding, query.text) else { continue }
                scans += 1
            }
            let applies = file.report.isSubjectToRules(query)
            // Only JSON says what rules say of a query that they do not concern.
            let judged = applies || format == .json ? query.requests.first : nil
            let verdict = rules.flatMap { rules in judged.map { rules.verdict($0.query) } }
            if let verdict, applies, RulesVerdict.isDenied(verdict) { deny(verdict, query, site, file, position) }
            if format == .json { writeJSON(query, outcome, verdict, applies: applies, file, position) }
        }
        if lacksIndex { withoutIndex += 1 }
        if site.unresolved.isEmpty { resolved += 1 } else { writeUnresolved(site, file, position) }
    }

    func finish() {
        switch format {
        case .json: break
        case .text:
            let printer = TextFindings(Style.of(System.standardOutput))
            for line in findings.findings.flatMap(printer.lines) { output.line(line) }
            if !findings.findings.isEmpty { output.line() }
            let open = sites - resolved
            output.line(
                "\(Numbers.counted(sites, "query site")) in \(Numbers.counted(files.count, "file")): \(resolved) resolved, "
                    + "\(open) unresolved, \(withoutIndex) without an index")
        case .sarif, .github: FindingPrinter(format, fileCount: files.count).write(findings, to: output)
        }
    }

    // MARK: Verdicts

    private func finding(
        _ rule: String, _ severity: LintRule.Severity, _ message: String, _ site: SourceSite, _ file: SourceFile,
        _ position: LineMap.Position
    ) -> Finding {
        Finding(
            file: file.path, position: position, rule: rule, severity: severity, message: message,
            excerpt: file.lines.excerpt(at: site.offset, width: Finding.excerptWidth))
    }

    private func deny(
        _ verdict: QueryJudge.Verdict, _ query: SourceQuery, _ site: SourceSite, _ file: SourceFile,
        _ position: LineMap.Position
    ) {
        let message = "\(query.text): \(RulesVerdict.sentence(verdict))"
        if report(finding("rules-deny", .warning, message, site, file, position), query.text) { denied += 1 }
    }

    /// Whether the finding is news.
    private func report(_ finding: Finding, _ query: String) -> Bool {
        let known = SourceBaseline.Entry(file: finding.file, rule: finding.rule, query: query)
        found.add(known)
        guard !baseline.contains(known) else { return false }
        findings.add(finding)
        return true
    }

    private func writeUnresolved(_ site: SourceSite, _ file: SourceFile, _ position: LineMap.Position) {
        var isNews = false
        for reason in site.unresolved {
            let advice = reason.hasPrefix("its collection") ? "; name it with a comment: hearth: collection=NAME" : ""
            let finding = finding(
                "unresolved-query", .note, "this query is not checked: \(reason)\(advice)", site, file, position)
            guard report(finding, reason) else { continue }
            isNews = true
            guard format == .json else { continue }
            var writer = begin(file, position)
            writer.key("unresolved")
            writer.string(reason)
            writer.endObject()
            output.line(&writer)
        }
        if isNews { unresolved += 1 }
    }

    // MARK: JSON

    private func begin(_ file: SourceFile, _ position: LineMap.Position) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("file")
        writer.string(file.path)
        writer.key("line")
        writer.integer(Int64(position.line))
        writer.key("column")
        writer.integer(Int64(position.column))
        writer.key("language")
        writer.string(file.report.language)
        return writer
    }

    private func writeJSON(
        _ query: SourceQuery, _ outcome: QueryAnswer.Outcome, _ verdict: QueryJudge.Verdict?, applies: Bool,
        _ file: SourceFile, _ position: LineMap.Position
    ) {
        var writer = begin(file, position)
        writer.key("query")
        writer.string(query.text)
        VerdictJSON(indexes.catalog, database).write(outcome, verdict, applies: applies, to: &writer)
        writer.endObject()
        output.line(&writer)
    }
}
