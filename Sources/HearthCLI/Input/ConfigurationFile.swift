// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText

/// An index configuration and its lint findings.
struct ConfigurationFile {
    let path: String
    let source: [UInt8]
    let edition: Edition
    let settings: RuleSettings
    let configuration: IndexConfiguration
    let findings: [LintFinding]

    /// Throws only if the file cannot be read, or is a `firebase.json`. Problems in it are in ``findings``.
    ///
    /// - Parameters:
    ///   - edition: nil for that of `firebase.json`.
    ///   - settings: nil for those of `.hearth.json`.
    ///   - isListing: whether it is a listing, which is an empty array if the database has no indexes.
    init(
        _ path: String, appendingNameBy rule: NameDirectionRule = .backend, edition: Edition? = nil,
        settings: RuleSettings? = nil, isListing: Bool = false
    ) throws(CommandFailure) {
        self.path = path
        if let settings { self.settings = settings } else { self.settings = try RuleSettings.read(nil) }
        let source = try InputFile.contents(path)
        self.source = isListing && IndexListing.isEmpty(source) ? Array(#"{"indexes":[]}"#.utf8) : source
        self.edition = edition ?? Edition.of(path, self.settings)
        let known = ConfigurationReader.read(self.source, appendingNameBy: rule, for: self.edition)
        findings = known.findings
        if let failure = ConfigurationFile.projectFailure(path, source, findings) { throw failure }
        let harmless = self.settings.harmless
        configuration =
            harmless.isEmpty
            ? known.configuration
            : ConfigurationReader.read(self.source, appendingNameBy: rule, for: self.edition, except: harmless)
                .configuration
    }

    /// The index file of a project, unless its `firebase.json` names another.
    static let usualName = "firestore.indexes.json"

    /// What to say of a `firebase.json`, which names the index file; nil for any other file.
    private static func projectFailure(_ path: String, _ source: [UInt8], _ findings: [LintFinding]) -> CommandFailure?
    {
        guard findings.contains(where: { $0.severity == .error }),
            let root = try? JSONParser.parse(source, .withComments), FirebaseProject.isOne(root)
        else { return nil }
        let folder = InputFile.folder(of: path)
        let names = FirebaseProject(root).databases.compactMap(\.indexes).map { "\"\(folder)\($0)\"" }
        let advice =
            switch names.count {
            case 0: "it names no index file: \"indexes\" of its \"firestore\" does"
            case 1: "its index file is \(names[0]): give that"
            default: "its index files are \(names.joined(separator: ", ")): give one of them"
            }
        return CommandFailure("\"\(path)\" is a firebase.json; \(advice)")
    }

    /// For commands that judge by the file, or do what it says: where it contradicts itself, no answer is right.
    func warnOfContradictions() {
        let repeated = findings.filter { $0.rule.id == "duplicate-override" && settings.severity(of: $0) != nil }
        guard !repeated.isEmpty else { return }
        let places = ConfigurationReader.contradictions(in: source, for: edition)
        let contradictions = repeated.filter { places.contains($0.offset) }
        let (lines, name) = (LineMap(source), path == "-" ? "<stdin>" : path)
        for finding in contradictions.prefix(10) {
            let line = lines.position(of: finding.offset).line
            Diagnostics.write("hearth: warning: \(name):\(line): \(finding.message). Here, the last one counts")
        }
        guard contradictions.count > 10 else { return }
        let rest = Numbers.counted(contradictions.count - 10, "more such override")
        Diagnostics.write("hearth: warning: \(name) has \(rest); hearth validate lists them")
    }

    /// - Throws: if the file is in a form into which nothing is added.
    func expectEditable() throws(CommandFailure) {
        guard ConfigurationForm.of(source) != .json else { return }
        throw CommandFailure(
            "\"\(path)\" cannot be edited, as it is no JSON; hearth convert --to json makes an index file of it")
    }

    /// Reads a configuration that must be free of errors. Prints errors to standard error and throws.
    static func valid(
        _ path: String, appendingNameBy rule: NameDirectionRule = .backend, edition: Edition? = nil
    ) throws -> ConfigurationFile {
        let file = try ConfigurationFile(path, appendingNameBy: rule, edition: edition)
        if !file.errors.isEmpty { throw file.report(file.errors) }
        return file
    }

    /// Reads a configuration whose entries with errors are left out: they are printed to standard error, and the caller
    /// ends with ``endAsRead()``. Throws if more than entries is wrong.
    static func usable(
        _ path: String, appendingNameBy rule: NameDirectionRule = .backend, edition: Edition? = nil,
        isListing: Bool = false
    ) throws -> ConfigurationFile {
        let file = try ConfigurationFile(path, appendingNameBy: rule, edition: edition, isListing: isListing)
        let errors = file.errors
        guard !errors.isEmpty else { return file }
        let entries = file.entries
        let failure = file.report(errors)
        guard errors.allSatisfy({ error in entries.contains { $0.contains(error.offset) } }) else { throw failure }
        Diagnostics.write("hearth: \"\(path)\" has \(file.count(errors)); the entries without them were used")
        return file
    }

    /// Ends with 1 if entries were left out.
    func endAsRead() throws {
        if !errors.isEmpty { throw ExitCode.found }
    }

    /// The canonical form, with the same bytes on a terminal and in a file.
    static func canonical(_ configuration: IndexConfiguration) -> [UInt8] {
        ControlCharacters.escaped(Array(ConfigurationWriter.text(configuration).utf8))
    }

    private func report(_ errors: [LintFinding]) -> CommandFailure {
        var list = FindingList()
        list.add(errors, path: path, source: source, settings)
        let printer = TextFindings(Style.of(System.standardError))
        for line in list.findings.flatMap(printer.lines) { Diagnostics.write(line) }
        return CommandFailure("\"\(path)\" has \(count(errors)), so it was not used; hearth validate tells more")
    }

    private func count(_ errors: [LintFinding]) -> String { Numbers.counted(errors.count, "error") }

    /// The places of the elements of `indexes` and `fieldOverrides`, and of what stands for such and is left out.
    private var entries: [Range<Int>] {
        var commas: [Int] = []
        let known = try? ConfigurationForm.read(source, notingTrailingCommas: &commas)
        let elements = ["indexes", "fieldOverrides"].flatMap { known?.root[$0]?.elements ?? [] }
        // An error at a comma concerns no entry, but costs none either.
        let unreadable = known?.unreadable ?? []
        return elements.map(\.range) + unreadable.map(\.range) + commas.map { $0..<$0 + 1 }
    }

    private var errors: [LintFinding] {
        let errors = findings.filter { settings.severity(of: $0) == .error }
        guard !errors.isEmpty, let root = try? JSONParser.parse(source, .withComments), root["fieldOverrides"] != nil
        else { return errors }
        // A part of a file with only field overrides, such as the fix of a missing index, is a configuration too.
        return errors.filter { $0.rule.id != "missing-key" || $0.offset != root.offset }
    }
}
