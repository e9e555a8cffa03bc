// SPDX-License-Identifier: Apache-2.0

/// Every read shape at three sizes. How much slower Hearth gets is compared with how much slower raw gets in the same run.
enum GrowthSuite {
    static func run(_ bench: Bench) throws {
        guard bench.wants("growth", of: "growth") else { return }
        let last = bench.size ?? 1_000_000
        let sizes = Set([10_000, 100_000].filter { $0 < last } + [last]).sorted()
        let names = TaskReads.all(sizes[0]).map(\.name)
        for size in sizes
        where !bench.report.measurements.contains(where: { $0.size == size && names.contains($0.name) }) {
            try ReadSuite.run(bench, of: "growth", size: size)
        }
        report(names, from: sizes[0], to: last, bench)
    }

    /// How much slower each row has become between two sizes that were measured, beside raw.
    static func report(_ names: [String], from first: Int, to last: Int, _ bench: Bench) {
        print("\nGrowth from \(first) to \(last) documents")
        for name in names {
            let rows = bench.report.measurements.filter { $0.name == name }
            guard let small = rows.last(where: { $0.size == first }), let large = rows.last(where: { $0.size == last }),
                let smallRaw = small.result("raw LMDB"), let largeRaw = large.result("raw LMDB")
            else { continue }
            let own = large.results[0].median / small.results[0].median
            let raw = largeRaw.median / smallRaw.median
            bench.report.add(
                Report.Figure(
                    name: "\(name): growth", size: last, value: own / raw,
                    unit: "times raw's growth (\(short(own)) and \(short(raw)))", atMost: 1.2))
        }
    }
}
