// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Loads an NDJSON file of documents, and prints the time of each phase.
///
/// The file is `.sample-data/cities500.ndjson`, created by `Scripts/fetch-cities.py 500`.
func runImportBenchmark() throws {
    let source = bytes(of: ".sample-data/cities500.ndjson")
    let path = ".sample-data/import-benchmark.db"
    removeDatabase(path)
    defer { removeDatabase(path) }
    let clock = ContinuousClock()
    let database = DatabaseID(project: "hearth")

    var documents: [(DocumentPath, Fields)] = []
    var reading: [Duration] = []
    for directly in [true, false] {
        let start = clock.now
        documents = try read(source, database, directly: directly)
        reading.append(clock.now - start)
    }

    let loadingStart = clock.now
    var next = 0
    let count: Int
    do {
        let engine = try Engine.open(path)
        let configuration = bytes(of: "IndexConfigs/cities/firestore.indexes.json")
        try engine.apply(ConfigurationReader.read(configuration).configuration, prune: true)
        count = try engine.load(
            next: {
                guard next < documents.count else { return nil }
                next += 1
                return documents[next - 1]
            },
            reject: { path, error in print("rejected \(path): \(error)") })
    }
    let loading = clock.now - loadingStart
    print(
        "\(count) documents, \(source.count >> 20) MB: reading \(reading[0]), by the parser alone \(reading[1]), loading \(loading)"
    )
    let openingStart = clock.now
    let engine = try Engine.open(path)
    print("opening: \(clock.now - openingStart); \((engine.environment.info.pages * 4_096) >> 20) MB")
}

private struct Unreadable: Error {}

private func read(
    _ source: [UInt8], _ database: DatabaseID, directly: Bool
) throws -> [(DocumentPath, Fields)] {
    var position = 0
    let stream = LineReader(compressed: { Unreadable() }) { count, buffer in
        let end = min(position + count, source.count)
        buffer += source[position..<end]
        defer { position = end }
        return end - position
    }
    var reader = NDJSONReader(stream, database: database, plain: nil, readsDirectly: directly)
    var documents: [(DocumentPath, Fields)] = []
    while let entry = try reader.next() {
        guard case .document(let path, let fields) = entry else { throw Unreadable() }
        documents.append((path, fields))
    }
    return documents
}

private func bytes(of path: String) -> [UInt8] {
    guard let bytes = contents(of: path) else {
        fatalError("\(path) is missing; Scripts/fetch-cities.py 500 makes the documents")
    }
    return bytes
}
