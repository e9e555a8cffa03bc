// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner
internal import ReplicaStore
internal import SyncCore

/// What a client's replica costs: a resync of 100,000 documents with all indexes, durable at its boundaries; a local write;
/// opening a cache of 35,000 documents and reading a first page; writes beside listeners; a collection.
func runReplicaBenchmark() throws {
    let count = environmentNumber("DOCUMENTS") ?? 100_000
    for boundaries in [1, 10, 100] {
        try withScratchDatabase { path in
            let replica = try open(path)
            let time = try ContinuousClock().measure { try resync(replica, 0..<count, boundaries: boundaries) }
            print(
                "resync of \(count) documents in \(boundaries) boundaries: \(Int(Double(count) / time.seconds)) a second"
            )
            let again = try ContinuousClock().measure {
                try resync(replica, 0..<count, boundaries: boundaries, version: 2)
            }
            print("the same again, all changed: \(Int(Double(count) / again.seconds)) a second")
        }
    }
    try withScratchDatabase { path in
        let stored = 35_000
        do {
            let replica = try open(path)
            try resync(replica, 0..<stored, boundaries: 4)
            measureWrites(SyncMachine(replica, SyncMachine.Configuration(database: benchmarkDatabase, seed: 1)))
        }
        try measureStart(path)
    }
    try measureWritesBesideListeners(open, benchmarkDatabase)
    try measureCollection(open, benchmarkDatabase)
}

private let benchmarkDatabase = DatabaseID(project: "bench")

private func open(_ path: String) throws -> EngineReplica {
    var options = Engine.Options()
    options.identity = benchmarkDatabase
    return try EngineReplica(path, options)
}

/// Does to the replica what a client does with consistent states of a listen.
private func resync(
    _ replica: EngineReplica, _ numbers: Range<Int>, boundaries: Int, version: Int64 = 1
) throws {
    let step = numbers.count / boundaries
    for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: step) {
        let documents = (first..<min(first + step, numbers.upperBound)).map { number in
            var (path, fields) = GeneratedDocument.make(number)
            if version > 1 { fields["views"] = .integer(-Int64(number)) }
            let time = Timestamp(microseconds: version)!
            return SyncDocument(path, .found(fields, createTime: time), version: time)
        }
        try replica.transaction(.applyRemoteEvent) { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestSequence += 1
            try records.setHeader(header)
            try records.addKeys(Set(documents.map(\.path)), to: 2)
            for document in documents {
                var cached = try records.document(at: document.path)
                cached.base = document
                try records.setDocument(cached)
            }
        }
    }
}

/// Writes that wait for a server that is away.
private func measureWrites(_ machine: SyncMachine) {
    _ = machine.handle(.start, at: .noVersion)
    var times: [Duration] = []
    for number in 0..<500 {
        let (path, fields) = GeneratedDocument.make(number)
        let input = SyncInput.write([.set(path, fields)], write: number)
        times.append(ContinuousClock().measure { _ = machine.handle(input, at: .noVersion) })
    }
    times.sort()
    print("a local write, durable: median \(times[250].milliseconds) ms, 99th percentile \(times[495].milliseconds) ms")
}

private func measureStart(_ path: String) throws {
    var query = Query(from: CollectionSelector(collectionID: "items"), orders: [Order(FieldPath(name: "created"))])
    query.limit = 20
    let page = try SyncQuery(query, database: benchmarkDatabase)
    var opening: [Duration] = []
    var reading: [Duration] = []
    for _ in 0..<11 {
        var replica: EngineReplica?
        opening.append(
            try ContinuousClock().measure {
                replica = try open(path)
                let machine = SyncMachine(replica!, SyncMachine.Configuration(database: benchmarkDatabase, seed: 1))
                _ = machine.handle(.start, at: .noVersion)
            })
        reading.append(
            try ContinuousClock().measure {
                let rows = try replica!.transaction(.executeQuery) { (records) throws(ReplicaError) in
                    try records.rows(of: page)
                }
                precondition(rows.count == 20)
            })
    }
    print("opening a cache of 35,000 documents: median \(opening.sorted()[5].milliseconds) ms")
    print("its first page of 20 in order: median \(reading.sorted()[5].milliseconds) ms")
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    var milliseconds: Double { (seconds * 1e6).rounded() / 1e3 }
}
