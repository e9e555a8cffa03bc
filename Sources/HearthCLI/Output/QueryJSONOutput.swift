// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// Prints one line of JSON per answer, for programs.
struct QueryJSONOutput {
    /// Whether to print the rows, not only the plan.
    var rows = true
    var namesOnly = false
    var explain = false
    var analyze = false
    private var writer = JSONWriter()

    init() {}

    mutating func write(_ answer: QueryAnswer, to output: Output) {
        writer.beginObject()
        if let id = answer.input.id {
            writer.key("id")
            writer.node(id)
        }
        switch answer.outcome {
        case .result(let run):
            if rows { writeRows(run, answer) }
            if explain || analyze { writePlan(run.result.execution, isServed: !run.result.wasScanned) }
            if analyze {
                writer.key("stats")
                run.result.writeStatistics(run.time, run.production, to: &writer)
            }
        case .plan(let plan): writePlan(plan.execution)
        case .scan(let error):
            writer.key("scan")
            writer.boolean(true)
            writer.key("index")
            writer.node(ConfigurationWriter.node(error.definition))
        case .invalid(let error): writeError(.invalidArgument, error.message)
        case .failed(let error): writeError(error.status, error.message)
        case .missingIndex(let error): writeMissing(error, answer)
        }
        writer.endObject()
        output.line(&writer)
    }

    private mutating func writeRows(_ run: QueryRun, _ answer: QueryAnswer) {
        if !run.result.aggregates.isEmpty {
            writer.key("aggregates")
            writer.beginObject()
            for (alias, value) in run.result.aggregates {
                writer.key(alias.string)
                ValueJSON.write(value, to: &writer, database: answer.database)
            }
            writer.endObject()
            return
        }
        writer.key(namesOnly ? "names" : "documents")
        writer.beginArray()
        for document in run.documents {
            if namesOnly { writer.string(document.path.description) } else { write(document, answer.database) }
        }
        writer.endArray()
    }

    private mutating func write(_ document: Document, _ database: DatabaseID) {
        writer.beginObject()
        writer.key("name")
        writer.string(document.path.description)
        writer.key("fields")
        ValueJSON.writeFields(document.fields, to: &writer, database: database)
        writer.key("createTime")
        writer.string(document.createTime.description)
        writer.key("updateTime")
        writer.string(document.updateTime.description)
        writer.endObject()
    }

    private mutating func writePlan(_ plan: ExecutionPlan, isServed: Bool = true) {
        writer.key("plan")
        plan.writeExplanation(to: &writer, isServed: isServed)
    }

    private mutating func writeError(_ status: StatusCode, _ message: String) {
        writer.key("error")
        writer.beginObject()
        writer.writeStatus(status, message)
        writer.endObject()
    }

    private mutating func writeMissing(_ error: MissingIndexError, _ answer: QueryAnswer) {
        writer.key("error")
        writer.beginObject()
        writer.writeStatus(.failedPrecondition, error.message(in: answer.named))
        writer.key("missingIndex")
        writer.node(error.indexNode)
        writer.key("createUrl")
        writer.string(error.link(in: answer.named).url)
        writer.key("fix")
        writer.node(error.fixNode(answer.catalog))
        error.writeClosest(in: answer.catalog, to: &writer)
        writer.endObject()
    }
}
