// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText
internal import SecurityRules

/// A file of security rules.
struct RulesFile {
    let path: String
    let text: String
    private let lines: LineMap

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let source = try InputFile.contents(path)
        guard let text = String(validating: source, as: UTF8.self) else {
            throw CommandFailure("\"\(path)\" is no UTF-8 text")
        }
        self.text = text
        lines = LineMap(source)
    }

    /// The rules. Ends the command if they do not compile.
    func compiled() throws(CommandFailure) -> RuleSet {
        guard let rules = RuleSet.compile(text, refusesOtherServices: true).rules else { throw refusal }
        return rules
    }

    /// What a command says of rules that do not compile.
    var refusal: CommandFailure {
        let first = RuleSet.compile(text, refusesOtherServices: true).issues.first { $0.severity == .error }
        return CommandFailure("\"\(path)\" does not compile: \(first?.line ?? ""); see hearth rules check")
    }

    /// What the compiler says, as every output format prints it. What has no place is printed at the file's start.
    func finding(_ issue: RuleIssue) -> Finding {
        let position = issue.position ?? SourcePosition(line: 1, column: 1)
        let excerpt = issue.position.map {
            lines.excerpt(at: lines.offset(of: $0), width: Finding.excerptWidth)
        }
        return Finding(
            file: path == "-" ? "<stdin>" : path,
            position: LineMap.Position(line: max(1, position.line), column: max(1, position.column)),
            rule: RulesFile.rule(issue), severity: issue.severity == .error ? .error : .warning, message: issue.text,
            excerpt: excerpt)
    }

    /// What a lint rule says.
    func finding(_ finding: SecurityLintFinding, _ settings: RuleSettings) -> Finding {
        Finding(
            file: path == "-" ? "<stdin>" : path,
            position: LineMap.Position(line: finding.position.line, column: finding.position.column),
            rule: finding.rule.id, severity: settings.severity(of: finding.rule) ?? finding.rule.severity,
            message: finding.message,
            excerpt: lines.excerpt(at: lines.offset(of: finding.position), width: Finding.excerptWidth))
    }

    private static let errors: [(text: String, rule: String)] = [
        ("Expression is too complex", "too-complex"), ("Maximum allowed", "limit"),
        ("Invalid regular expression", "bad-pattern"), ("Recursive call", "recursion"),
        ("Detected a call cycle", "recursion"), ("Invalid glob match", "bad-wildcard"),
        ("These are rules of", "other-service"),
    ]

    /// How errors of a name that is there twice end.
    private static let repetitions = [
        "is already defined.", "in the current scope.", "already exists in the PathTemplate.",
    ]

    private static let warnings: [(text: String, rule: String)] = [
        ("Ruleset uses old version", "old-version"), ("Invalid variable name", "unknown-variable"),
        ("Invalid function name", "unknown-function"), ("Invalid method name", "unknown-method"),
        ("Invalid service name", "unknown-service"), ("Unused function", "unused-function"),
        ("Unused variable", "unused-variable"), ("Incorrect number of arguments", "argument-count"),
        ("The sub-expressions are not comparable", "not-comparable"), ("Ternary operator", "ternary-types"),
        ("Invalid type", "invalid-type"),
    ]

    private static func rule(_ issue: RuleIssue) -> String {
        if issue.severity == .warning {
            return "official-" + (warnings.first { issue.text.hasPrefix($0.text) }?.rule ?? "warning")
        }
        if repetitions.contains(where: { issue.text.hasSuffix($0) }) { return "duplicate-name" }
        return errors.first { issue.text.hasPrefix($0.text) }?.rule ?? "syntax"
    }
}
