// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import Glibc
internal import IndexCatalog
internal import JSONText
internal import LMDB

/// Loads an NDJSON file of documents, and prints the time of each phase.
///
/// The file is `.sample-data/cities500.ndjson`, created by `Scripts/fetch-cities.py 500`.
func runImportBenchmark() throws {
    let source = try bytes(of: ".sample-data/cities500.ndjson")
    let path = ".sample-data/import-benchmark.db"
    unlink(path)
    unlink(path + "-lock")
    defer {
        unlink(path)
        unlink(path + "-lock")
    }
    let clock = ContinuousClock()
    let database = DatabaseID(project: "hearth")

    let parsingStart = clock.now
    var documents: [(DocumentPath, Fields)] = []
    for line in source.split(separator: UInt8(ascii: "\n")) {
        let document = try DocumentJSON.read(try JSONParser.parse(Array(line)), database: database)
        documents.append((document.path, document.fields))
    }
    let parsing = clock.now - parsingStart

    let loadingStart = clock.now
    var next = 0
    let count: Int
    do {
        let engine = try Engine.open(path)
        let configuration = try bytes(of: "IndexConfigs/cities/firestore.indexes.json")
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
    print("\(count) documents, \(source.count >> 20) MB: parsing \(parsing), loading \(loading)")
    let openingStart = clock.now
    let engine = try Engine.open(path)
    print("opening: \(clock.now - openingStart); \((engine.environment.info.pages * 4_096) >> 20) MB")
}

private func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else {
        fatalError("\(path) is missing; Scripts/fetch-cities.py 500 makes the documents")
    }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = fread(buffer.baseAddress, 1, count, file)
    }
}
