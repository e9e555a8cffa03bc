// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import JSONText
internal import SecurityRules

struct RulesTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Ask security rules requests and compare the answers.",
        discussion: """
            Each line of the cases is a JSON object: {"id", "rules" or "expr", "documents", "request", "expect"}. "expr" is \
            one condition for reading c/{id}. "documents" are fields by path, or {"$fixture":NAME} of the fixtures. \
            "request" has a "method" (get, list, count, listdocs, batchget, create, set, merge, update, delete, commit, \
            transaction), its "path", "query", "data" and so on, and "auth": null, {"uid", claims} or "owner". A case without \
            a request asks the compiler alone. With "expect":{"allow","status"} the answer is compared; without, it is printed \
            and counted apart.

            Prints what differs and a count. Ends with 1 if anything differs. --format json prints each answer with the \
            emulator's message.

            --suite takes the test suites of Google's Rules API instead: {"testSuite":{"testCases":[{"expectation", "request", \
            "resource", "functionMocks"}]}}. Such a request says all that rules may ask, and nothing is read: get() and \
            exists() give what functionMocks say. The rules are those of --rules, or the suite's own "source".

            Examples:
              hearth rules test --rules firestore.rules --cases cases.ndjson
              hearth rules test --rules firestore.rules --cases cases.ndjson \\
                --fixtures fixtures.json --format json
              hearth rules test --rules firestore.rules --suite suite.json
            """)

    @Option(help: ArgumentHelp("The cases, one a line; - for standard input.", valueName: "file"), completion: .file())
    var cases: String?
    @Option(
        help: ArgumentHelp("A test suite of the Rules API; - for standard input.", valueName: "file"),
        completion: .file())
    var suite: String?
    @Option(
        help: ArgumentHelp("A JSON object of documents, by the names that cases use.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var fixtures: String?
    @Option(
        help: ArgumentHelp("The rules of the cases that have none.", valueName: "file"),
        completion: .file(extensions: ["rules"]))
    var rules: String?
    @Option(help: "text or json (one answer a line).")
    var format = TextFormat.text

    func validate() throws {
        if (cases == nil) == (suite == nil) { throw ValidationError("name a file with --cases or with --suite") }
        if suite != nil, fixtures != nil { throw ValidationError("--fixtures belongs to --cases") }
    }

    func run() throws {
        let time = Timestamp(microseconds: System.now()) ?? .minimum
        let compiled = try rules.map { try RulesFile($0).compiled() }
        if let suite { return try RuleSuiteFile(suite).run(compiled, at: time, format) }
        guard let cases else { return }
        let runner = RuleCaseRunner(rules: compiled, time: time)
        var printer = RuleAnswerPrinter(format)
        try RuleCasesFile(cases, fixtures: fixtures).forEach { test throws(DocumentFormError) in
            guard test.rules != nil || compiled != nil else {
                throw DocumentFormError("the case has no rules, and there is no --rules")
            }
            printer.write(test, try runner.run(test))
        }
        if printer.finish() > 0 { throw ExitCode.found }
    }
}

/// Prints the answers to cases, and counts those that differ from what is expected.
private struct RuleAnswerPrinter {
    private let format: TextFormat
    private let output = Output()
    private var passed = 0
    private var failed = 0
    /// How many cases expect nothing.
    private var uncompared = 0

    init(_ format: TextFormat) {
        self.format = format
    }

    mutating func write(_ test: RuleCase, _ answer: RuleCaseAnswer) {
        let allow = test.expected?["allow"]?.boolean
        let status = test.expected?["status"]?.string
        let isSame =
            (allow ?? answer.isAllowed) == answer.isAllowed
            && (status ?? answer.status.rawValue) == answer.status.rawValue
        if test.expected == nil { uncompared += 1 } else if isSame { passed += 1 } else { failed += 1 }
        if format == .json { return output.line(RuleAnswerPrinter.node(test, answer).text()) }
        if test.expected == nil || !isSame {
            let verdict = answer.isAllowed ? "allowed" : "denied"
            var line = "\(test.id): \(isSame ? "" : "FAIL: ")\(verdict) (\(answer.status.rawValue))"
            if !isSame { line += ", expected \(allow == true ? "allowed" : "denied") (\(status ?? "any status"))" }
            let reason = answer.message.split(separator: "\n").joined(separator: " ")
            output.line(reason.isEmpty ? line : "\(line): \(reason)")
        }
    }

    /// The number of answers that differ.
    func finish() -> Int {
        if format == .text {
            // The last line is that of the count alone, for scripts that read it.
            if uncompared > 0 { output.line("\(uncompared) not compared, as nothing is in \"expect\"") }
            output.line("\(passed) passed, \(failed) failed")
        }
        return failed
    }

    private static func node(_ test: RuleCase, _ answer: RuleCaseAnswer) -> JSONNode {
        var members = [
            JSONMember(key: "id", node: .string(test.id)),
            JSONMember(key: "allow", node: .boolean(answer.isAllowed)),
            JSONMember(key: "status", node: .string(answer.status.rawValue)),
            JSONMember(key: "message", node: .string(answer.message)),
            JSONMember(key: "issues", node: .array(answer.issues.map(node))),
        ]
        if test.isExpression { members.append(JSONMember(key: "verdict", node: .string(answer.verdict))) }
        return JSONNode(.object(members))
    }

    private static func node(_ issue: RuleIssue) -> JSONNode {
        func number(_ number: Int?) -> JSONNode { number.map { .integer(Int64($0)) } ?? JSONNode(.null) }
        return .array([
            .string(issue.severity.rawValue), number(issue.position?.line), number(issue.position?.column),
            .string(issue.text),
        ])
    }
}
