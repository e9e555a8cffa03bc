// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Many collections, and many composite indexes, each beside few of them with the same documents: calls that do not concern the
/// others should cost the same.
enum ScaleCatalogs {
    static let collections = "scale: collections"
    static let composites = "scale: composite indexes"

    static func runCollections(_ bench: Bench) throws {
        let many = min(bench.size ?? 100_000, 100_000)
        bench.report.title("Scale: \(many) collections of ten documents, beside the same documents in 100")
        try compare(
            [
                Catalog("Hearth", Notes.dataset(many * 10, under: many), parent: Notes.parent),
                Catalog("100 collections", Notes.dataset(many * 10, under: 100), parent: Notes.parent),
            ], of: collections, size: many, bench)
    }

    static func runComposites(_ bench: Bench) throws {
        let size = min(bench.size ?? 20_000, 100_000)
        bench.report.title("Scale: 1,000 composite indexes, beside one")
        try compare(
            [
                Catalog("Hearth", Parts.dataset(size, composites: 1_000), parent: ""),
                Catalog("1 index", Parts.dataset(size, composites: 1), parent: ""),
            ], of: composites, size: size, bench)
    }

    private static func compare(_ catalogs: [Catalog], of name: String, size: Int, _ bench: Bench) throws {
        var loading: [Measurement.Result] = []
        for (number, catalog) in catalogs.enumerated() {
            let course = try Watch.course { _ in try catalog.load(bench.folder) }
            loading.append(Measurement.Result(engine: catalog.name, nanoseconds: [course.seconds * 1e9]))
            if number == 0 { bench.report.add("\(name): load", size: size, course) }
        }
        defer { for catalog in catalogs { catalog.remove() } }
        bench.report.add(Measurement(name: "\(name): load", size: size, results: loading))
        let before = Machine.anonymousMemory
        let opening = try Watch.course { _ in _ = try catalogs[0].open(1) }
        bench.report.add(
            Report.Figure(
                name: "\(name): memory while open", size: size, value: Double(opening.peakMemory - before) / 1_024,
                unit: "MB more than before", atMost: 100))
        let rows: [(String, (Catalog) -> (Int) throws -> Int64)] = [
            ("open, read, close", { $0.open }), ("point read", { $0.pointRead }), ("query, limit 10", { $0.query }),
            ("insert", { $0.insert }), ("insert into a new collection", { $0.insertElsewhere }),
        ]
        for (row, body) in rows {
            let contenders = catalogs.map { catalog in
                Contest.Contender(name: catalog.name, run: body(catalog))
            }
            bench.report.add(
                try Contest(name: "\(name): \(row)", size: size, contenders: contenders).measure(keepsDigests: false))
        }
    }
}

/// A database, and what is asked of it. Nothing is synced, so that the engine's own time is seen.
private final class Catalog {
    let name: String
    private let dataset: Dataset
    /// Of the collection that is read and written; empty at the root.
    private let parent: String
    private var path = ""
    private var database: Database!
    private var inserted = 0

    init(_ name: String, _ dataset: Dataset, parent: String) {
        self.name = name
        self.dataset = dataset
        self.parent = parent
    }

    func load(_ folder: URL) throws {
        path = folder.appending(path: "catalog-\(UUID().uuidString).db").path
        try HearthEngine.loadThroughPipe(dataset, into: path)
    }

    func remove() {
        database = nil
        try? FileManager.default.removeItem(atPath: path)
    }

    private func open() throws -> Database {
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        return try Database.open(path: path, settings: settings)
    }

    private func path(_ document: BenchmarkDocument) -> String {
        "\(document.parent.isEmpty ? "" : document.parent + "/")\(dataset.collection)/\(document.id)"
    }

    func open(_ count: Int) throws -> Int64 {
        database = nil
        for index in 0..<count {
            let database = try open()
            guard try database.document(path(dataset.document(index % dataset.count))).sync.getDocument().exists else {
                throw BenchmarkError("\(name) lacks document \(index)")
            }
        }
        return 0
    }

