// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import Foundation

/// SQLite by its C API, with prepared statements and the settings that suit it best, holding the documents in one of several
/// forms. All have an index for each of Hearth's.
struct SQLiteEngine: ReadEngine {
    enum Form: String, CaseIterable {
        /// JSON text and expression indexes, ordinary rows.
        case json = "SQLite JSON"
        /// Typed columns, the table ordered by the ID, which ends every index.
        case columns = "SQLite columns"
        /// Typed columns in ordinary rows, indexes ending with the ID.
        case rows = "SQLite columns, rowid"
    }

    let form: Form
    let database: SQLiteDatabase
    let dataset: Dataset
    var name: String { form.rawValue }

    init(_ form: Form, _ dataset: Dataset, at path: String) throws {
        self.form = form
        self.dataset = dataset
        database = try SQLiteDatabase(path)
        try database.execute("PRAGMA mmap_size = 1099511627776")
        try database.execute("PRAGMA cache_size = -262144")
    }

    // MARK: Loading

    static func load(_ form: Form, _ dataset: Dataset, into path: String) throws {
        let engine = try SQLiteEngine(form, dataset, at: path)
        try engine.create()
        try engine.insert()
        try engine.index()
        try engine.database.execute("ANALYZE")
        try engine.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The same with the indexes in place from the beginning, as a database in use has them.
    static func loadInTurn(_ form: Form, _ dataset: Dataset, into path: String) throws {
        let engine = try SQLiteEngine(form, dataset, at: path)
        try engine.create()
        try engine.index()
        try engine.insert()
        try engine.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The same for a dataset that is many times as large as the memory map's cache: nothing is synced until the end, and two
    /// gigabytes of cache keep the index of the IDs in memory while it grows.
    static func loadAtOnce(_ form: Form, _ dataset: Dataset, into path: String) throws {
        let engine = try SQLiteEngine(form, dataset, at: path)
        try engine.create()
        try engine.database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2097152")
        try engine.insert()
        try engine.index()
        try engine.database.execute("ANALYZE; PRAGMA journal_mode = WAL")
    }

    /// How a field is written in a statement.
    func expression(_ field: String) -> String {
        form == .json ? "json_extract(document, '$.\(field)')" : "\"\(field)\""
    }

    func create() throws {
        try database.execute("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA synchronous = FULL")
        let columns =
            form == .json
            ? "document TEXT NOT NULL"
            : dataset.columns.map { "\"\($0.name)\" \($0.type.rawValue)" }
                .joined(separator: ", ")
        let rows = form == .columns ? " WITHOUT ROWID" : ""
        try database.execute("CREATE TABLE documents(id TEXT PRIMARY KEY NOT NULL, \(columns))\(rows)")
        for array in dataset.arrays {
            try database.execute(
                "CREATE TABLE \"\(array)Elements\"(value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (value, id)) WITHOUT ROWID"
            )
        }
    }

    private func insert() throws {
        let places = (0...(form == .json ? 1 : dataset.columns.count)).map { "?\($0 + 1)" }.joined(separator: ", ")
        let statement = try database.statement("INSERT INTO documents VALUES (\(places))")
        let elements = try dataset.arrays.map {
            (name: $0, statement: try database.statement("INSERT OR IGNORE INTO \"\($0)Elements\" VALUES (?1, ?2)"))
        }
        try database.execute("BEGIN IMMEDIATE")
        for index in 0..<dataset.count {
            let document = dataset.document(index)
            try insert(document, statement, elements)
        }
        try database.execute("COMMIT")
    }

    func insert(
        _ document: BenchmarkDocument, _ statement: SQLiteStatement,
        _ elements: [(name: String, statement: SQLiteStatement)]
    ) throws {
        statement.bind(1, document.id)
        if form == .json {
            var json: [UInt8] = []
            Plain.map(document.fields).appendJSON(to: &json)
            statement.bind(2, text: json)
        } else {
            for (index, column) in dataset.columns.enumerated() {
                statement.bind(Int32(index + 2), document.fields.first { $0.name == column.name }?.value ?? .null)
            }
        }
        try statement.runOnce()
        for (name, statement) in elements {
            guard case .array(let values)? = document.fields.first(where: { $0.name == name })?.value else { continue }
            for value in values {
                statement.bind(1, value)
                statement.bind(2, document.id)
                try statement.runOnce()
            }
        }
    }

    func index() throws {
        // WITHOUT ROWID ends every index with the ID by itself.
        let end = form == .columns ? "" : ", id"
        for field in dataset.indexed {
            try database.execute("CREATE INDEX \"by \(field)\" ON documents(\(expression(field))\(end))")
        }
        for (number, fields) in dataset.composites.enumerated() {
            let parts = fields.map { expression($0.field) + ($0.descending ? " DESC" : "") }.joined(separator: ", ")
            let direction = fields.last?.descending == true ? " DESC" : ""
            let end = form == .columns && direction.isEmpty ? "" : ", id\(direction)"
            try database.execute("CREATE INDEX \"composite \(number)\" ON documents(\(parts)\(end))")
        }
    }

    // MARK: Reading

    func prepare(_ operation: Operation) throws -> ((_ parameters: Int, _ answer: inout Answer) throws -> Void)? {
        let statement = try database.statement(sql(operation))
        let parameters = operation.parameters
        let row = SQLiteRow()
        let width = form == .json ? 1 : dataset.columns.count
        let used = Int32(form == .json ? 2 : 1 + (dataset.columns.firstIndex { $0.name == operation.uses } ?? 0))
        let isPoint = if case .point = operation.kind { true } else { false }
        return { index, answer in
            for (place, parameter) in parameters[index].enumerated() { statement.bind(Int32(place + 1), parameter) }
            switch operation.kind {
            case .count: try statement.forEachRow { answer.count += $0.integer(0) }
            case .sum: try statement.forEachRow { answer.sum += $0.integer(0) }
            case .point, .documents:
                try statement.forEachRow { found in
                    if !isPoint { row.copy(found, columns: width + 1) }
                    answer.count += 1
                    answer.sum += found.integer(isPoint ? 1 : used)
                    if answer.keepsIDs { answer.ids.append(found.text(0)) }
                }
            }
        }
    }

    /// A point read fetches the one field; a query of documents the whole row, and of JSON the one field too, which SQLite finds
    /// faster than a program that would have to parse the text.
    private func sql(_ operation: Operation) -> String {
        let (conditions, order, isArray) = clauses(operation)
        let uses = expression(operation.uses)
        let source = isArray.map { "\"\($0)Elements\" AS e" } ?? "documents AS d"
        let limit = operation.limit.map { " LIMIT \($0)" } ?? ""
        switch operation.kind {
        case .point: return "SELECT id, \(uses) FROM documents WHERE id = ?1"
        case .count: return "SELECT count(*) FROM \(source)\(conditions)"
        case .sum(let field): return "SELECT sum(\(expression(field))) FROM \(source)\(conditions)"
        case .documents:
            let columns =
                form == .json
                ? "d.id, d.document, \(uses)"
                : (["d.id"] + dataset.columns.map { "d.\"\($0.name)\"" }).joined(separator: ", ")
            let joined = isArray == nil ? source : "\(source) JOIN documents AS d ON d.id = e.id"
            return "SELECT \(columns) FROM \(joined)\(conditions)\(order)\(limit)"
        }
    }

    private func clauses(_ operation: Operation) -> (conditions: String, order: String, array: String?) {
        var conditions: [String] = []
        var array: String?
        var next = 1
        for filter in operation.filters {
            let left = expression(filter.field)
            switch filter.comparison {
            case .equal: conditions.append("\(left) = ?\(next)")
            case .atLeast: conditions.append("\(left) >= ?\(next)")
            case .below: conditions.append("\(left) < ?\(next)")
            case .contains:
                array = filter.field
                conditions.append("e.value = ?\(next)")
            case .among(let count):
                conditions.append("\(left) IN (\((next..<next + count).map { "?\($0)" }.joined(separator: ", ")))")
                next += count - 1
            }
            next += 1
        }
        let key = array == nil ? "id" : "e.id"
        if operation.startsAfter {
            let last = operation.order.last
            let left = last.map { expression($0.field) } ?? key
            conditions.append("\(left) \(last?.descending == true ? "<" : ">") ?\(next)")
        }
        let direction = operation.order.last?.descending == true ? " DESC" : ""
        let order = (operation.order.map { expression($0.field) + ($0.descending ? " DESC" : "") } + [key + direction])
        return (
            conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "),
            " ORDER BY " + order.joined(separator: ", "), array
        )
    }
}

/// A copy of a row, so that a document outlives its query, as Hearth's do; the room is used again for the next one.
final class SQLiteRow {
    private var bytes: [UInt8] = []
    private var numbers: [Int64] = []

    func copy(_ row: borrowing SQLiteStatement.Row, columns: Int) {
        if bytes.count > 1 << 16 { bytes.removeAll(keepingCapacity: true) }
        numbers.removeAll(keepingCapacity: true)
        for column in 0..<Int32(columns) {
            switch row.type(column) {
            case SQLITE_TEXT: bytes.append(contentsOf: row.bytes(column))
            case SQLITE_INTEGER: numbers.append(row.integer(column))
            case SQLITE_FLOAT: numbers.append(Int64(bitPattern: row.double(column).bitPattern))
            default: numbers.append(0)
            }
        }
    }
}
