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
        let file = try command.indexes.map { try ConfigurationFile.sound($0) }
        var configuration = file?.configuration ?? IndexConfiguration()
        if command.fix, let file { configuration = try fixed(file) }
        let baseline = try SourceBaseline.read(command.updateBaseline ? nil : command.baseline)
        let printer = SourcePrinter(
            format, IndexCatalog(configuration), database, baseline,
            try command.rules.map { try RulesVerdict(rules: $0) })
        let isComplete = try SourceFile.forEach(command.source) { file in
            for site in file.report.sites where !site.isSilenced { printer.write(site, in: file) }
        }
        printer.finish()
        if command.updateBaseline, let path = command.baseline { try printer.found.write(path) }
        if !isComplete { throw ExitCode.couldNotRun }
        guard !command.updateBaseline else { return }
        if printer.refused > 0 || (command.strict && printer.unresolved + printer.denied > 0) { throw ExitCode.found }
    }

    /// Adds what is missing to the index file; gives what it defines then.
    private func fixed(_ file: ConfigurationFile) throws -> IndexConfiguration {
        var configuration = file.configuration
        var added = IndexConfiguration()
        _ = try SourceFile.forEach(command.source) { source in
            for site in source.report.sites where !site.isSilenced {
                for request in site.queries.flatMap(\.requests) {
                    let missing = SourceCheck.missing(request, configuration, database)
                    configuration = configuration.adding(missing)
                    added = added.adding(missing)
                }
            }
        }
        guard !added.indexes.isEmpty || !added.fieldOverrides.isEmpty else { return configuration }
        do {
            try OutputFile.replace(file.path, try ConfigurationEditor.adding(added, to: file.source))
        } catch let error as JSONSyntaxError {
            throw CommandFailure("\"\(file.path)\": \(error.message)")
        }
        let count = added.indexes.count + added.fieldOverrides.count
        Diagnostics.write("hearth: \"\(file.path)\": \(Numbers.counted(count, "definition")) added")
        return configuration
    }

    /// The definitions with which a configuration serves a query; nothing if it does, or if none would.
    private static func missing(
        _ request: QueryRequest, _ configuration: IndexConfiguration, _ database: DatabaseID
    ) -> IndexConfiguration {
        var added = IndexConfiguration()
        // Each alternative of a query may lack an index of its own.
        for _ in 0..<30 {
            let catalog = IndexCatalog(configuration.adding(added))
            do throws(PlanningError) {
                _ = try Planner.plan(request, catalog: catalog, database: database)
                return added
            } catch {
                guard case .missingIndex(let missing) = error else { return added }
                added = added.adding(missing.fix(for: catalog))
            }
        }
        return added
    }
}
