// SPDX-License-Identifier: Apache-2.0

internal import Foundation

guard CommandLine.arguments.count == 3 else {
    print("usage: hearth-benchmarks CITIES.ndjson firestore.indexes.json")
    exit(64)
}

do {
    let file = URL(filePath: CommandLine.arguments[1])
    let sample = Sample(
        file: file, documents: try PlainDocument.read(file.path),
        indexes: try String(contentsOf: URL(filePath: CommandLine.arguments[2]), encoding: .utf8))
    try measureImport(sample)
} catch {
    FileHandle.standardError.write(Data("hearth-benchmarks: \(error)\n".utf8))
    exit(2)
}

/// Loads the same documents into each engine in turn, three times over, and prints medians and ratios.
func measureImport(_ sample: Sample) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let count = sample.documents.count
    print("import: \(count) documents, every commit synced, closing included, median of 3 runs in turn")
    var seconds: [Engine: [Double]] = [:]
    var bytes: [Engine: Double] = [:]
    for _ in 0..<3 {
        for engine in Engine.allCases {
            let run = folder.appending(path: "run")
            try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
            let path = run.appending(path: "database").path
            let time = try ContinuousClock().measure { try engine.load(sample, into: path) }
            seconds[engine, default: []].append(time / .seconds(1))
            bytes[engine] = try bytesOnDisk(run)
            try FileManager.default.removeItem(at: run)
        }
    }
    let medians = seconds.mapValues { $0.sorted()[1] }
    let best = min(medians[.sqliteAtOnce] ?? 0, medians[.sqliteInBatches] ?? 0)
    print("engine                       seconds  documents a second  megabytes  best SQLite's time / its own")
    for engine in Engine.allCases {
        let time = medians[engine] ?? 0
        let row = [
            engine.name.padding(toLength: 26, withPad: " ", startingAt: 0), column(time, 8, digits: 2),
            column(Double(sample.documents.count) / time, 18), column((bytes[engine] ?? 0) / 1e6, 9),
            column(best / time, 28, digits: 2),
        ]
        print(row.joined(separator: "  "))
    }
}

func column(_ number: Double, _ width: Int, digits: Int = 0) -> String {
    let text = String(format: "%.\(digits)f", number)
    return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// The sizes of all files in a folder.
func bytesOnDisk(_ folder: URL) throws -> Double {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
    return try files.reduce(0) { $0 + Double(try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
}
