// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import QueryPlanner
import TestSupport

extension FuzzProperty {
    /// Pages that each start after the last row of the previous one, `__name__` included, make up the whole result,
    /// with each document once.
    static let pages = FuzzProperty("pages") { subject, request, random in
        guard let (query, whole) = try whole(subject, request.query) else { return nil }
        var found: [DocumentPath] = []
        var page = query
        while true {
            page.limit = random.int(1..<8)
            guard let rows = try subject.documents(of: page, "page") else { return "a page is refused: \(page)" }
            found += rows.map(\.path)
            guard let last = rows.last, found.count <= whole.count else { break }
            page.start = Cursor(query.orders.map { value(last, $0.path, subject) }, before: false)
        }
        return found == whole.map(\.path) ? nil : "the whole is \(whole.map(\.path)), its pages \(found)"
    }

    /// Pages by values of fields alone skip rows that equal the last row in all of them.
    static let pagesByValues = FuzzProperty("pages by values") { subject, request, random in
        guard let (query, whole) = try whole(subject, request.query), query.orders.count > 1 else { return nil }
        let fields = query.orders.dropLast().map(\.path)
        let count = random.int(1..<fields.count + 1)
        var rest = whole[...]
        var page = query
        while true {
            page.limit = random.int(1..<8)
            guard let rows = try subject.documents(of: page, "page") else { return "a page is refused: \(page)" }
            let expected = rest.prefix(page.limit!)
            if rows.map(\.path) != expected.map(\.path) {
                return "the page \(page) is \(rows.map(\.path)), expected \(expected.map(\.path))"
            }
            guard let last = rows.last else { return nil }
            let values = fields.prefix(count).map { value(last, $0, subject) }
            page.start = Cursor(values, before: false)
            rest = rest.dropFirst(expected.count).drop { row in
                zip(fields, values).allSatisfy { NaiveOrder.compare(value(row, $0, subject), $1) == 0 }
            }
        }
    }

    private static func value(_ row: Document, _ path: FieldPath, _ subject: FuzzSubject) -> Value {
        if path.isDocumentName {
            return .reference(Reference(database: subject.engine.database, path: row.path.resource))
        }
        guard let value = row.fields[path] else { preconditionFailure("\(row.path) lacks \(path), which orders it") }
        return value
    }
}
