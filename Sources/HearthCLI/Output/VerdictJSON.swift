// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import SecurityRules

/// Whether a query is served, as members of a JSON object.
struct VerdictJSON {
    private let catalog: IndexCatalog
    private let database: DatabaseID

    init(_ catalog: IndexCatalog, _ database: DatabaseID) {
        self.catalog = catalog
        self.database = database
    }

    /// - Parameters:
    ///   - verdict: what rules say of the query, if there are any.
    ///   - applies: whether they are asked about it.
    func write(
        _ outcome: QueryAnswer.Outcome, _ verdict: QueryJudge.Verdict?, applies: Bool = true,
        to writer: inout JSONWriter
    ) {
        write(outcome, to: &writer)
        guard let verdict else { return }
        writer.key("rules")
        writer.node(RulesVerdict.node(verdict, applies: applies))
    }

    private func write(_ outcome: QueryAnswer.Outcome, to writer: inout JSONWriter) {
        writer.key("served")
        switch outcome {
        case .plan(let plan):
            writer.boolean(true)
            write(plan.indexesUsed, to: &writer)
        case .scan(let error):
            writer.boolean(true)
            write([], to: &writer)
            writer.key("scan")
            writer.boolean(true)
            writer.key("index")
            writer.node(ConfigurationWriter.node(error.definition))
        case .missingIndex(let error):
            writer.boolean(false)
            write(MissingIndexError.status, error.message(in: database), to: &writer)
            writer.key("missingIndex")
            writer.node(error.indexNode)
            writer.key("createUrl")
            writer.string(error.link(in: database).url)
            writer.key("fix")
            writer.node(error.fixNode(catalog))
            error.writeClosest(in: catalog, to: &writer)
        case .invalid(let error):
            writer.boolean(false)
            write(StatusCode.invalidArgument.name, error.message, to: &writer)
        case .result, .failed: writer.boolean(false)
        }
    }

    private func write(_ uses: [IndexUse], to writer: inout JSONWriter) {
        writer.key("indexesUsed")
        writer.beginArray()
        for use in uses {
            writer.beginObject()
            writer.key("queryScope")
            writer.string(use.queryScope == "Collection" ? "COLLECTION" : "COLLECTION_GROUP")
            writer.key("properties")
            writer.string(use.properties)
            writer.endObject()
        }
        writer.endArray()
    }

    private func write(_ status: String, _ message: String, to writer: inout JSONWriter) {
        writer.key("status")
        writer.string(status)
        writer.key("message")
        writer.string(message)
    }
}
