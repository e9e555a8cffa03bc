// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText
internal import SecurityRules

/// A rule's severity, such as `redundant-index=off`.
struct RuleSetting {
    let id: String
    /// Nil for off.
    let severity: LintRule.Severity?

    init?(id: String, level: String) {
        guard RuleSetting.isKnown(id), level == "off" || LintRule.Severity(rawValue: level) != nil else { return nil }
        self.id = id
        severity = LintRule.Severity(rawValue: level)
    }

    /// Reads an argument.
    ///
    /// - Throws: wrong usage, with what is wrong.
    static func parsed(_ argument: String) throws -> RuleSetting {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard isKnown(parts[0]) else { throw ValidationError("there is no rule \"\(parts[0])\"; \(lists) list them") }
        guard parts.count == 2, let setting = RuleSetting(id: parts[0], level: parts[1]) else {
            throw ValidationError("write \(parts[0])=off, or note, warning or error in its place")
        }
        return setting
    }

    /// What lists the IDs.
    static let lists = "hearth validate --explain all and hearth rules check --explain all"

    private static func isKnown(_ id: String) -> Bool {
        LintRule.named(id) != nil || SecurityLintRule.named(id) != nil
    }
}

/// The severities of rules that differ from their defaults.
struct RuleSettings {
    private var severities: [String: LintRule.Severity?] = [:]
    private(set) var edition: Edition?
    /// The file that was read.
    private(set) var path = usualFile

    static let usualFile = ".hearth.json"

    /// What the file may have. ``SourceSettings`` reads `source`.
    private static let members = ["rules", "edition", "source"]
    /// For what nothing reads: a command reads the file again for each index file.
    private static let warning = Once()

    /// Reads a file `{"rules":{"redundant-index":"off"},"edition":"enterprise"}`, and warns of members that nothing reads;
    /// ``usualFile``, if it exists, when no path is given.
    static func read(_ path: String?) throws(CommandFailure) -> RuleSettings {
        guard path != nil || System.exists(usualFile) else { return RuleSettings() }
        let path = path ?? usualFile
        let source = try InputFile.contents(path)
        func failure(_ reason: String) -> CommandFailure { CommandFailure("\"\(path)\": \(reason)") }
        let root: JSONNode
        do {
            root = try JSONParser.parse(source, .withComments)
        } catch {
            throw failure("line \(LineMap(source).position(of: error.offset).line): \(error.message)")
        }
        guard root.members != nil, root["rules"].map({ $0.members != nil }) ?? true else {
            throw failure("it must be like {\"rules\":{\"redundant-index\":\"off\"}}")
        }
        let unknown = (root.members ?? []).map(\.key).filter { !members.contains($0) }
        if !unknown.isEmpty, warning.isFirst() {
            for key in unknown {
                Diagnostics.write(
                    "hearth: warning: \"\(path)\": nothing reads \"\(key)\"; it may have \(members.joined(separator: ", "))"
                )
            }
        }
        var result = RuleSettings()
        result.path = path
        if let edition = root["edition"] {
            result.edition = edition.string.flatMap(Edition.init(rawValue:))
            if result.edition == nil { throw failure("\"edition\" is \"standard\", \"enterprise\" or \"mongodb\"") }
        }
        var settings: [RuleSetting] = []
        for member in root["rules"]?.members ?? [] {
            guard let setting = RuleSetting(id: member.key, level: member.node.string ?? "") else {
                throw failure(
                    "\"\(member.key)\": a rule's ID (\(RuleSetting.lists) list them) has \"off\", \"note\", "
                        + "\"warning\" or \"error\"")
            }
            settings.append(setting)
        }
        return result.adding(settings)
    }

    /// Later settings win.
    func adding(_ settings: [RuleSetting]) -> RuleSettings {
        var result = self
        for setting in settings { result.severities[setting.id] = .some(setting.severity) }
        return result
    }

    /// The rules whose findings are no errors.
    var harmless: Set<String> { Set(severities.filter { $0.value != .error }.keys) }

    /// The rules that are off.
    var off: Set<String> { Set(severities.filter { $0.value == nil }.keys) }

    /// Nil for a finding of a rule that is off.
    func severity(of finding: LintFinding) -> LintRule.Severity? {
        severities[finding.rule.id] ?? finding.severity
    }

    func severity(of rule: SecurityLintRule) -> LintRule.Severity? {
        severities[rule.id] ?? rule.severity
    }
}
