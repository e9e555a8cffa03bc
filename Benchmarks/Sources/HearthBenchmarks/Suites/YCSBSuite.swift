// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth
internal import Synchronization

/// What a thread of YCSB does to a store.
protocol YCSBConnection {
    func read(_ key: String) throws
    func update(_ key: String, field: String, value: String) throws
    func insert(_ document: BenchmarkDocument) throws
    func scan(from key: String, count: Int) throws
}

/// YCSB's workloads A to F, each for two seconds with 1, 2 and 4 threads, every commit synced.
enum YCSBSuite {
    struct Workload: Sendable {
        let name: String
        /// Shares of a hundred.
        var read = 0, update = 0, insert = 0, scan = 0, modify = 0
        var latest = false
    }

    static let workloads = [
        Workload(name: "YCSB A", read: 50, update: 50), Workload(name: "YCSB B", read: 95, update: 5),
        Workload(name: "YCSB C", read: 100), Workload(name: "YCSB F", read: 50, modify: 50),
        Workload(name: "YCSB D", read: 95, insert: 5, latest: true), Workload(name: "YCSB E", insert: 5, scan: 95),
    ]

    static func run(_ bench: Bench) throws {
        let wanted = workloads.filter { bench.wants($0.name, of: "ycsb") }
        guard !wanted.isEmpty else { return }
        let size = bench.size ?? 100_000
        print("\nYCSB: \(size) records of 1,000 bytes, scrambled Zipfian, every commit synced, 2 seconds a run")
        let dataset = YCSB.dataset(size)
        let hearth = try load(dataset, bench.folder.appending(path: "ycsb.db").path)
        let sqlitePath = bench.folder.appending(path: "ycsb.sqlite").path
        try SQLiteEngine.load(.columns, dataset, into: sqlitePath)
        let engines: [(name: String, connect: @Sendable () throws -> any YCSBConnection)] = [
            ("Hearth", { HearthConnection(collection: hearth.collection("usertable")) }),
            ("SQLite columns", { try SQLiteConnection(dataset, sqlitePath) }),
        ]
        for workload in wanted {
            for threads in [1, 2, 4] {
                for engine in engines {
                    let run = YCSBRun(workload, size: size, threads: threads)
                    bench.report.add(try run.measure(engine.name, engine.connect))
                }
            }
        }
    }

    private static func load(_ dataset: Dataset, _ path: String) throws -> Database {
        let file = URL(filePath: path + ".ndjson")
        try HearthEngine.write(dataset, to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let database = try Database.open(path: path)
        try database.sync.setIndexConfiguration(YCSB.indexConfiguration)
        _ = try database.sync.importDocuments(from: file)
        return database
    }
}

/// One workload on one engine.
final class YCSBRun: Sendable {
    private let workload: YCSBSuite.Workload
    private let threads: Int
    /// How many records there are without a gap: others may still be on their way.
    private let records: Atomic<Int>
    private let claimed: Atomic<Int>
    /// Those that were inserted before one with a lower number.
    private let early = Mutex<Set<Int>>([])
    private let size: Int
    private let latest: YCSB.Zipfian
    private let latencies = Mutex<[String: [Double]]>([:])
    private let failure = Mutex<(any Error)?>(nil)

    init(_ workload: YCSBSuite.Workload, size: Int, threads: Int) {
        self.workload = workload
        self.threads = threads
        self.size = size
        records = Atomic(size)
        claimed = Atomic(size)
        latest = YCSB.Zipfian(items: workload.latest ? size : 2)
    }

    func measure(_ engine: String, _ connect: @escaping @Sendable () throws -> any YCSBConnection) throws -> Throughput
    {
        let group = DispatchGroup()
        for index in 0..<threads {
            group.enter()
            Thread.detachNewThread { [self] in
                defer { group.leave() }
                do { try work(index, try connect()) } catch { failure.withLock { $0 = error } }
            }
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        return latencies.withLock { Throughput(workload.name, engine, size: size, threads: threads, seconds: 2, $0) }
    }

    private func work(_ index: Int, _ connection: any YCSBConnection) throws {
        var random = SplitMix(UInt64(index) &* 7_919 &+ 5)
        var own: [String: [Double]] = [:]
        let clock = ContinuousClock()
        let end = clock.now + .seconds(2)
        while clock.now < end {
            let start = clock.now
            let kind = try step(connection, &random)
            own[kind, default: []].append((clock.now - start) / .nanoseconds(1))
        }
        let found = own
        latencies.withLock { $0.merge(found) { $0 + $1 } }
    }

    private func key(_ random: inout SplitMix) -> String {
        let count = records.load(ordering: .relaxed)
        if workload.latest { return YCSB.key(max(0, count - 1 - latest.next(&random))) }
        return YCSB.key(Int(YCSB.fnv(UInt64(YCSB.scrambled.next(&random))) % UInt64(size)))
    }

    private func acknowledge(_ number: Int) {
        early.withLock { early in
            early.insert(number)
            while early.remove(records.load(ordering: .relaxed)) != nil { records.add(1, ordering: .relaxed) }
        }
    }

    private func step(_ connection: any YCSBConnection, _ random: inout SplitMix) throws -> String {
        var dice = random.next(below: 100)
        func falls(_ share: Int) -> Bool {
            dice -= share
            return dice < 0
        }
        if falls(workload.read) {
            try connection.read(key(&random))
            return "read"
        }
        if falls(workload.update) {
            try connection.update(key(&random), field: "field\(random.next(below: 10))", value: YCSB.value(&random))
            return "update"
        }
        if falls(workload.insert) {
            // A number of its own for each run: the runs before have inserted too.
            let number = claimed.add(1, ordering: .relaxed).oldValue
            let document = YCSB.document(number)
            var fresh = SplitMix(random.next())
            let id = workload.latest ? document.id : "user\(fresh.next())"
            try connection.insert(BenchmarkDocument(id: id, fields: document.fields))
            acknowledge(number)
            return "insert"
        }
        if falls(workload.scan) {
            try connection.scan(from: key(&random), count: 1 + random.next(below: 100))
            return "scan"
        }
        let key = key(&random)
        try connection.read(key)
        try connection.update(key, field: "field\(random.next(below: 10))", value: YCSB.value(&random))
        return "read-modify-write"
    }
}

/// Operations a second and how long they took.
struct Throughput: Codable {
    struct Latency: Codable {
        let operation: String
        let p50: Double
        let p95: Double
        let p99: Double
    }

