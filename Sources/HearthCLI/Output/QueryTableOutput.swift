// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// Prints answers for people: rows as a table, the plan as a tree, a missing index with its fix.
struct QueryTableOutput {
    /// Whether to print the rows, not only the plan.
    var rows = true
    var namesOnly = false
    var explain = false
    var analyze = false
    /// Whether to print each query's ID above its answer, because there are several queries.
    var showsHeadlines = false
    private let style = Style.of(System.standardOutput)
    private let width = Screen.width

    init() {}

    func write(_ answer: QueryAnswer, to output: Output) {
        if showsHeadlines { writeHeadline(answer.input, to: output) }
        switch answer.outcome {
        case .result(let run):
            if rows { writeRows(run, answer, to: output) }
            if explain || analyze {
                write(run.result.execution, ran: true, isServed: !run.result.wasScanned, to: output)
            }
            output.line(style.dim(counters(run.result, run.time)))
            if let production = run.production { output.line(style.dim(counters(production))) }
        case .plan(let plan): write(plan.execution, ran: false, to: output)
        case .scan(let error): output.line("Served without an index: \(error.scanSentence)")
        case .invalid(let error): writeError(.invalidArgument, error.message, to: output)
        case .failed(let error): writeError(error.status, error.message, to: output)
        case .missingIndex(let error): write(error, answer, to: output)
        }
        if showsHeadlines { output.line() }
    }

    private func writeHeadline(_ input: QueryInput, to output: Output) {
        let id = input.id.map { $0.string ?? $0.text() } ?? ""
        output.line(style.bold(id) + (input.text.map { " \(style.cyan($0))" } ?? ""))
    }

    // MARK: Rows

    private func writeRows(_ run: QueryRun, _ answer: QueryAnswer, to output: Output) {
        guard run.result.aggregates.isEmpty else {
            let names = answer.aggregateNames(run).map(\.printable)
            let widest = names.reduce(0) { max($0, $1.displayWidth) }
            for (alias, (_, value)) in zip(names, run.result.aggregates) {
                let space = String(repeating: " ", count: widest - alias.displayWidth)
                output.line("\(style.bold(alias))\(space)  \(ValueText.cell(value))")
            }
            return
        }
        guard !run.documents.isEmpty else {
            output.line(style.dim("no documents"))
            return
        }
        let columns = namesOnly ? [] : QueryTableOutput.columns(run)
        let numeric = columns.indices.filter { column in
            run.documents.allSatisfy { ValueText.isNumber($0.fields[columns[column]]) }
        }
        var table = TextTable(["document"] + columns.map(\.wire), numeric: Set(numeric.map { $0 + 1 }))
        for document in run.documents {
            table.add([document.path.description] + columns.map { ValueText.cell(document.fields[$0]) })
        }
        for line in table.lines(width: width, style) { output.line(line) }
    }

    /// The fields of the projection in its order; otherwise every field that occurs, ordered by name.
    private static func columns(_ run: QueryRun) -> [FieldPath] {
        if let projection = run.result.plan.query.query.projection {
            return projection.filter { !$0.isDocumentName }
        }
        var names: Set<Text> = []
        for document in run.documents { for field in document.fields { names.insert(field.name) } }
        return names.sorted().map { FieldPath(name: $0) }
    }

    private func counters(_ result: QueryResult, _ time: Duration) -> String {
        let counters = result.counters
        var parts = [
            result.aggregates.isEmpty ? Numbers.counted(counters.rows, "row") : nil,
            "\(Numbers.counted(counters.entriesScanned, "entry", "entries")) scanned",
            "\(Numbers.counted(counters.documentsRead, "document")) read",
            Numbers.counted(counters.seeks, "seek"),
        ].compactMap { $0 }
        if counters.documentsRejected > 0 {
            parts.append("\(Numbers.counted(counters.documentsRejected, "document")) rejected")
        }
        if analyze || !rows, counters.bytesRead > 0 { parts.append(Numbers.bytes(counters.bytesRead)) }
        parts.append(Numbers.time(time))
        return parts.joined(separator: " · ")
    }

    private func counters(_ production: ProductionCounters) -> String {
        [
            "production: \(Numbers.counted(production.indexEntriesScanned, "entry", "entries")) scanned",
            "\(Numbers.counted(production.documentsScanned, "document")) read",
            "\(Numbers.counted(production.readOperations, "read operation")) billed",
        ].joined(separator: " · ")
    }

    // MARK: Plans

    /// - Parameter isServed: whether production runs the query.
    private func write(_ execution: ExecutionPlan, ran: Bool, isServed: Bool = true, to output: Output) {
        if rows { output.line() }
        let production = execution.plan.explanation
        let executed = execution.explanation
        if !isServed || production == executed {
            writeTree(executed, to: output)
        } else {
            output.line(style.bold(ran ? "What ran" : "What Hearth runs"))
            writeTree(executed, to: output)
            output.line()
            output.line(style.bold("What production runs"))
            writeTree(production, to: output)
        }
        if !rows, isServed { writeIndexes(execution.plan, to: output) }
    }

    private func writeTree(_ node: PlanNode, to output: Output) {
        for line in PlanTree(width: width, style).lines(node) { output.line(line) }
    }

    private func writeIndexes(_ plan: QueryPlan, to output: Output) {
        output.line()
        output.line(style.bold("Indexes that production uses"))
        var counts: [(use: IndexUse, count: Int)] = []
        for use in plan.indexesUsed {
            if let known = counts.firstIndex(where: { $0.use == use }) {
                counts[known].count += 1
            } else {
                counts.append((use, 1))
            }
        }
        for (use, count) in counts {
            output.line("  \(use.queryScope.lowercased()) \(use.properties)\(count > 1 ? " × \(count)" : "")")
        }
        if counts.isEmpty { output.line("  none") }
    }

    // MARK: Errors

    private func writeError(_ status: StatusCode, _ message: String, to output: Output) {
        output.line("\(style.red(status.name)): \(message)")
    }

    private func write(_ error: MissingIndexError, _ answer: QueryAnswer, to output: Output) {
        writeError(.failedPrecondition, error.message(in: answer.named), to: output)
        if let closest = error.closestIndex(in: answer.catalog) {
            output.line()
            output.line(style.bold("The closest index does not serve it"))
            output.line("  \(properties(closest.index))")
            output.line("  \(closest.reason)")
        }
        guard !error.isBuilding else { return }
        output.line()
        output.line(style.bold("Add this to firestore.indexes.json"))
        for line in error.fixNode(answer.catalog).text(.indented).split(separator: "\n") { output.line("  \(line)") }
        if error.isVector {
            output.line()
            output.line("Or create it in the console: \(error.link(in: answer.named).url)")
        }
    }
}
