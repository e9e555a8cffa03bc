// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import QuerySource

/// `hearth check --source`: the verdict on each query in programs.
struct SourceCheck {
    private let command: CheckCommand
    private let format: FindingFormat
    private let database: DatabaseID

    init(_ command: CheckCommand) {
        self.command = command
        format = command.format ?? (System.isTerminal(System.standardOutput) ? .text : .json)
        database = DatabaseID(project: Text(command.project ?? "hearth"))
    }

    func run() throws {
        var indexes = try CheckedIndexes(command.indexes, command.edition.edition)
        let baseline = try SourceBaseline.read(command.updateBaseline ? nil : command.baseline)
        let rules = try command.rules.map { try RulesVerdict(rules: $0) }
        var files: [SourceFile] = []
        let isComplete = try SourceFile.forEach(command.source) { files.append($0) }
        if command.fix, let file = indexes.file { indexes.use(try fixed(file, indexes.edition, files)) }
        let printer = SourcePrinter(format, indexes, database, baseline, rules)
        for file in files {
            for site in file.report.sites where !site.isSilenced { printer.write(site, in: file) }
        }
        printer.finish()
        if command.updateBaseline, let path = command.baseline { try printer.found.write(path) }
        if !isComplete { throw ExitCode.couldNotRun }
        guard !command.updateBaseline else { return }
        let tolerated = printer.unresolved + printer.scans + printer.denied
        if printer.refused > 0 || (command.strict && tolerated > 0) { throw ExitCode.found }
    }

    /// Adds what is missing to the index file; gives what it defines then.
    private func fixed(
        _ file: ConfigurationFile, _ edition: Edition, _ sources: [SourceFile]
    ) throws -> IndexConfiguration {
        guard edition == .standard else {
            Diagnostics.write("hearth: the \(edition.rawValue) edition refuses no query for its index: nothing to add")
            return file.configuration
        }
        var growing = GrowingConfiguration(file.configuration)
        for site in sources.flatMap(\.report.sites) where !site.isSilenced {
            for request in site.queries.flatMap(\.requests) { _ = growing.serve(request, database: database) }
        }
        let added = growing.added
        guard !added.isEmpty else { return growing.configuration }
        try file.expectEditable()
        do {
            try OutputFile.replace(file.path, try ConfigurationEditor.adding(added, to: file.source))
        } catch let error as JSONSyntaxError {
            throw CommandFailure("\"\(file.path)\": \(error.message)")
        }
        let count = added.indexes.count + added.fieldOverrides.count
        Diagnostics.write("hearth: \"\(file.path)\": \(Numbers.counted(count, "definition")) added")
        return growing.configuration
    }
}
