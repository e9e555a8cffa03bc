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
        let atMost: Double?
    }

    private struct Content: Codable {
        var machine = Machine.description
        var measurements: [Measurement] = []
        var figures: [Figure] = []
    }

    private var content = Content()

    var measurements: [Measurement] { content.measurements }

    init() {
        for line in content.machine { print(line) }
    }

    func heading(_ text: String) {
        print("\n\(text)")
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
        let target = figure.atMost.map { "   at most \(short($0))" } ?? ""
        print(
            pad(figure.name, 34) + left("\(figure.size)", 9) + left(short(figure.value), 11)
                + " \(figure.unit)\(target)")
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

    /// Writes `results.json` and the charts into a folder.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(content).write(to: folder.appending(path: "results.json"))
        for (name, svg) in Chart.all(content.measurements) {
            try Data(svg.utf8).write(to: folder.appending(path: name))
        }
        print(
            "\nWritten to \(folder.relativePath): results.json\(Chart.all(content.measurements).map { ", " + $0.name }.joined())"
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
