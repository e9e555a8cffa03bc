// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// What the library itself adds: the way into asynchronous code and back, listeners, and opening a file.
///
/// Nothing is synced, so that the library's own time is seen.
enum LibrarySuite {
    static func run(_ bench: Bench) throws {
        let rows: [(name: String, contest: (String, Int, Bench) throws -> Contest)] = [
            ("point read, awaited", awaiting), ("write beside 10,000 listeners", idleListeners),
            ("write to its listener", concernedListener), ("open, read a document, close", opening),
        ]
        let wanted = rows.filter { bench.wants($0.name, of: "library") }
        guard !wanted.isEmpty else { return }
        bench.report.heading("The library: asynchronous calls, listeners, opening")
        for row in wanted {
            let contest = try row.contest(row.name, bench.size ?? 10_000, bench)
            bench.report.add(try contest.measure())
        }
    }

    /// A database of tasks in a file of its own.
    private static func loaded(_ name: String, _ size: Int, _ bench: Bench) throws -> (path: String, database: Database)
    {
        let path = bench.folder.appending(path: "library-\(UUID().uuidString)-\(name).db").path
        try HearthEngine.load(Tasks.dataset(size), into: path)
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        settings.dispatchQueue = DispatchQueue(label: "callbacks")
        return (path, try Database.open(path: path, settings: settings))
    }

    private static func contender(_ name: String, _ body: @escaping (_ count: Int) throws -> Void) -> Contest.Contender
    {
        Contest.Contender(name: name) { repetitions in
            try body(repetitions)
            return Int64(repetitions)
        }
    }

    private static func awaiting(_ name: String, _ size: Int, _ bench: Bench) throws -> Contest {
        let tasks = try loaded("await", size, bench).database.collection("tasks")
        return Contest(
            name: name, size: size,
            contenders: [
                contender("Hearth") { count in
                    let isDone = DispatchSemaphore(value: 0)
                    Task {
                        for index in 0..<count {
                            _ = try await tasks.document(Tasks.id(index % size)).getDocument()["priority"]
                        }
                        isDone.signal()
                    }
                    isDone.wait()
                },
                contender("blocking") { count in
                    for index in 0..<count {
                        _ = try tasks.document(Tasks.id(index % size)).sync.getDocument()["priority"]
                    }
                },
            ])
    }

    private static func write(_ database: Database, _ index: Int) throws {
        try database.collection("tasks").document("new\(index % 1_000)").sync.setData([
            "userId": "nobody", "title": "Water the plants", "n": index,
        ])
    }

    /// Each for the tasks of a user of its own, ordered, with a limit.
    private static func idleListeners(_ name: String, _ size: Int, _ bench: Bench) throws -> Contest {
        let alone = try loaded("alone", size, bench).database
        let beside = try loaded("beside", size, bench).database
        let first = DispatchSemaphore(value: 0)
        for number in 0..<10_000 {
            beside.collection("tasks").whereField("userId", isEqualTo: "listener-\(number)")
                .order(by: "created", descending: true).limit(to: 20).addSnapshotListener { _, _ in first.signal() }
        }
        for _ in 0..<10_000 { first.wait() }
        return Contest(
            name: name, size: size,
            contenders: [
                contender("Hearth") { count in for index in 0..<count { try write(beside, index) } },
                contender("nobody listens") { count in for index in 0..<count { try write(alone, index) } },
            ])
    }

    /// From the beginning of a write to the end of the callback with its snapshot of 20 documents.
    private static func concernedListener(_ name: String, _ size: Int, _ bench: Bench) throws -> Contest {
        let database = try loaded("told", size, bench).database
        let alone = try loaded("untold", size, bench).database
        let told = DispatchSemaphore(value: 0)
        database.collection("tasks").order(by: "n", descending: true).limit(to: 20).addSnapshotListener { snapshot, _ in
            if snapshot?.documentChanges != nil { told.signal() }
        }
        told.wait()
        return Contest(
            name: name, size: size,
            contenders: [
                contender("Hearth") { count in
                    for _ in 0..<count {
                        try write(database, Int(DispatchTime.now().uptimeNanoseconds))
                        told.wait()
                    }
                },
                contender("nobody listens") { count in for index in 0..<count { try write(alone, index) } },
            ])
    }

    private static func opening(_ name: String, _ size: Int, _ bench: Bench) throws -> Contest {
        let dataset = Tasks.dataset(size)
        let hearth = try loaded("open", size, bench).path
        let sqlite = bench.folder.appending(path: "library-open.sqlite").path
        try SQLiteEngine.load(.columns, dataset, into: sqlite)
        return Contest(
            name: name, size: size,
            contenders: [
                contender("Hearth") { count in
                    for index in 0..<count {
                        let database = try Database.open(path: hearth)
                        _ = try database.document("tasks/\(Tasks.id(index % size))").sync.getDocument()["priority"]
                    }
                },
                contender("SQLite columns") { count in
                    for index in 0..<count {
                        let engine = try SQLiteEngine(.columns, dataset, at: sqlite)
                        let statement = try engine.database.statement("SELECT priority FROM documents WHERE id = ?")
                        statement.bind(1, Tasks.id(index % size))
                        var found: Int64 = 0
                        try statement.forEachRow { found += $0.integer(0) }
                    }
                },
            ])
    }
}
