// SPDX-License-Identifier: Apache-2.0
import Testing

/// What `make bench` compares with the recorded ratios. `RecordedRatios.swift` is the benchmarks' own file.
@Suite struct RecordedRatiosTests {
    private typealias Row = RecordedRatios.Row

    private let recorded: RecordedRatios

    init() {
        var recorded = RecordedRatios(machine: "any")
        recorded.record([
            Row(name: "read", size: 100, sqlite: 2.2, raw: 0.8), Row(name: "read", size: 10, sqlite: 3),
            Row(name: "sum", size: 100, raw: 1),
        ])
        self.recorded = recorded
    }

    @Test func aRowThatTakesATenthLongerIsALoss() {
        let run = [Row(name: "read", size: 100, sqlite: 2.0, raw: 0.8), Row(name: "sum", size: 100, raw: 0.95)]
        let (compared, losses) = recorded.compare(run)
        #expect(compared == 2)
        #expect(losses.map(\.row) == [run[0]])
        #expect(losses.map(\.recorded.sqlite) == [2.2])
    }

    @Test func eitherEngineShowsALoss() {
        #expect(recorded.compare([Row(name: "read", size: 100, sqlite: 2.3, raw: 0.7)]).losses.count == 1)
        #expect(recorded.compare([Row(name: "read", size: 100, sqlite: 2.1, raw: 0.75)]).losses.isEmpty)
    }

    @Test func otherSizesNamesAndEnginesAreNotCompared() {
        let run = [
            Row(name: "read", size: 1_000, sqlite: 0.1), Row(name: "write", size: 100, sqlite: 0.1),
            Row(name: "read", size: 10, raw: 0.1),
        ]
        let (compared, losses) = recorded.compare(run)
        #expect(compared == 1)
        #expect(losses.isEmpty)
    }

    @Test func recordingReplacesRowsAndKeepsTheOthers() {
        var changed = recorded
        changed.record([Row(name: "read", size: 100, sqlite: 1), Row(name: "add", size: 100, sqlite: 5)])
        #expect(changed.rows.map(\.name) == ["add", "read", "read", "sum"])
        #expect(changed.rows.map(\.size) == [100, 10, 100, 100])
        #expect(changed.rows.map(\.sqlite) == [5, 3, 1, nil])
    }
}
