// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import JSONText
import QueryPlanner

extension FuzzCase: CustomStringConvertible {
    /// Text that the command line reads: documents as NDJSON, indexes as an index file, the query in Firestore's REST
    /// form.
    var description: String {
        let database = DatabaseID(project: "hearth")
        var query = JSONWriter()
        QueryJSON.write(request, to: &query, database: database)
        let steps = history.enumerated().map { number, step in "--- then, step \(number + 1)\n\(step.text(database))\n"
        }
        return """
            --- documents.ndjson
            \(FuzzCase.lines(documents, database))
            --- firestore.indexes.json
            \(ConfigurationWriter.text(indexes))\(steps.joined())--- query.json
            \(query.string)
            """
    }

    fileprivate static func lines(_ documents: [DocumentPath: Fields], _ database: DatabaseID) -> String {
        var writer = JSONWriter()
        for (path, fields) in documents.sorted(by: { $0.key < $1.key }) {
            DocumentJSON.write(path, fields, to: &writer, database: database)
            writer.newline()
        }
        return writer.string
    }
}

extension FuzzStep {
    fileprivate func text(_ database: DatabaseID) -> String {
        switch self {
        case .indexes(let configuration): "the indexes become\n\(ConfigurationWriter.text(configuration))"
        case .writes(let writes): "one commit of\n" + writes.map { $0.text(database) }.joined()
        }
    }
}

extension Write {
    fileprivate func text(_ database: DatabaseID) -> String {
        switch operation {
        case .delete: "delete \(path)\n"
        case .verify: "verify \(path)\n"
        case .update(let fields, let mask, let transforms):
            "update\(mask.map { " of \($0.map(\.wire))" } ?? "")"
                + (transforms.isEmpty ? "" : " with \(transforms)") + " \(FuzzCase.lines([path: fields], database))"
        }
    }
}
