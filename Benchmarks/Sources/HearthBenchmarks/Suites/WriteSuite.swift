// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Single writes, writes of many callers at once, batches, updates and deletions, on tasks of ten fields and one composite index.
///
/// Each row begins with copies of the same database. Raw puts the same keys in the same transactions; groups of 64 are what
/// 64 writers can come to at best.
enum WriteSuite {
    static let writers = 64

    static func run(_ bench: Bench) throws {
        let rows = Row.allCases.filter { bench.wants($0.rawValue, of: "writes") }
        guard !rows.isEmpty else { return }
        bench.report.heading("Writes: tasks of ten fields into a database of this size")
        for size in bench.size.map({ [$0] }) ?? [1_000, 10_000, 100_000] {
            let workshop = try Workshop(size, bench.folder)
            defer { workshop.remove() }
            var measured: [Row: Measurement] = [:]
            // Only what is there can be deleted.
            for row in rows where row != .delete || row.count(size) <= size {
                let measurement = try row.measure(workshop, only: bench.engine)
                measured[row] = measurement
                bench.report.add(measurement)
            }
            addGain(measured, size, bench.report)
        }
    }

    /// How many times the rate of one writer the writers together come to.
    private static func addGain(_ measured: [Row: Measurement], _ size: Int, _ report: Report) {
        guard let one = measured[.single], let many = measured[.concurrent],
            let rawOne = one.result("raw LMDB"), let rawMany = many.result("raw LMDB")
        else { return }
        let gain = { (one: Measurement.Result, many: Measurement.Result) in one.median / many.median }
        report.add(
            Report.Figure(
                name: "64 writers: gain over one", size: size, value: gain(one.results[0], many.results[0]),
                unit: "times (at least 8; raw LMDB in groups of 64: \(short(gain(rawOne, rawMany))))", atMost: nil))
    }

    enum Row: String, CaseIterable {
        case single = "insert, one a commit"
        case concurrent = "insert, 64 writers"
        case batch = "insert, batches of 500"
        case update = "update one of ten, no sync"
        case delete = "delete, no sync"

        /// Documents written in each round, and by how many at once.
        fileprivate func count(_ size: Int) -> Int {
            switch self {
            case .single: 300
            // Pages that are freed come round again, and the database hardly doubles, or triples if it is small.
            case .concurrent: WriteSuite.writers * (size < 10_000 ? 32 : 128)
            case .batch: 2_000
            case .update: 10_000
            // Each a document that is there.
            case .delete: 1_000
            }
        }

        private var group: Int {
            switch self {
            case .single, .update, .delete: 1
            case .concurrent: WriteSuite.writers
            case .batch: 500
            }
        }

        private var isSynced: Bool { self != .update && self != .delete }

        /// Every engine in turn writes into a new copy of its database; copying and opening are not timed.
        ///
        /// - Parameter engine: the only one to run.
        fileprivate func measure(_ workshop: Workshop, only engine: String?) throws -> Measurement {
            let all = ["Hearth", "SQLite JSON"] + (isSynced ? ["raw LMDB"] : [])
            let names = all.filter { engine == nil || $0 == engine }
            var times = names.map { _ in [Double]() }
            let count = count(workshop.size)
            for _ in 0..<7 {
                for (index, name) in names.enumerated() {
                    let work = try prepare(name, workshop)
                    let seconds = try ContinuousClock().measure(work) / .seconds(1)
                    times[index].append(seconds / Double(count) * 1e9)
                }
                workshop.removeCopies()
            }
            let results = zip(names, times).map { Measurement.Result(engine: $0, nanoseconds: $1) }
            return Measurement(name: rawValue, size: workshop.size, results: results)
        }

        private func prepare(_ engine: String, _ workshop: Workshop) throws -> () throws -> Void {
            let (count, group) = (count(workshop.size), group)
            switch engine {
            case "Hearth":
                let hearth = try HearthWriter(workshop, synced: isSynced)
                switch self {
                case .single: return { try hearth.insert(count) }
                case .concurrent: return { try hearth.insertConcurrently(count) }
                case .batch: return { try hearth.insertBatches(count / group) }
                case .update: return { try hearth.update(count) }
                case .delete: return { try hearth.delete(count) }
                }
            case "raw LMDB":
                let raw = try RawWriter(workshop)
                return { raw.insert(count, batch: group) }
            default:
                let sqlite = try SQLiteWriter(workshop, synced: isSynced)
                // Transactions of several connections take turns and share no sync.
                let batch = self == .concurrent ? 1 : group
                switch self {
                case .update: return { try sqlite.update(count) }
                case .delete: return { try sqlite.delete(count) }
                case .single, .concurrent, .batch: return { try sqlite.insert(count, batch: batch) }
                }
            }
        }
    }
}
