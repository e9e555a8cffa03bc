// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension Report {
    private static let file = URL(filePath: "Benchmarks/Recorded.json")

    /// Says which rows have become slower by a tenth or more than the file in the repository tells, or writes them into it.
    func compareWithRecorded(recording: Bool) throws {
        let rows = ratios
        var recorded = try (try? Data(contentsOf: Report.file)).map { data in
            do { return try JSONDecoder().decode(RecordedRatios.self, from: data) } catch {
                throw BenchmarkError("\(Report.file.relativePath) cannot be read; restore it from Git: \(error)")
            }
        }
        if recording {
            recorded = recorded ?? RecordedRatios(machine: "")
            recorded?.machine = Machine.processor
            recorded?.record(rows)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(recorded).write(to: Report.file)
            return print("\(rows.count) rows recorded in \(Report.file.relativePath)")
        }
        guard let recorded else { return print("No ratios are recorded in \(Report.file.relativePath)") }
        let (compared, losses) = recorded.compare(rows)
        for loss in losses {
            print(
                "slower than recorded: \(loss.row.name) at \(loss.row.size): "
                    + [("SQLite", loss.row.sqlite, loss.recorded.sqlite), ("raw", loss.row.raw, loss.recorded.raw)]
                    .compactMap { engine, now, then in
                        guard let now, let then else { return nil }
                        return "\(short(now)) times as fast as \(engine), recorded \(short(then))"
                    }.joined(separator: "; "))
        }
        print(
            "\(compared) of \(rows.count) rows compared with \(Report.file.relativePath) (\(recorded.machine)): "
                + "\(losses.count) slower by 10 % or more")
    }

    private var ratios: [RecordedRatios.Row] {
        measurements.compactMap { measurement in
            guard let own = measurement.result("Hearth") else { return nil }
            func ratio(_ other: Measurement.Result?) -> Double? {
                other.map { (measurement.ratio(of: $0, to: own) * 1_000).rounded() / 1_000 }
            }
            let row = RecordedRatios.Row(
                name: measurement.name, size: measurement.size,
                sqlite: ratio(measurement.best("SQLite") ?? measurement.best("GRDB")),
                raw: ratio(measurement.result("raw LMDB")))
            return row.sqlite == nil && row.raw == nil ? nil : row
        }
    }
}
