// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Everything that a run measured: printed as it comes, written as JSON and charts at the end.
final class Report {
    /// A figure that is no time: bytes, kilobytes, growth.
    struct Figure: Codable {
        let name: String
        let size: Int
        let value: Double
        let unit: String
        /// What the value is meant to stay under.
        var atMost: Double?
        /// What the value is meant to reach.
        var atLeast: Double?
    }

    private struct Content: Codable {
        var machine = Machine.description
        var measurements: [Measurement] = []
        var figures: [Figure] = []
        var throughputs: [Throughput] = []
    }

    private var content = Content()

    var measurements: [Measurement] { content.measurements }

    var isEmpty: Bool {
        content.measurements.isEmpty && content.figures.isEmpty && content.throughputs.isEmpty
    }

    init() {
        for line in content.machine { print(line) }
    }

    /// Of a table that has no ratios.
    func title(_ text: String) { print("\n\(text)") }

    func heading(_ text: String) {
        title(text)
        print(
            pad("operation", 34) + left("size", 9) + left("Hearth", 11) + left("vs SQLite", 11) + left("target", 8)
                + left("vs raw", 9) + left("target", 8) + "   medians")
    }

    func add(_ measurement: Measurement) {
        content.measurements.append(measurement)
        print(line(measurement))
        fflush(nil)
    }

    func add(_ figure: Figure) {
        content.figures.append(figure)
        let atMost = figure.atMost.map { "   at most \(short($0))" } ?? ""
        let atLeast = figure.atLeast.map { "   at least \(short($0))" } ?? ""
        print(
            pad(figure.name, 34) + left("\(figure.size)", 9) + left(short(figure.value), 11)
                + " \(figure.unit)\(atMost)\(atLeast)")
        fflush(nil)
    }

    func add(_ throughput: Throughput) {
        content.throughputs.append(throughput)
        let latencies = throughput.latencies.map {
            "\($0.operation) \(duration($0.p50)), \(duration($0.p95)), \(duration($0.p99))"
        }
        print(
            pad("\(throughput.workload), \(throughput.threads) threads", 22) + pad(throughput.engine, 16)
                + left("\(Int(throughput.operationsPerSecond))", 8) + " a second; p50, p95, p99: "
                + latencies.joined(separator: "; "))
        fflush(nil)
    }

    private func line(_ measurement: Measurement) -> String {
        let target = Target.byRow[measurement.name]
        let own = measurement.results[0]
        let rival = measurement.best("SQLite") ?? measurement.best("GRDB")
        let raw = measurement.result("raw LMDB")
        let others = measurement.results.dropFirst().map { "\($0.engine) \(duration($0.median))" }
        return pad(measurement.name, 34) + left("\(measurement.size)", 9) + left(duration(own.median), 11)
            + left(rival.map { short(measurement.ratio(of: $0, to: own)) + "x" } ?? "", 11)
            + left(target?.sqlite.map { short($0) } ?? "", 8)
            + left(raw.map { short(measurement.ratio(of: own, to: $0)) } ?? "", 9)
            + left(target?.raw.map { short($0) } ?? "", 8) + "   " + others.joined(separator: ", ")
    }

    /// A short table of ratios, for a page.
    private var summary: String {
        let rows = content.measurements.compactMap { measurement -> String? in
            guard let own = measurement.result("Hearth"), measurement.results.count > 1 else { return nil }
            let rival = measurement.best("SQLite") ?? measurement.best("GRDB")
            let faster = rival.map { short(measurement.ratio(of: $0, to: own)) + " times" } ?? "–"
            let raw = measurement.result("raw LMDB").map { short(measurement.ratio(of: own, to: $0)) } ?? "–"
            return "| \(measurement.name) | \(measurement.size) | \(faster) | \(raw) |\n"
        }
        return "| operation | documents | as fast as the best SQLite form | time against raw LMDB's |\n"
            + "| --- | --- | --- | --- |\n" + rows.joined()
    }

    /// Writes `results.json`, `summary.md` and the charts into a folder.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(content).write(to: folder.appending(path: "results.json"))
        try Data(summary.utf8).write(to: folder.appending(path: "summary.md"))
        for (name, svg) in Chart.all(content.measurements) {
            try Data(svg.utf8).write(to: folder.appending(path: name))
        }
        print(
            "\nWritten to \(folder.relativePath): results.json, summary.md\(Chart.all(content.measurements).map { ", " + $0.name }.joined())"
        )
    }
}

func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
func left(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }

/// Three digits that say something.
func short(_ number: Double) -> String {
    String(format: number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%.0f", number)
}

func duration(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1_000: short(nanoseconds) + " ns"
    case ..<1_000_000: short(nanoseconds / 1_000) + " µs"
    case ..<1_000_000_000: short(nanoseconds / 1_000_000) + " ms"
    default: short(nanoseconds / 1_000_000_000) + " s"
    }
}
