// SPDX-License-Identifier: Apache-2.0

internal import LMDB
internal import QueryPlanner

/// Scans stepped in turn until one ends: the cheapest way to know which is shortest, for LMDB counts no ranges.
struct DriverRace {
    private struct Runner {
        let access: AccessPath
        /// Nil where there is nothing to read.
        let rows: (any RowOperator)?
    }

    private let runners: [Runner]
    private var steps = 0

    init(_ drivers: [AccessPath], _ builder: OperatorBuilder, _ transaction: inout Transaction) throws(EngineError) {
        var runners: [Runner] = []
        for driver in drivers { runners.append(Runner(access: driver, rows: try builder.scan(driver, &transaction))) }
        self.runners = runners
    }

    /// Steps each on to its entry number `count`: the first that has fewer, nil if all have so many.
    mutating func step(to count: Int, _ transaction: inout Transaction) throws(EngineError) -> AccessPath? {
        while steps < count {
            steps += 1
            for runner in runners {
                guard let rows = runner.rows, try rows.next(&transaction) else { return runner.access }
            }
        }
        return nil
    }

    /// Steps all until one ends.
    mutating func shortest(_ transaction: inout Transaction) throws(EngineError) -> AccessPath {
        if runners.count == 1 { return runners[0].access }
        while true {
            if let ended = try step(to: steps + 64, &transaction) { return ended }
        }
    }
}
