// SPDX-License-Identifier: Apache-2.0

internal import Foundation

func usage() -> Never {
    print("usage: hearth-benchmarks [--rows PATTERN] [--size N] [--engine NAME] [--output FOLDER] [--record]")
    print("       hearth-benchmarks [--rows PATTERN] --needs-server   ends with 1 if it needs no HEARTH_PROGRAM")
    for suite in Suite.all { print("  \(suite.name): \(suite.summary)") }
    exit(64)
}

func run() throws {
    var size: Int?
    var engine: String?
    var rows: Regex<AnyRegexOutput>?
    var output = URL(filePath: "Benchmarks/Results")
    var arguments = CommandLine.arguments.dropFirst()
    var records = false
    var asksForServer = false
    while let option = arguments.popFirst() {
        if option == "--record" {
            records = true
            continue
        }
        if option == "--needs-server" {
            asksForServer = true
            continue
        }
        guard let value = arguments.popFirst() else { usage() }
        switch option {
        case "--rows":
            do { rows = try Regex(value) } catch {
                throw BenchmarkError("--rows \(value): not a regular expression: \(error)")
            }
        case "--size": size = Int(value.replacingOccurrences(of: ",", with: "")) ?? { usage() }()
        case "--engine": engine = value
        case "--output": output = URL(filePath: value)
        case "--scan": return try SpaceSuite.scan(value)
        default: usage()
        }
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-benchmarks-\(UUID().uuidString)")
    let bench = Bench(size: size, rows: rows, engine: engine, folder: folder, report: Report())
    if asksForServer { exit(ServerSuite.isWanted(by: bench) || ListenSuite.isWanted(by: bench) ? 0 : 1) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for suite in Suite.all { try suite.run(bench) }
    guard !bench.report.isEmpty else { return print("\nNothing was measured, so nothing is written.") }
    try bench.report.write(to: output)
    try bench.report.compareWithRecorded(recording: records)
}

do {
    try run()
} catch {
    FileHandle.standardError.write(Data("hearth-benchmarks: \(error)\n".utf8))
    exit(2)
}
