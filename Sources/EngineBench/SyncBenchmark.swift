// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import ReplicaStore
internal import SyncCore

/// A local write beside 1,000 listeners, and beside none: of one document each, and of one value each in the written
/// collection. The writes alternate, so that a slow moment of the device hits all.
func measureWritesBesideListeners(_ open: (String) throws -> EngineReplica, _ database: DatabaseID) throws {
    let queries: [(name: String, make: (Int) throws -> SyncQuery)] = [
        ("no listener", { _ in SyncQuery(document: GeneratedDocument.make(1).path) }),
        ("1,000 listeners to other documents", { SyncQuery(document: GeneratedDocument.make(10_000 + $0).path) }),
        ("1,000 listeners in its collection", { try SyncQuery(rooms($0), database: database) }),
    ]
    var machines: [SyncMachine] = []
    var times = queries.map { _ in [Double]() }
    try withScratchDatabases(queries.count) { paths in
        for (index, path) in paths.enumerated() {
            let machine = SyncMachine(try open(path), SyncMachine.Configuration(database: database, seed: 1))
            _ = machine.handle(.start, at: .noVersion)
            for number in 0..<(index == 0 ? 0 : 1_000) {
                let query = try queries[index].make(number)
                _ = machine.handle(.listen(query, ListenOptions(), listener: number), at: .noVersion)
            }
            machines.append(machine)
        }
        for number in 0..<300 {
            for index in machines.indices {
                let (path, fields) = GeneratedDocument.make(number % 50)
                let input = SyncInput.write([.set(path, fields)], write: number)
                times[index].append(
                    ContinuousClock().measure { _ = machines[index].handle(input, at: .noVersion) }.milliseconds)
            }
        }
        machines = []
    }
    for (index, query) in queries.enumerated() {
        let median = times[index].sorted()[times[index].count / 2]
        let plain = times[0].sorted()[times[0].count / 2]
        print("a local write beside \(query.name): median \(median) ms, \(hundredths(median / plain)) times the first")
    }
}

/// How long the passes of a collection of 10,000 documents keep other calls waiting.
func measureCollection(_ open: (String) throws -> EngineReplica, _ database: DatabaseID) throws {
    let count = 10_000
    try withScratchDatabase { path in
        let replica = try open(path)
        try replica.transaction(.applyRemoteEvent) { (records) throws(ReplicaError) in
            var header = try records.header
            header.highestSequence = count
            try records.setHeader(header)
            for number in 0..<count {
                let (path, fields) = GeneratedDocument.make(number)
                let time = Timestamp(microseconds: 1)!
                try records.setDocument(
                    CachedDocument(base: SyncDocument(path, .found(fields, createTime: time), version: time)))
                try records.setLastUse(number, of: path)
            }
        }
        let machine = SyncMachine(replica, SyncMachine.Configuration(database: database, seed: 1))
        _ = machine.handle(.start, at: .noVersion)
        var passes: [Double] = []
        var input: SyncInput? = .collectGarbage(threshold: 0, percentile: 10)
        while let next = input {
            input = nil
            var effects: [SyncEffect] = []
            passes.append(ContinuousClock().measure { effects = machine.handle(next, at: .noVersion) }.milliseconds)
            for case .startTimer(.collection, let ticket, _) in effects { input = .timer(.collection, ticket: ticket) }
        }
        passes.sort()
        print(
            "collection of \(count) documents: \(passes.count) passes, median \(passes[passes.count / 2]) ms, longest "
                + "\(passes.last!) ms, together \(hundredths(passes.reduce(0, +))) ms")
    }
}

private func rooms(_ number: Int) -> Query {
    Query(
        from: CollectionSelector(collectionID: "items"),
        filter: .field(FieldPath(["place", "room"]), .equal, .integer(Int64(1_000 + number))))
}

private func withScratchDatabases(_ count: Int, _ body: ([String]) throws -> Void) rethrows {
    func add(_ paths: [String]) throws {
        guard paths.count < count else { return try body(paths) }
        try withScratchDatabase { try add(paths + [$0]) }
    }
    try add([])
}

private func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
