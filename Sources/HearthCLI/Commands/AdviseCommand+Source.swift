// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import QuerySource

extension AdviseCommand {
    /// Reads the queries of programs. Says how many it could not follow. A silenced query asks for nothing, but what the
    /// catalog has for it is used.
    func readSource(into log: inout Log, _ database: DatabaseID, _ catalog: IndexCatalog) throws {
        var unresolved = 0
        let isComplete = try SourceFile.forEach(source) { file in
            for site in file.report.sites {
                if !site.unresolved.isEmpty {
                    if !site.isSilenced { unresolved += 1 }
                    log.open = site.openGroups.flatMap { log.open?.union($0.map { Text($0) }) }
                }
                for query in site.queries {
                    if site.isSilenced {
                        guard case .plan = QueryAnswer.Outcome.plan(query.requests, catalog, database, nil) else {
                            continue
                        }
                    }
                    log.count += 1
                    do throws(InvalidQueryError) {
                        for request in query.requests { try log.advisor.add(request, database: database) }
                    } catch {
                        log.refused += 1
                        let line = file.lines.position(of: site.offset).line
                        Diagnostics.write(
                            "hearth: warning: \(file.path):\(line): skipped, because no index helps: \(error.message)")
                    }
                }
            }
        }
        guard isComplete else { throw ExitCode.couldNotRun }
        log.unresolved = unresolved
        guard unresolved > 0 else { return }
        Diagnostics.write(
            "hearth: warning: \(Numbers.counted(unresolved, "query site")) could not be followed; hearth check --source "
                + "lists them")
    }

    /// Says which entries stay because of queries that could not be followed.
    func reportSpared(_ edit: AdvisedEdit, _ log: Log) {
        guard !edit.spared.isEmpty else { return }
        let names = edit.spared.map(\.string).sorted().map { "\"\($0)\"" }.joined(separator: " and ")
        Diagnostics.write(
            log.open == nil
                ? "hearth: nothing is removed: a query site whose collection is not known may need it"
                : "hearth: nothing of \(names) is removed: query sites that could not be followed may need it")
    }
}
