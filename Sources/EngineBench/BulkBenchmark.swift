// SPDX-License-Identifier: Apache-2.0

internal import CScan
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Loads a million generated documents. Then a C program sorts the same keys and values and appends them to LMDB.
func runBulkBenchmark() throws {
    let count = environmentNumber("DOCUMENTS") ?? 1_000_000
    let made = (0..<count).map { GeneratedDocument.make($0) }
    let clock = ContinuousClock()
    try withScratchDatabase { path in
        var loaded = 0
        let loading = try clock.measure {
            let engine = try Engine.open(path)
            try engine.apply(GeneratedDocument.indexes, prune: true)
            _ = try engine.load(
                next: {
                    guard loaded < made.count else { return nil }
                    loaded += 1
                    return made[loaded - 1]
                },
                reject: { path, error in fatalError("\(path): \(error)") })
        }
        print("\(count) documents, parsing not counted: \(loading)")
        let (bytes, stores) = try contents(path)
        let entries = stores.reduce(0) { $0 + $1.entries.count }
        withScratchDatabase { rawPath in
            let raw = clock.measure {
                for store in stores {
                    var entries = store.entries
                    let code = cscan_append(rawPath, store.name, bytes, &entries, entries.count)
                    precondition(code == 0, "the C program failed with \(code)")
                }
            }
            print("\(entries) keys sorted and appended in C: \(raw)")
            print("Hearth's rate is \(Int((raw / loading * 100).rounded())) % of C's (at least 60)")
        }
    }
}

/// Loads generated documents while they are created, and prints the peak of memory that is not a mapped file.
func runMemoryBenchmark() throws {
    let count = environmentNumber("DOCUMENTS") ?? 3_000_000
    try withScratchDatabase { path in
        let engine = try Engine.open(path)
        try engine.apply(GeneratedDocument.indexes, prune: true)
        var made = 0
        var peak = 0
        let time = try ContinuousClock().measure {
            _ = try engine.load(
                next: {
                    guard made < count else { return nil }
                    if made % 5_000 == 0 { peak = max(peak, anonymousMemory()) }
                    made += 1
                    return GeneratedDocument.make(made - 1)
                },
                reject: { path, error in fatalError("\(path): \(error)") },
                progress: { _ in peak = max(peak, anonymousMemory()) })
        }
        let size = (engine.environment.info.pages * 4_096) >> 20
        print("\(count) documents, \(size) MB of database, in \(time): at most \(peak >> 20) MB of anonymous memory")
    }
}

/// Ten fields in a fixed order: strings of few and of many values, numbers, times, an array, a map.
enum GeneratedDocument {
    static let indexes = IndexConfiguration(indexes: [
        IndexDefinition(
            collectionGroup: "items", scope: .collection,
            fields: [
                IndexField(FieldPath(["owner"]), .order(.ascending)),
                IndexField(FieldPath(["priority"]), .order(.descending)),
            ],
            nameDirection: .descending)
    ])

    static func make(_ number: Int) -> (path: DocumentPath, fields: Fields) {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: UInt64) -> Int {
            state = (state ^ (state >> 31)) &* 0xD6E8_FEB8_6659_FD93
            state ^= state >> 32
            return Int(state % bound)
        }
        let id = Text(String(next(1 << 60), radix: 36))
        let fields = Fields([
            Field("assignee", .string(Text("user\(next(5_000))"))),
            Field("created", .timestamp(Timestamp(microseconds: 1_600_000_000_000_000 + Int64(next(1 << 50)))!)),
            Field("done", .boolean(next(3) == 0)),
            Field("estimate", .double(Double(next(10_000)) / 4)),
            Field("owner", .string(Text("user\(next(5_000))"))),
            Field("place", .map(Fields([Field("room", .integer(Int64(next(400))))])!)),
            Field("priority", .integer(Int64(next(10)))),
            Field("tags", .array((0..<3).map { _ in .string(Text("tag\(next(2_000))")) })),
            Field("title", .string(Text("task \(next(1 << 40)) of many that are to be done"))),
            Field("views", .integer(Int64(next(1_000_000)))),
        ])!
        return (DocumentPath(ResourcePath(segments: ["items", id])), fields)
    }
}

private struct StoreContents {
    let name: String
    var entries: [cscan_entry] = []
}

/// Every key and value of the database, unordered.
private func contents(_ path: String) throws -> ([UInt8], [StoreContents]) {
    let engine = try Engine.open(path)
    var bytes: [UInt8] = []
    var stores: [StoreContents] = []
    for (name, store) in zip(
        Stores.names,
        [
            engine.stores.catalog, engine.stores.documents, engine.stores.fieldEntries, engine.stores.compositeEntries,
            engine.stores.overflow,
        ])
    {
        var contents = StoreContents(name: name)
        try engine.environment.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            var cursors = transaction.makeCursors()
            let cursor = try cursors.open(store)
            while try cursors.next(cursor) {
                let start = bytes.count
                bytes.append(copying: cursors.key(cursor))
                let end = bytes.count
                bytes.append(copying: cursors.value(cursor))
                contents.entries.append(
                    cscan_entry(
                        key: UInt64(start), key_size: UInt32(end - start), value_size: UInt32(bytes.count - end)))
            }
        }
        contents.entries.shuffle()
        stores.append(contents)
    }
    return (bytes, stores)
}

func withScratchDatabase(_ body: (String) throws -> Void) rethrows {
    let path = ".sample-data/bench-\(processID)-\(UInt32.random(in: 0 ... .max)).db"
    makeFolder(".sample-data")
    defer { removeDatabase(path) }
    try body(path)
}
