// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Foundation
import IndexCatalog
import LMDB
import StorageWorkload
import TestSupport
import Testing

/// A writing process is killed at a random moment, repeatedly. Everything that was reported is there, what had begun is
/// there completely or not at all, and the database verifies.
@Suite struct KillTests {
    private static let writers = 4
    /// The last writer requests this many commits before it waits for them.
    private static let underWay = 4

    @Test func aKilledProcessLosesNothing() throws {
        var random = SeededGenerator.printingSeed()
        let kills = StorageProof.count("HEARTH_KILLS", else: Rounds.of(50))
        var tally = Tally()
        var life: Life?
        for number in 0..<kills {
            // A database survives some kills, then another one starts.
            if number % 25 == 0 { life = try Life(number, &random) }
            try life!.killOnce(&random, &tally)
            guard tally.findings.isEmpty else { break }
        }
        print(
            "\(tally.kills) kills, \(tally.builds) of them while indexes were building: \(tally.steps) promised steps, "
                + "\(tally.unpromised) more found whole, \(tally.findings.count) findings")
        #expect(tally.findings == [], "seed \(random.seed), kill \(tally.kills)")
    }

    private struct Tally {
        var kills = 0
        var steps = 0
        var unpromised = 0
        /// Kills in the middle of an index build.
        var builds = 0
        var findings: [String] = []
    }

    /// A database from its creation through many kills.
    private final class Life {
        private let directory: TemporaryDirectory
        private let path: String
        private let workload: Workload
        private let states: Inspection.States
        private let durability: Int
        /// The last step of each writer that is in the database.
        private var last = [Int](repeating: 0, count: KillTests.writers)
        /// The number of the current index definitions.
        private var configuration = 0
        /// The last bulk load that is in the database.
        private var loads = 0

        init(_ number: Int, _ random: inout SeededGenerator) throws {
            directory = try TemporaryDirectory()
            path = directory.path("killed.db")
            workload = Workload(seed: random.next(), appliesIndexes: false)
            states = Inspection.States(workload)
            // Every mode survives a crash of the process.
            durability = number / 25 % 3
        }

        func killOnce(_ random: inout SeededGenerator, _ tally: inout Tally) throws {
            let output = Pipe()
            let first = (last + [configuration, loads]).map { String($0 + 1) }
            let mapSize = String(1 << random.int(16..<22))
            let process = try StorageProof.start(
                ["write", path, String(workload.seed), mapSize, String(durability)] + first, output: output)
            var reader = LineReader(output.fileHandleForReading)
            // Some are killed while they open the file, others in the middle of their work.
            let wanted = random.chance(0.2) ? 0 : random.int(1..<60)
            while reader.lines < wanted, reader.readMore() {}
            usleep(UInt32(random.int(0..<(wanted == 0 ? 60_000 : 6_000))))
            kill(process.processIdentifier, SIGKILL)
            while reader.readMore() {}
            process.waitUntilExit()
            tally.kills += 1
            if process.terminationReason == .exit { tally.findings.append("it ended by itself: \(reader.text)") }
            try inspect(reader.promised(), &tally)
        }

        private func inspect(_ promised: [Int: Int], _ tally: inout Tally) throws {
            var options = Engine.Options()
            options.mapSize = 1 << 18
            let engine = try Engine.open(path, options)
            let ranges = last.indices.map { writer in
                let least = max(last[writer], promised[writer] ?? 0)
                return least...least + (writer == last.count - 1 ? KillTests.underWay : 1)
            }
            let promisedLoads = max(loads, promised[last.count + 1] ?? 0)
            let inspection = try Inspection(
                engine, workload, promised: ranges, loads: promisedLoads...promisedLoads + 1, states)
            tally.findings += inspection.findings
            guard inspection.findings.isEmpty else { return }
            for (writer, number) in inspection.progress.enumerated() {
                tally.steps += ranges[writer].lowerBound - last[writer]
                tally.unpromised += number - ranges[writer].lowerBound
                last[writer] = number
            }
            tally.steps += promisedLoads - loads
            tally.unpromised += inspection.loads - promisedLoads
            loads = inspection.loads
            try inspectIndexes(engine, promised[last.count] ?? configuration, &tally)
        }

        /// Interrupted builds continue, here or in the next process.
        private func resumeBuilds(_ engine: Engine, _ tally: inout Tally) throws {
            let isBuilding = try engine.catalog().composites.contains { $0.state == .building }
            if isBuilding { tally.builds += 1 }
            guard tally.kills % 3 == 0 else { return }
            try engine.resumeIndexBuilds()
            tally.findings += try engine.verify().problems
            let unfinished = try engine.catalog().composites.contains { $0.state == .building }
            if unfinished { tally.findings.append("an index is still building after its build was resumed") }
        }

        private func inspectIndexes(_ engine: Engine, _ promised: Int, _ tally: inout Tally) throws {
            let catalog = try engine.catalog()
            let found = [max(promised, configuration), max(promised, configuration) + 1].last { number in
                let wanted = number == 0 ? IndexConfiguration() : workload.configuration(number)
                return Set(wanted.indexes) == Set(catalog.indexes.composites.map(\.definition))
                    && Set(wanted.fieldOverrides) == Set(catalog.indexes.fieldOverrides)
            }
            guard let found else { return tally.findings.append("the index definitions are none of those applied") }
            tally.steps += max(0, promised - configuration)
            configuration = found
            try resumeBuilds(engine, &tally)
        }
    }

    /// Lines `WRITER STEP` of a process that may be killed at any moment.
    private struct LineReader {
        private let handle: FileHandle
        private var data = Data()

        init(_ handle: FileHandle) { self.handle = handle }

        var lines: Int { data.count { $0 == UInt8(ascii: "\n") } }
        var text: String { String(decoding: data, as: UTF8.self) }

        /// Waits for more. Returns false at the end.
        mutating func readMore() -> Bool {
            let more = handle.availableData
            data += more
            return !more.isEmpty
        }

        /// The last step of each writer.
        func promised() -> [Int: Int] {
            var promised: [Int: Int] = [:]
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ").compactMap { Int($0) }
                if words.count == 2 { promised[words[0]] = words[1] }
            }
            return promised
        }
    }
}
