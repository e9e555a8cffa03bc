// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Loads the same documents into each engine in turn, three times over, and prints medians and ratios.
enum ImportSuite {
    static func run(_ bench: Bench) throws {
        guard bench.wants("import", of: "import") else { return }
        let file = URL(filePath: ".sample-data/cities500.ndjson")
        guard FileManager.default.fileExists(atPath: file.path) else {
            print(
                "\nimport: left out, for .sample-data/cities500.ndjson is missing (Scripts/fetch-cities.py 500 makes it)"
            )
            return
        }
        let sample = Sample(
            file: file, documents: try PlainDocument.read(file.path),
            indexes: try String(
                contentsOf: URL(filePath: "IndexConfigs/cities/firestore.indexes.json"), encoding: .utf8))
        try measureImport(sample, bench.folder)
    }

    private static func measureImport(_ sample: Sample, _ folder: URL) throws {
        let count = sample.documents.count
        print("\nimport: \(count) documents, every commit synced, closing included, median of 3 runs in turn")
        var seconds: [ImportEngine: [Double]] = [:]
        var bytes: [ImportEngine: Double] = [:]
        for _ in 0..<3 {
            for engine in ImportEngine.allCases {
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
        for engine in ImportEngine.allCases {
            let time = medians[engine] ?? 0
            let row = [
                engine.name.padding(toLength: 26, withPad: " ", startingAt: 0), column(time, 8, digits: 2),
                column(Double(sample.documents.count) / time, 18), column((bytes[engine] ?? 0) / 1e6, 9),
                column(best / time, 28, digits: 2),
            ]
            print(row.joined(separator: "  "))
        }
    }

    private static func column(_ number: Double, _ width: Int, digits: Int = 0) -> String {
        let text = String(format: "%.\(digits)f", number)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// The sizes of all files in a folder.
    private static func bytesOnDisk(_ folder: URL) throws -> Double {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return try files.reduce(0) { $0 + Double(try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }
}
