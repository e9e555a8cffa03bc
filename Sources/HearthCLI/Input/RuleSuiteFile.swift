// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import JSONText
internal import SecurityRules

/// A file with a test suite of the Rules API.
struct RuleSuiteFile {
    private let name: String
    private let suite: RuleSuite

    init(_ path: String) throws(CommandFailure) {
        name = path == "-" ? "standard input" : path
        let source = try InputFile.contents(path)
        let node: JSONNode
        do { node = try JSONParser.parse(source) } catch {
            throw CommandFailure("\(name) is no JSON: \(error.message)")
        }
        do throws(DocumentFormError) { suite = try RuleSuite(node) } catch {
            let line = error.offset.map { ":\(LineMap(source).position(of: $0).line)" } ?? ""
            throw CommandFailure("\(name)\(line): \(error.message)")
        }
    }

    /// Prints what comes of the cases, and ends with 1 if one fails.
    ///
    /// - Parameter rules: nil for those of the suite.
    func run(_ rules: RuleSet?, at time: Timestamp, _ format: TextFormat) throws {
        guard let rules = try rules ?? compiled() else {
            throw CommandFailure("\(name) has no \"source\", and there is no --rules")
        }
        let output = Output()
        var failed = 0
        for (place, test) in suite.cases.enumerated() {
            let decision = rules.decide(test, now: time)
            let isRight = decision.isAllowed == test.allows
            if !isRight { failed += 1 }
            if format == .json {
                output.line(RuleSuiteFile.node(place, decision, isRight).text())
            } else if !isRight {
                let (found, wanted) = decision.isAllowed ? ("allowed", "DENY") : ("denied", "ALLOW")
                let reason = decision.message.split(separator: "\n").joined(separator: " ")
                output.line(
                    "testCases[\(place)]: FAIL: \(found), expected \(wanted)\(reason.isEmpty ? "" : ": \(reason)")")
            }
        }
        if format == .text { output.line("\(suite.cases.count - failed) passed, \(failed) failed") }
        if failed > 0 { throw ExitCode.found }
    }

    private func compiled() throws(CommandFailure) -> RuleSet? {
        guard let source = suite.rules else { return nil }
        let (rules, issues) = RuleSet.compile(source)
        guard let rules else {
            let first = issues.first { $0.severity == .error }
            throw CommandFailure("the rules of \(name) do not compile: \(first?.line ?? "")")
        }
        return rules
    }

    private static func node(_ place: Int, _ decision: Decision, _ isRight: Bool) -> JSONNode {
        .object([
            "id": .string("testCases[\(place)]"), "state": .string(isRight ? "SUCCESS" : "FAILURE"),
            "allow": .boolean(decision.isAllowed),
            "status": .string(decision.isAllowed ? "OK" : "PERMISSION_DENIED"), "message": .string(decision.message),
        ])
    }
}
