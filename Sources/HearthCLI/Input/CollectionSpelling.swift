// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

/// A query over a collection that does not exist has no rows, and production says no more. People want to know.
enum CollectionSpelling {
    /// Says on standard error that there is no such collection, and which there are.
    static func help(_ input: QueryInput, _ engine: Engine) throws(CommandFailure) {
        guard case .success(let request) = input.request, let id = request.query.from.collectionID,
            !request.query.from.allDescendants
        else { return }
        let known: [Text]
        do throws(EngineError) {
            known = try engine.collectionIDs(under: request.query.parent)
        } catch {
            // The query itself has reported what is wrong with the file.
            return
        }
        guard !known.contains(id) else { return }
        let place = request.query.parent.map { " under \($0)" } ?? ""
        let names = known.map(\.string)
        let list = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
        let nearest = nearestWord(to: id.string, among: names).map { "; did you mean \($0)?" } ?? ""
        Diagnostics.write(
            "hearth: there is no collection \"\(id)\"\(place)"
                + (names.isEmpty ? "" : "; there are \(list)") + nearest)
    }
}

extension RowFormat {
    var isRowsAlone: Bool { [.plain, .csv, .ndjson].contains(self) }
}