    let workload: String
    let engine: String
    let size: Int
    let threads: Int
    let operationsPerSecond: Double
    /// In nanoseconds.
    let latencies: [Latency]

    init(
        _ workload: String, _ engine: String, size: Int, threads: Int, seconds: Double, _ times: [String: [Double]]
    ) {
        self.workload = workload
        self.engine = engine
        self.size = size
        self.threads = threads
        operationsPerSecond = Double(times.values.reduce(0) { $0 + $1.count }) / seconds
        latencies = times.sorted { $0.key < $1.key }.map { name, times in
            let sorted = times.sorted()
            func at(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))] }
            return Latency(operation: name, p50: at(0.5), p95: at(0.95), p99: at(0.99))
        }
    }
}

private struct HearthConnection: YCSBConnection {
    let collection: CollectionReference

    func read(_ key: String) throws {
        guard try collection.document(key).sync.getDocument().data() != nil else { throw BenchmarkError("no \(key)") }
    }

    func update(_ key: String, field: String, value: String) throws {
        try collection.document(key).sync.updateData([field: value])
    }

    func insert(_ document: BenchmarkDocument) throws {
        let data = Dictionary(uniqueKeysWithValues: document.fields.map { ($0.name, $0.value.firestore) })
        try collection.document(document.id).sync.setData(data)
    }

    func scan(from key: String, count: Int) throws {
        let query = collection.order(by: FieldPath.documentID()).start(at: [key]).limit(to: count)
        for document in try query.sync.getDocuments().documents { _ = document.data() }
    }
}

private struct SQLiteConnection: YCSBConnection {
    private let database: SQLiteDatabase
    private let reading: SQLiteStatement
    private let updating: [String: SQLiteStatement]
    private let inserting: SQLiteStatement
    private let scanning: SQLiteStatement
    private let row = SQLiteRow()
    private let dataset: Dataset

    init(_ dataset: Dataset, _ path: String) throws {
        database = try SQLiteEngine(.columns, dataset, at: path).database
        try database.execute("PRAGMA synchronous = FULL")
        self.dataset = dataset
        reading = try database.statement("SELECT * FROM documents WHERE id = ?1")
        var updating: [String: SQLiteStatement] = [:]
        for column in dataset.columns {
            updating[column.name] = try database.statement("UPDATE documents SET \(column.name) = ?2 WHERE id = ?1")
        }
        self.updating = updating
        let places = (1...dataset.columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
        inserting = try database.statement("INSERT OR REPLACE INTO documents VALUES (\(places))")
        scanning = try database.statement("SELECT * FROM documents WHERE id >= ?1 ORDER BY id LIMIT ?2")
    }

    func read(_ key: String) throws {
        reading.bind(1, key)
        var found = false
        try reading.forEachRow {
            row.copy($0, columns: dataset.columns.count + 1)
            found = true
        }
        guard found else { throw BenchmarkError("no \(key)") }
    }

    func update(_ key: String, field: String, value: String) throws {
        guard let statement = updating[field] else { return }
        statement.bind(1, key)
        statement.bind(2, value)
        try statement.runOnce()
    }

    func insert(_ document: BenchmarkDocument) throws {
        inserting.bind(1, document.id)
        for (index, field) in document.fields.enumerated() { inserting.bind(Int32(index + 2), field.value) }
        try inserting.runOnce()
    }

    func scan(from key: String, count: Int) throws {
        scanning.bind(1, key)
        scanning.bind(2, .integer(Int64(count)))
        try scanning.forEachRow { row.copy($0, columns: dataset.columns.count + 1) }
    }
}
