// SPDX-License-Identifier: Apache-2.0

internal import CRaw
internal import Foundation
internal import Hearth
internal import Synchronization

/// Databases of some documents, and more documents to write, made before anything is timed.
final class Workshop {
    /// How many documents the databases hold.
    let size: Int
    let dataset: Dataset
    let entries: OpaquePointer
    private let folder: URL
    private var copies = 0
    /// Documents to be inserted; beyond them the same ones are written again.
    static let fresh = 10_000

    init(_ size: Int, _ parent: URL) throws {
        self.size = size
        dataset = Tasks.dataset(size + Workshop.fresh)
        folder = parent.appending(path: "writes-\(size)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let everything = folder.appending(path: "all.db").path
        try HearthEngine.load(dataset, into: everything)
        entries = craw_entries_read(everything, 20)
        try HearthEngine.load(part, into: folder.appending(path: "hearth.db").path)
        try SQLiteEngine.load(.json, part, into: folder.appending(path: "sqlite.db").path)
    }

    private var part: Dataset {
        let dataset = dataset
        return Dataset(
            name: dataset.name, collection: dataset.collection, count: size, columns: dataset.columns,
            indexed: dataset.indexed, arrays: dataset.arrays, composites: dataset.composites,
            document: dataset.document)
    }

    /// A database file of its own for a contender.
    func copy(_ file: String) throws -> String {
        copies += 1
        let path = folder.appending(path: "\(copies)-\(file)").path
        try FileManager.default.copyItem(atPath: folder.appending(path: file).path, toPath: path)
        return path
    }

    func removeCopies() {
        let copies = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in copies where name.first?.isNumber == true {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    func remove() {
        craw_entries_free(entries)
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Which documents a contender writes next.
struct FreshDocuments {
    private let size: Int
    private var next = 0

    init(_ workshop: Workshop) { size = workshop.size }

    mutating func take() -> Int {
        defer { next = (next + 1) % Workshop.fresh }
        return size + next
    }
}

/// Hearth through its public interface.
final class HearthWriter {
    /// Of one of several writers.
    private final class Failure: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }

    private let database: Database
    private let collection: CollectionReference
    private let dataset: Dataset
    private let size: Int
    private var fresh: FreshDocuments
    private var random = SplitMix(7)

    init(_ workshop: Workshop, synced: Bool) throws {
        let settings = FirestoreSettings()
        settings.durability = synced ? .full : .mayLoseDatabase
        database = try Database.open(path: try workshop.copy("hearth.db"), settings: settings)
        collection = database.collection(workshop.dataset.collection)
        dataset = workshop.dataset
        size = workshop.size
        fresh = FreshDocuments(workshop)
    }

    private static func data(_ document: BenchmarkDocument) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: document.fields.map { ($0.name, $0.value.firestore) })
    }

    func insert(_ count: Int) throws {
        for _ in 0..<count {
            let document = dataset.document(fresh.take())
            try collection.document(document.id).sync.setData(HearthWriter.data(document))
        }
    }

    func insertBatches(_ count: Int) throws {
        for _ in 0..<count {
            let batch = database.batch()
            for _ in 0..<500 {
                let document = dataset.document(fresh.take())
                batch.setData(HearthWriter.data(document), forDocument: collection.document(document.id))
            }
            try batch.sync.commit()
        }
    }

    /// Each writer is a task that writes its documents one after another.
    func insertConcurrently(_ count: Int) throws {
        let done = DispatchGroup()
        let failure = Failure()
        for _ in 0..<WriteSuite.writers {
            let indices = (0..<count / WriteSuite.writers).map { _ in fresh.take() }
            let (collection, dataset) = (collection, dataset)
            done.enter()
            Task { @Sendable in
                defer { done.leave() }
                do {
                    for index in indices {
                        let document = dataset.document(index)
                        try await collection.document(document.id).setData(HearthWriter.data(document))
                    }
                } catch {
                    failure.error.withLock { $0 = error }
                }
            }
        }
        done.wait()
        if let error = failure.error.withLock({ $0 }) { throw error }
    }

    func update(_ count: Int) throws {
        for _ in 0..<count {
            let document = collection.document(Tasks.id(random.next(below: size)))
            try document.sync.updateData(["priority": Int(random.next() >> 40)])
        }
    }

    func delete(_ count: Int) throws {
        for index in 0..<count { try collection.document(Tasks.id(index)).sync.delete() }
    }
}

/// SQLite holding JSON text, with an index for each of Hearth's.
final class SQLiteWriter {
    private let engine: SQLiteEngine
    private let document: SQLiteStatement
    private let elements: [(name: String, statement: SQLiteStatement)]
    private let change: SQLiteStatement
    /// The elements of a document's arrays, found by its own values, then the document.
    private let removals: [SQLiteStatement]
    private let size: Int
    private var fresh: FreshDocuments
    private var random = SplitMix(7)

    init(_ workshop: Workshop, synced: Bool) throws {
        engine = try SQLiteEngine(.json, workshop.dataset, at: try workshop.copy("sqlite.db"))
        try engine.database.execute("PRAGMA synchronous = \(synced ? "FULL" : "OFF")")
        document = try engine.database.statement("INSERT OR REPLACE INTO documents VALUES (?1, ?2)")
        let database = engine.database
        elements = try workshop.dataset.arrays.map {
            let sql = "INSERT OR IGNORE INTO \"\($0)Elements\" VALUES (?1, ?2)"
            return (name: $0, statement: try database.statement(sql))
        }
        change = try engine.database.statement(
            "UPDATE documents SET document = json_set(document, '$.priority', ?2) WHERE id = ?1")
        let removed = workshop.dataset.arrays.map { array in
            "DELETE FROM \"\(array)Elements\" WHERE id = ?1 AND value IN (SELECT e.value FROM documents AS d, "
                + "json_each(d.document, '$.\(array)') AS e WHERE d.id = ?1)"
        }
        removals = try (removed + ["DELETE FROM documents WHERE id = ?1"]).map { try database.statement($0) }
        size = workshop.size
        fresh = FreshDocuments(workshop)
    }

    func insert(_ count: Int, batch: Int) throws {
        for index in 0..<count {
            if index % batch == 0 { try engine.database.execute("BEGIN IMMEDIATE") }
            try engine.insert(engine.dataset.document(fresh.take()), document, elements)
            if index % batch == batch - 1 { try engine.database.execute("COMMIT") }
        }
    }

    func update(_ count: Int) throws {
        for _ in 0..<count {
            change.bind(1, Tasks.id(random.next(below: size)))
            change.bind(2, .integer(Int64(random.next() >> 40)))
            try change.runOnce()
        }
    }

    func delete(_ count: Int) throws {
        for index in 0..<count {
            try engine.database.execute("BEGIN IMMEDIATE")
            for removal in removals {
                removal.bind(1, Tasks.id(index))
                try removal.runOnce()
            }
            try engine.database.execute("COMMIT")
        }
    }
}

/// LMDB in C, which puts what Hearth puts.
final class RawWriter {
    private let writer: OpaquePointer
    private let workshop: Workshop
    private var fresh: FreshDocuments
    /// Where the entries of each fresh document are.
    private let places: [Int64]

    init(_ workshop: Workshop) throws {
        writer = craw_writer_open(try workshop.copy("hearth.db"))
        self.workshop = workshop
        fresh = FreshDocuments(workshop)
        places = (workshop.size..<workshop.size + Workshop.fresh).map {
            craw_entries_find(workshop.entries, Tasks.id($0))
        }
    }

    deinit {
        craw_writer_close(writer)
    }

    func insert(_ count: Int, batch: Int) {
        for _ in 0..<count / batch {
            let batch = (0..<batch).map { _ in
                let index = fresh.take()
                // The other engines make their documents as they go: so does this one, in vain.
                _ = workshop.dataset.document(index)
                return places[index - workshop.size]
            }
            craw_writer_put(writer, workshop.entries, batch, Int64(batch.count))
        }
    }
}
