// SPDX-License-Identifier: Apache-2.0

/// Documents as JSON text, an expression index on each scalar field, and a side table for the array: what Hearth's
/// automatic indexes come to in SQLite. Settings are those that suit SQLite best; closing the database is part of the time.
enum SQLiteImport {
    private static let scalars = ["name", "countrycode", "population", "timezone", "admin1code", "region"]

    static func run(_ documents: [PlainDocument], batch: Int, into path: String) throws {
        let database = try SQLiteDatabase(path)
        try prepare(database)
        let insert = try database.statement("INSERT INTO cities(id, document) VALUES (?1, ?2)")
        let spread = try database.statement(
            """
            INSERT OR IGNORE INTO alternatenames(name, id)
            SELECT value, ?1 FROM json_each(?2, '$.alternatenames')
            """)
        for start in stride(from: 0, to: documents.count, by: batch) {
            try database.execute("BEGIN IMMEDIATE")
            for document in documents[start..<min(start + batch, documents.count)] {
                try run(insert, document)
                try run(spread, document)
            }
            try database.execute("COMMIT")
        }
    }

    private static func run(_ statement: SQLiteStatement, _ document: PlainDocument) throws {
        statement.bind(1, document.id)
        statement.bind(2, text: document.json)
        try statement.runOnce()
    }

    /// WAL with `synchronous = FULL` syncs the log at every commit: each batch is durable once it is committed.
    private static func prepare(_ database: SQLiteDatabase) throws {
        try database.execute("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA synchronous = FULL")
        // By default the log is copied back every 1,000 pages, which is every batch here: half the speed.
        try database.execute("PRAGMA wal_autocheckpoint = 50000")
        // A database of this size would thrash in the 2 MB that are the default.
        try database.execute("PRAGMA cache_size = -262144")
        try database.execute("CREATE TABLE cities(id TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID")
        try database.execute(
            "CREATE TABLE alternatenames(name TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (name, id)) WITHOUT ROWID")
        for field in scalars {
            try database.execute("CREATE INDEX by_\(field) ON cities(json_extract(document, '$.\(field)'))")
        }
        try database.execute(
            """
            CREATE INDEX by_location ON cities(
                json_extract(document, '$.location.latitude'), json_extract(document, '$.location.longitude'))
            """)
    }
}
