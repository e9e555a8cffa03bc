// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import SyncCore

/// A query whose rows are found without SyncCore: documents of one collection with a number, in its order.
struct ModelQuery {
    let query: SyncQuery
    private let path: DocumentPath?
    private let least: Int64?
    private let limit: Int?
    private let takesLast: Bool
    private let isDescending: Bool

    /// One document.
    init(_ path: DocumentPath) {
        query = SyncQuery(document: path)
        self.path = path
        (least, limit, takesLast, isDescending) = (nil, nil, false, false)
    }

    /// Documents of `c` whose `n` is at least `least`, or all that have an `n`, ordered by it.
    init(least: Int64?, limit: Int? = nil, takesLast: Bool = false, isDescending: Bool = false) throws {
        var written = Query(
            from: CollectionSelector(collectionID: "c"),
            orders: [Order(FieldPath(name: "n"), isDescending ? .descending : .ascending)])
        if let least { written.filter = .field(FieldPath(name: "n"), .greaterThanOrEqual, .integer(least)) }
        written.limit = limit
        written.limitToLast = takesLast
        query = try SyncQuery(written, database: ScenarioForm.database)
        path = nil
        (self.least, self.limit, self.takesLast, self.isDescending) = (least, limit, takesLast, isDescending)
    }

    /// The rows, in order.
    func rows(of documents: some Sequence<SyncDocument>) -> [SyncDocument] {
        if let path { return documents.filter { $0.path == path && $0.isFound } }
        let rows = documents.compactMap { document -> (n: Int64, document: SyncDocument)? in
            guard case .integer(let n)? = document.fields?[Text("n")], n >= least ?? .min else { return nil }
            return (n, document)
        }
        var sorted = rows.sorted { ($0.n, "\($0.document.path)") < ($1.n, "\($1.document.path)") }.map(\.document)
        if isDescending { sorted.reverse() }
        guard let limit else { return sorted }
        return takesLast ? sorted.suffix(limit) : Array(sorted.prefix(limit))
    }
}

/// What writes make of a document, written anew for the tests.
enum ModelWrite {
    /// The fields afterwards; nil for none. A condition that fails changes nothing.
    static func apply(_ write: Write, to fields: Fields?) -> Fields? {
        if case .exists(let wanted)? = write.precondition, wanted != (fields != nil) { return fields }
        guard case .update(let new, let mask, let transforms) = write.operation else { return nil }
        var result = mask == nil ? Fields.empty : fields ?? .empty
        for name in mask.map({ $0.map { $0.segments[0] } }) ?? new.map(\.name) { result[name] = new[name] }
        for transform in transforms {
            guard case .increment(.integer(let step)) = transform.operation else { continue }
            let name = transform.path.segments[0]
            if case .integer(let old)? = result[name] {
                result[name] = .integer(old + step)
            } else {
                result[name] = .integer(step)
            }
        }
        return result
    }

    static func meets(_ write: Write, _ fields: Fields?) -> Bool {
        if case .exists(let wanted)? = write.precondition { wanted == (fields != nil) } else { true }
    }
}
