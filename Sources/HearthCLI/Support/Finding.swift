// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// Something wrong at a place of a file, in the form that every output format prints.
struct Finding {
    let file: String
    /// Line and column count from 1.
    let position: LineMap.Position
    let rule: String
    let severity: LintRule.Severity
    let message: String
    /// The line around the place; nil where it would help nobody.
    let excerpt: LineMap.Excerpt?

    /// At most this much of a line is shown, so that a file in one line stays readable.
    static let excerptWidth = 100
}

/// An index configuration with what is wrong with it.
struct ConfigurationFile {
    let configuration: IndexConfiguration
    let findings: [Finding]
    let source: [UInt8]

    /// Throws only for a file that cannot be read; what is in it is judged by ``findings``.
    init(_ path: String, appendingNameBy rule: NameDirectionRule = .backend) throws(CommandFailure) {
        source = try InputFile.contents(path)
        let (configuration, findings) = ConfigurationReader.read(source, appendingNameBy: rule)
        self.configuration = configuration
        let lines = findings.isEmpty ? nil : LineMap(source)
        self.findings = findings.map { finding in
            let position = lines!.position(of: finding.offset)
            return Finding(
                file: path == "-" ? "<stdin>" : path, position: position, rule: finding.rule.id,
                severity: finding.rule.severity, message: finding.message,
                excerpt: lines!.excerpt(at: finding.offset, width: Finding.excerptWidth))
        }
    }

    /// A piece of a file with field overrides alone, as the fix of a missing index is, is a configuration all the same.
    private func isAboutMissingIndexes(_ finding: Finding) -> Bool {
        guard finding.rule == "missing-key", let root = try? JSONParser.parse(source, .withComments),
            root["fieldOverrides"] != nil
        else { return false }
        return LineMap(source).position(of: root.offset) == finding.position
    }

    /// The configuration of a file that must be free of errors; else they are printed to standard error.
    static func sound(
        _ path: String, appendingNameBy rule: NameDirectionRule = .backend
    ) throws -> ConfigurationFile {
        let file = try ConfigurationFile(path, appendingNameBy: rule)
        let errors = file.findings.filter { $0.severity == .error && !file.isAboutMissingIndexes($0) }
        guard !errors.isEmpty else { return file }
        let printer = TextFindings(Style.of(System.standardError))
        for finding in errors { Diagnostics.write(printer.text(finding)) }
        let count = Numbers.counted(errors.count, "error")
        throw CommandFailure("\"\(path)\" has \(count), so it was not used; hearth validate tells more")
    }
}
