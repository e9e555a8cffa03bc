// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import JSONText

/// Prints answers in a format.
final class AnswerPrinter {
    let output: Output
    private var json = QueryJSONOutput()
    private var table = QueryTableOutput()
    private var rows: QueryRowsOutput
    private let format: RowFormat

    init(_ format: RowFormat) {
        self.format = format
        output = Output(asData: format == .csv)
        rows = QueryRowsOutput(format)
    }

    /// Prints names of documents only.
    var namesOnly = false {
        didSet { (json.namesOnly, table.namesOnly, rows.namesOnly) = (namesOnly, namesOnly, namesOnly) }
    }

    /// Prints plans too.
    var explains = false {
        didSet { (json.explain, table.explain) = (explains, explains) }
    }

    /// Prints plans and what running them took.
    var analyzes = false {
        didSet { (json.analyze, table.analyze) = (analyzes, analyzes) }
    }

    /// Prints each query above its answer.
    var showsHeadlines = false {
        didSet { table.showsHeadlines = showsHeadlines }
    }

    func write(_ answer: QueryAnswer) {
        if case .result(let run) = answer.outcome, run.result.wasScanned {
            let id = answer.input.id.map { " \($0.string ?? $0.text())" } ?? ""
            Diagnostics.write(
                "hearth: warning: query\(id) has no index and ran by scanning; production would refuse it")
        }
        switch format {
        case .table: table.write(answer, to: output)
        case .json: json.write(answer, to: output)
        case .plain, .csv, .ndjson: rows.write(answer, to: output)
        }
    }
}
