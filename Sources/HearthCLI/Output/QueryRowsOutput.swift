// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// Prints the rows of answers alone, one a line, for programs. Errors go to standard error.
struct QueryRowsOutput {
    /// `plain`, `csv` or `ndjson`.
    let format: RowFormat
    var namesOnly = false
    private var writer = JSONWriter()

    init(_ format: RowFormat) {
        self.format = format
    }

    mutating func write(_ answer: QueryAnswer, to output: Output) {
        switch answer.outcome {
        case .result(let run):
            if run.result.aggregates.isEmpty { write(run, answer, to: output) } else { aggregates(run, answer, output) }
        case .plan, .scan: break
        case .invalid(let error): report(.invalidArgument, error.message)
        case .failed(let error): report(error.status, error.message)
        case .missingIndex(let error):
            report(.failedPrecondition, error.message(in: answer.named))
            if !error.isBuilding { Diagnostics.write("hearth: add \(error.fixNode(answer.catalog).text())") }
        }
    }

    private func report(_ status: StatusCode, _ message: String) {
        Diagnostics.write("hearth: \(status.name): \(message)")
    }

    private mutating func write(_ run: QueryRun, _ answer: QueryAnswer, to output: Output) {
        let columns = format == .csv && !namesOnly ? Set(run.documents.flatMap { $0.fields.map(\.name) }).sorted() : []
        if format == .csv { output.line(CSV.line(["__name__"] + columns.map(\.string))) }
        for document in run.documents {
            if namesOnly {
                let name = document.path.description
                output.line(format == .csv ? CSV.line([name]) : name)
                continue
            }
            switch format {
            case .csv: output.line(CSV.line(document.path, document.fields, columns: columns))
            case .plain:
                PlainOutput.write(document.path, document.fields, to: &writer)
                output.line(&writer)
            default:
                DocumentJSON.write(document.path, document.fields, to: &writer, database: answer.database)
                output.line(&writer)
            }
        }
    }

    private mutating func aggregates(_ run: QueryRun, _ answer: QueryAnswer, _ output: Output) {
        let rows = zip(answer.aggregateNames(run), run.result.aggregates).map { ($0, $1.value) }
        guard format != .csv else {
            output.line(CSV.line(rows.map(\.0)))
            return output.line(CSV.line(rows.map { CSV.cell($0.1) }))
        }
        writer.beginObject()
        for (name, value) in rows {
            writer.key(name)
            if format == .plain {
                writer.node(PlainOutput.node(value))
            } else {
                ValueJSON.write(value, to: &writer, database: answer.database)
            }
        }
        writer.endObject()
        output.line(&writer)
    }
}

extension QueryAnswer {
    /// The aliases that the query gives, and for aggregations without one what they are: `count`, `sum(population)`.
    func aggregateNames(_ run: QueryRun) -> [String] {
        let aliases = run.result.aggregates.map(\.alias.string)
        guard case .success(.aggregation(let query)) = input.request, query.aggregations.count == aliases.count else {
            return aliases
        }
        return zip(query.aggregations, aliases).map { aggregation, alias in
            guard aggregation.alias == nil else { return alias }
            switch aggregation.kind {
            case .count: return "count"
            case .sum(let path): return "sum(\(path.wire))"
            case .average(let path): return "average(\(path.wire))"
            }
        }
    }
}
