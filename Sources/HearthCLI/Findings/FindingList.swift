// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// The findings in the files of a run. All are counted; the most severe ones of each file are listed.
struct FindingList {
    struct Notice {
        let severity: LintRule.Severity
        let sentence: String
    }

    /// In the order of the files and of their sources.
    private(set) var findings: [Finding] = []
    /// What ``findings`` alone do not tell: sentences that were also written to standard error.
    private(set) var notices: [Notice] = []
    private var counts: [LintRule.Severity: Int] = [:]

    /// Nobody reads more findings of one file, and printing them would take longer than finding them.
    static let maximumPerFile = ConfigurationReader.wordedViolations

    func count(_ severity: LintRule.Severity) -> Int { counts[severity, default: 0] }

    /// The IDs of the rules of ``findings``, in the order in which they occur.
    var rules: [String] {
        var seen: Set<String> = []
        return findings.map(\.rule).filter { seen.insert($0).inserted }
    }

    /// Use an error if something was not checked.
    mutating func notice(_ severity: LintRule.Severity, _ sentence: String) {
        Diagnostics.write("hearth: \(sentence)")
        notices.append(Notice(severity: severity, sentence: sentence))
    }

    mutating func add(_ finding: Finding) {
        counts[finding.severity, default: 0] += 1
        findings.append(finding)
    }

    mutating func add(_ found: [LintFinding], path: String, source: [UInt8], _ settings: RuleSettings) {
        var number: [LintRule.Severity: Int] = [:]
        for finding in found {
            if let severity = settings.severity(of: finding) { number[severity, default: 0] += 1 }
        }
        counts.merge(number, uniquingKeysWith: +)
        let total = number.values.reduce(0, +)
        guard total > 0 else { return }
        let lines = LineMap(source)
        var room = FindingList.room(number)
        for finding in found {
            guard let severity = settings.severity(of: finding), let left = room[severity], left > 0 else {
                continue
            }
            room[severity] = left - 1
            findings.append(
                Finding(
                    file: path == "-" ? "<stdin>" : path, position: lines.position(of: finding.offset),
                    rule: finding.rule.id, severity: severity, message: finding.message,
                    excerpt: lines.excerpt(at: finding.offset, width: Finding.excerptWidth)))
        }
        guard total > FindingList.maximumPerFile else { return }
        let rest = Numbers.counted(total - FindingList.maximumPerFile, "more finding")
        notice(.warning, "\"\(path)\" has \(rest), counted but not listed")
    }

    /// How many findings of each severity are listed.
    private static func room(_ number: [LintRule.Severity: Int]) -> [LintRule.Severity: Int] {
        var left = maximumPerFile
        var room: [LintRule.Severity: Int] = [:]
        for severity in LintRule.Severity.allCases {
            room[severity] = min(left, number[severity, default: 0])
            left -= room[severity, default: 0]
        }
        return room
    }
}

/// A problem at a place in a file, as every output format prints it.
struct Finding {
    let file: String
    /// Line and column, counted from 1.
    let position: LineMap.Position
    let rule: String
    let severity: LintRule.Severity
    let message: String
    /// The line around the place; nil if it would not help.
    let excerpt: LineMap.Excerpt?

    /// The longest part of a line to show, so that a file of one line stays readable.
    static let excerptWidth = 100
}
