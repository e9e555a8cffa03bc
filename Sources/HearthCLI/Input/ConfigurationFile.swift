// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// An index configuration and its lint findings.
struct ConfigurationFile {
    let path: String
    let source: [UInt8]
    let configuration: IndexConfiguration
    let findings: [LintFinding]

    /// Throws only if the file cannot be read. Problems in it are in ``findings``.
    init(_ path: String, appendingNameBy rule: NameDirectionRule = .backend) throws(CommandFailure) {
        self.path = path
        source = try InputFile.contents(path)
        (configuration, findings) = ConfigurationReader.read(source, appendingNameBy: rule)
    }

    /// Reads a configuration that must be free of errors. Prints errors to standard error and throws.
    static func sound(
        _ path: String, appendingNameBy rule: NameDirectionRule = .backend
    ) throws -> ConfigurationFile {
        let file = try ConfigurationFile(path, appendingNameBy: rule)
        let errors = file.errors
        guard !errors.isEmpty else { return file }
        var list = FindingList()
        list.add(errors, of: file)
        let printer = TextFindings(Style.of(System.standardError))
        for line in list.findings.flatMap(printer.lines) { Diagnostics.write(line) }
        let count = Numbers.counted(errors.count, "error")
        throw CommandFailure("\"\(path)\" has \(count), so it was not used; hearth validate tells more")
    }

    /// The canonical form, with the same bytes on a terminal and in a file.
    static func canonical(_ configuration: IndexConfiguration) -> [UInt8] {
        ControlCharacters.escaped(Array(ConfigurationWriter.text(configuration).utf8))
    }

    private var errors: [LintFinding] {
        let errors = findings.filter { $0.rule.severity == .error }
        guard !errors.isEmpty, let root = try? JSONParser.parse(source, .withComments), root["fieldOverrides"] != nil
        else { return errors }
        // A part of a file with only field overrides, such as the fix of a missing index, is a configuration too.
        return errors.filter { $0.rule.id != "missing-key" || $0.offset != root.offset }
    }
}