    private func opened() throws -> Database {
        if database == nil { database = try open() }
        return database
    }

    func pointRead(_ count: Int) throws -> Int64 {
        let database = try opened()
        var random = SplitMix(UInt64(inserted))
        inserted += 1
        for _ in 0..<count {
            let document = dataset.document(random.next(below: dataset.count))
            _ = try database.document(path(document)).sync.getDocument()
        }
        return 0
    }

    func query(_ count: Int) throws -> Int64 {
        let database = try opened()
        let group =
            dataset.isGroup ? database.collectionGroup(dataset.collection) : database.collection(dataset.collection)
        let fields = dataset.composites[dataset.composites.count - 1]
        var random = SplitMix(UInt64(inserted))
        inserted += 1
        for _ in 0..<count {
            let document = dataset.document(random.next(below: dataset.count))
            guard let value = document.fields.first(where: { $0.name == fields[0].field })?.value.firestore else {
                continue
            }
            _ = try group.whereField(fields[0].field, isEqualTo: value)
                .order(by: fields[1].field, descending: fields[1].descending).limit(to: 10).sync.getDocuments()
        }
        return 0
    }

    func insert(_ count: Int) throws -> Int64 {
        try insert(count) { _ in parent.isEmpty ? "" : parent + "/" }
    }

    func insertElsewhere(_ count: Int) throws -> Int64 {
        try insert(count) { "new/\($0)/" }
    }

    private func insert(_ count: Int, under parent: (Int) -> String) throws -> Int64 {
        let database = try opened()
        for _ in 0..<count {
            inserted += 1
            let document = dataset.document(inserted % dataset.count)
            let data = Dictionary(uniqueKeysWithValues: document.fields.map { ($0.name, $0.value.firestore) })
            try database.document("\(parent(inserted))\(dataset.collection)/inserted-\(inserted)").sync.setData(data)
        }
        return 0
    }
}

/// Notes of a collection group under so many documents.
private enum Notes {
    static let parent = "authors/author-7"

    static func dataset(_ count: Int, under parents: Int) -> Dataset {
        Dataset(
            name: "notes", collection: "notes", isGroup: true, count: count, columns: [], indexed: ["stars", "text"],
            arrays: [], composites: [[("writer", false), ("stars", true)]],
            document: { index in
                var random = SplitMix(UInt64(index) &+ 99)
                return BenchmarkDocument(
                    parent: "authors/author-\(index % parents)", id: random.id(),
                    fields: [
                        ("stars", .integer(Int64(random.next(below: 1_000)))),
                        ("text", .string(Tasks.words(8, &random))),
                        ("writer", .string("writer-\(random.next(below: max(count / 50, 1)))")),
                    ])
            })
    }
}

/// Parts with ten of 46 fields, whose 1,035 pairs are enough for a thousand composite indexes.
private enum Parts {
    private static let fieldCount = 46

    static func dataset(_ count: Int, composites: Int) -> Dataset {
        // The first two fields' index, which is asked for, is the last one.
        var pairs: [[(field: String, descending: Bool)]] = []
        for first in 0..<fieldCount {
            for second in first + 1..<fieldCount { pairs.append([(field(first), false), (field(second), true)]) }
        }
        return Dataset(
            name: "parts", collection: "parts", count: count, columns: [], indexed: [], arrays: [],
            composites: pairs[1..<composites] + [pairs[0]],
            document: { index in
                var random = SplitMix(UInt64(index) &+ 5)
                let id = random.id()
                // All have the fields of the first index, and eight others.
                let first = 2 + random.next(below: fieldCount - 10)
                return BenchmarkDocument(
                    id: id,
                    fields: ([0, 1] + Array(first..<first + 8)).map { number in
                        (field(number), .integer(Int64(random.next(below: max(count / 20, 1)))))
                    })
            })
    }

    private static func field(_ number: Int) -> String { "field\(number < 10 ? "0" : "")\(number)" }
}
