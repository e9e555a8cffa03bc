// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import JSONText
internal import SecurityRules

enum CoverageFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, html
}

struct RulesCoverageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Show which expressions of security rules a file of cases evaluates.",
        discussion: """
            Asks the rules the requests of the cases, as hearth rules test does, and counts what each expression came to. \
            json has the form of the emulator's ruleCoverage, html is a page over the source: each expression in the colour of \
            what it came to.

            With --at-least the command ends with 1 if fewer percent of the expressions were evaluated.

            Examples:
              hearth rules coverage --rules firestore.rules --cases cases.ndjson
              hearth rules coverage --rules firestore.rules --cases cases.ndjson \\
                --format html > coverage.html
            """)

    @Option(help: ArgumentHelp("The rules.", valueName: "file"), completion: .file(extensions: ["rules"]))
    var rules: String
    @Option(help: ArgumentHelp("The cases, one a line; - for standard input.", valueName: "file"), completion: .file())
    var cases: String
    @Option(
        help: ArgumentHelp("A JSON object of documents, by the names that cases use.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var fixtures: String?
    @Option(help: "text, json (the emulator's form) or html.")
    var format = CoverageFormat.text
    @Option(help: ArgumentHelp("The least share of expressions.", valueName: "percent"))
    var atLeast: Int?

    func validate() throws {
        if let atLeast, !(0...100).contains(atLeast) {
            throw ValidationError("--at-least takes a percentage from 0 to 100")
        }
    }

    func run() throws {
        let compiled = try RulesFile(rules).compiled()
        var coverage = RuleCoverage(compiled)
        let file = try RuleCasesFile(cases, fixtures: fixtures)
        let runner = RuleCaseRunner(
            rules: compiled, time: Timestamp(microseconds: System.now()) ?? .minimum, detail: .evaluation)
        try file.forEach { test throws(DocumentFormError) in
            // A case with rules of its own says nothing of these.
            guard test.rules == nil else { return }
            for explanation in try runner.run(test).explanations { coverage.add(explanation) }
        }
        let output = Output(asData: format == .html)
        let counts = coverage.summary
        switch format {
        case .json: output.line(coverage.report(name: rules).text())
        case .html:
            for line in coverage.page(name: rules).split(separator: "\n", omittingEmptySubsequences: false) {
                output.line(String(line))
            }
        case .text:
            for range in coverage.unreached {
                let source = range.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                output.line("\(rules):\(range.start.line):\(range.start.column): never evaluated: \(source)")
            }
            output.line(
                "\(counts.reached) of \(counts.expressions) expressions evaluated, "
                    + "\(counts.bothWays) of \(counts.bools) conditions both true and false")
        }
        if let atLeast, counts.reached * 100 < atLeast * counts.expressions { throw ExitCode.found }
    }
}
