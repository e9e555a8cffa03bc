// SPDX-License-Identifier: Apache-2.0

internal import CScan
internal import Hearth
internal import IndexCatalog

/// Runs each operation of a small fixed set several times, in the region that callgrind counts.
/// `Scripts/count-instructions.sh` compares the counts with the recorded ones. Prints the name and the repetitions of
/// each operation, in order.
func runInstructionBenchmark() throws {
    let path = ".instructions-\(processID).db"
    defer { removeDatabase(path) }
    let settings = FirestoreSettings()
    // Valgrind maps at most 32 GiB.
    settings.mapSize = 1 << 30
    settings.durability = .mayLoseDatabase
    let database = try Database.open(path: path, settings: settings)
    try fill(database)
    for (name, repetitions, body) in try operations(database) + rulesOperations(database) + groupOperations() {
        // Caches are filled before anything is counted.
        for _ in 0..<2 { try body() }
        var failure: (any Error)?
        region {
            do { for _ in 0..<repetitions { try body() } } catch { failure = error }
        }
        if let failure { throw failure }
        print("\(name)\t\(repetitions)")
    }
}

private func region(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
        var body = body
        withUnsafeMutablePointer(to: &body) { context in
            cscan_region({ context in context!.assumingMemoryBound(to: (() -> Void).self).pointee() }, context)
        }
    }
}

private let count = 2_000

private func fill(_ database: Database) throws {
    try database.sync.setIndexConfiguration(
        """
        {"indexes": [{"collectionGroup": "tasks", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "userId", "order": "ASCENDING"}, {"fieldPath": "created", "order": "DESCENDING"}]}]}
        """)
    for start in stride(from: 0, to: count, by: 500) {
        let batch = database.batch()
        for index in start..<start + 500 {
            batch.setData(Task(index).data, forDocument: database.document("tasks/task-\(index)-of-some-length"))
        }
        try batch.sync.commit()
    }
}

private func operations(
    _ database: Database
) -> [(name: String, repetitions: Int, body: () throws -> Void)] {
    let tasks = database.collection("tasks")
    let ofUser = tasks.whereField("userId", isEqualTo: "user-7").order(by: "created", descending: true)
    let writer = database.collection("other")
    var written = 0
    var (batched, deleted): (UInt64, UInt64) = (0, 0)
    return [
        (
            "point-read", 100,
            { _ = try tasks.document("task-700-of-some-length").sync.getDocument().get("priority", as: Int.self) }
        ),
        ("equality-order-limit-10", 20, { try use(ofUser.limit(to: 10)) }),
        (
            "range-limit-20", 20,
            {
                let start = Timestamp(seconds: 1_700_001_000, nanoseconds: 0)
                try use(tasks.whereField("created", isGreaterThanOrEqualTo: start).order(by: "created").limit(to: 20))
            }
        ),
        (
            "three-equalities-limit-20", 10,
            {
                try use(
                    tasks.whereField("status", isEqualTo: "open").whereField("project", isEqualTo: "project-3")
                        .whereField("priority", isEqualTo: 3).limit(to: 20))
            }
        ),
        (
            "in-of-ten-limit-10", 10,
            {
                let users = (0..<10).map { "user-\(2 * $0)" }
                try use(tasks.whereField("userId", in: users).order(by: "created", descending: true).limit(to: 10))
            }
        ),
        (
            "array-contains-count", 10,
            { _ = try tasks.whereField("tags", arrayContains: "tag-60").count.sync.getAggregation() }
        ),
        ("sum-of-2000", 2, { _ = try tasks.aggregate([.sum("priority")]).sync.getAggregation() }),
        (
            "decode-100-structs", 2,
            { for document in try ofUser.sync.getDocuments().documents { _ = try document.data(as: Task.self) } }
        ),
        (
            "data-of-100", 2, { for document in try ofUser.sync.getDocuments().documents { _ = document.data() } }
        ),
        (
            "insert", 10,
            {
                written += 1
                try writer.document("w\(written)").sync.setData(["a": written, "b": "text"])
            }
        ),
        (
            "batch-of-500", 2,
            {
                let batch = database.batch()
                for _ in 0..<500 {
                    batched += 1
                    batch.setData(Task(count + Int(batched)).data, forDocument: tasks.document(scatteredID(batched)))
                }
                try batch.sync.commit()
            }
        ),
        (
            "delete", 10,
            {
                deleted += 1
                try tasks.document(scatteredID(deleted)).sync.delete()
            }
        ),
        ("check-1000-entries", 1, { _ = ConfigurationReader.read(faultyConfiguration) }),
        ("ndjson-1000-lines", 1, { try readSampleLines(directly: true) }),
        ("ndjson-1000-lines-parsed", 1, { try readSampleLines(directly: false) }),
    ]
}

/// IDs whose order is not the order of their numbers.
private func scatteredID(_ number: UInt64) -> String { String(number &* 0x9E37_79B9_7F4A_7C15, radix: 16) }

/// A thousand entries with several findings each, so that superlinear work shows in the count.
private let faultyConfiguration: [UInt8] = {
    let entries = (0..<1_000).map { number in
        number % 2 == 0
            ? #"{"a":1,"fields":[{"x":2}]}"#
            : #"{"collectionGroup":"c\#(number)","queryScope":"COLLECTION","fields":[{"fieldPath":"a","order":"UP"}]}"#
    }
    return Array(#"{"indexes":[\#(entries.joined(separator: ","))]}"#.utf8)
}()

private func use(_ query: Query) throws {
    for document in try query.sync.getDocuments().documents { _ = try document.get("priority", as: Int.self) }
}
