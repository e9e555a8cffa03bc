// SPDX-License-Identifier: Apache-2.0

internal import Foundation

guard CommandLine.arguments.count == 2 else {
    print("usage: hearth-benchmarks CITIES.ndjson")
    exit(64)
}

do {
    try measureImport(CommandLine.arguments[1])
} catch {
    FileHandle.standardError.write(Data("hearth-benchmarks: \(error)\n".utf8))
    exit(2)
}

/// Loads the same documents into each engine, in small transactions and in one.
func measureImport(_ file: String) throws {
    let documents = try PlainDocument.read(file)
    let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    print("import: \(documents.count) documents, durable at the end")
    print("engine    documents a transaction    seconds    documents a second    megabytes")
    for batch in [500, documents.count] {
        for engine in Engine.allCases {
            let path = folder.appending(path: "\(engine)-\(batch)").path
            let time = try ContinuousClock().measure { try engine.load(documents, batch: batch, into: path) }
            let seconds = time / .seconds(1)
            let row = [
                engine.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0), column(Double(batch), 25),
                column(seconds, 9, digits: 2), column(Double(documents.count) / seconds, 20),
                column(try bytesOnDisk(folder, "\(engine)-\(batch)") / 1e6, 11),
            ]
            print(row.joined(separator: "  "))
        }
    }
}

func column(_ number: Double, _ width: Int, digits: Int = 0) -> String {
    let text = String(format: "%.\(digits)f", number)
    return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// The sizes of all files of a database.
func bytesOnDisk(_ folder: URL, _ prefix: String) throws -> Double {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
    return try files.filter { $0.lastPathComponent.hasPrefix(prefix) }
        .reduce(0) { $0 + Double(try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
}
