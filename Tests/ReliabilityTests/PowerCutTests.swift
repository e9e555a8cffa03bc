// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Foundation
import LMDB
import StorageWorkload
import TestSupport
import Testing

/// Records a workload's writes and syncs, rebuilds the disks that a power cut could leave, and opens them.
@Suite struct PowerCutTests {
    private static let steps = 40

    private struct Run {
        let directory: TemporaryDirectory
        let recording: Recording
        let workload: Workload
    }

    private func record(durability: Int, _ random: inout SeededGenerator) throws -> Run {
        let directory = try TemporaryDirectory()
        let folder = directory.url.appending(path: "disk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let seed = random.next()
        let run = try StorageProof.run([
            "record", folder.path, directory.path("record"), String(seed), String(Self.steps), String(durability),
        ])
        try #require(run.process.terminationStatus == 0, "\(run.output)")
        let recording = try Recording(contentsOf: directory.url.appending(path: "record"))
        return Run(
            directory: directory, recording: recording, workload: Workload(seed: seed, appliesIndexes: true))
    }

    /// Every reported commit is there, and the pending one completely or not at all.
    @Test func fullDurabilityKeepsEveryPromise() throws {
        try cutPower(durability: 0) { $0...$0 + 1 }
    }

    /// The last commits may be missing, each as a whole: those whose header the next commit had not yet synced, which
    /// is one.
    @Test func theModeThatMayLoseTheLastCommitsLosesThemWhole() throws {
        try cutPower(durability: 1) { max(0, $0 - 1)...$0 + 1 }
    }

    private func cutPower(durability: Int, promised: (Int) -> ClosedRange<Int>) throws {
        var random = SeededGenerator.printingSeed("durability \(durability)")
        let run = try record(durability: durability, &random)
        let states = Inspection.States(run.workload)
        let count = run.recording.events.count
        let disks = StorageProof.count("HEARTH_POWER_CUTS", else: Rounds.of(300))
        var lost = 0
        for number in 0..<disks {
            let cut = random.int(0..<count + 1)
            let fate = Recording.Fate.allCases[number % Recording.Fate.allCases.count]
            let disk = run.recording.disk(after: cut, name: "recorded.db", fate, &random)
            guard let contents = disk.contents else {
                // Nothing was reported before the directory was synced.
                #expect(disk.promised < 0, "seed \(random.seed): the file's name was lost after \(cut) events")
                continue
            }
            let path = run.directory.path("cut.db")
            try? FileManager.default.removeItem(atPath: path + "-lock")
            try Data(contents).write(to: URL(filePath: path))
            let found = try inspect(path, run.workload, promised(max(0, disk.promised)), states)
            lost += max(0, disk.promised - (found.last ?? disk.promised))
            guard found.findings == [] else {
                Issue.record(
                    "seed \(random.seed), disk \(number), \(cut) of \(count) events, \(fate): \(found.findings)")
                return
            }
        }
        print(
            "\(disks) disks after a power cut within \(count) events, durability \(durability): \(lost) promised steps lost"
        )
        #expect(durability > 0 || lost == 0)
    }

    /// Page placement puts and frees values of its own, and reuses pages in another order.
    @Test func placedPagesKeepEveryPromise() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        let folder = directory.url.appending(path: "disk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = try StorageProof.run([
            "record-placed", folder.path, directory.path("record"), String(3 * PlacedCommits.round),
        ])
        try #require(run.process.terminationStatus == 0, "\(run.output)")
        let recording = try Recording(contentsOf: directory.url.appending(path: "record"))
        let count = recording.events.count
        let path = directory.path("cut.db")
        for number in 0..<StorageProof.count("HEARTH_POWER_CUTS", else: Rounds.of(300)) {
            let cut = random.int(0..<count + 1)
            let fate = Recording.Fate.allCases[number % Recording.Fate.allCases.count]
            let disk = recording.disk(after: cut, name: "recorded.db", fate, &random)
            guard let contents = disk.contents, disk.promised >= 0 else { continue }
            try? FileManager.default.removeItem(atPath: path + "-lock")
            try Data(contents).write(to: URL(filePath: path))
            let findings = try PlacedCommits(path).findings(promised: disk.promised...disk.promised + 1)
            #expect(findings == [], "seed \(random.seed), disk \(number), \(cut) of \(count) events, \(fate)")
        }
    }

    /// Nothing is guaranteed, but no document is returned that was not written, and verification reports damage.
    @Test func theModeThatMayLoseTheDatabaseInventsNothing() throws {
        var random = SeededGenerator.printingSeed()
        let run = try record(durability: 2, &random)
        let count = run.recording.events.count
        let path = run.directory.path("cut.db")
        var outcomes: [String: Int] = [:]
        for number in 0..<StorageProof.count("HEARTH_POWER_CUTS", else: Rounds.of(100)) {
            let cut = random.int(0..<count + 1)
            let fate = Recording.Fate.allCases[number % Recording.Fate.allCases.count]
            let disk = run.recording.disk(after: cut, name: "recorded.db", fate, &random)
            guard let contents = disk.contents else { continue }
            try? FileManager.default.removeItem(atPath: path + "-lock")
            try Data(contents).write(to: URL(filePath: path))
            let left = try StorageProof.run(["left", path, String(run.workload.seed), String(Self.steps)])
            let lines = left.output.split(separator: "\n")
            outcomes[lines.first.map(String.init) ?? "nothing", default: 0] += 1
            #expect(left.process.terminationReason == .exit && left.process.terminationStatus == 0)
            #expect(
                lines.dropFirst() == [], "seed \(random.seed), disk \(number), \(cut) of \(count) events, \(fate)")
        }
        for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { print("# \(count) × \(outcome)") }
    }

    private func inspect(
        _ path: String, _ workload: Workload, _ promised: ClosedRange<Int>, _ states: Inspection.States
    ) throws -> (findings: [String], last: Int?) {
        var options = Engine.Options()
        options.mapSize = 1 << 20
        options.durability = .mayLoseDatabase
        do throws(EngineError) {
            let engine = try Engine.open(path, options)
            let inspection = try Inspection(engine, workload, promised: [promised], states)
            return (inspection.findings, inspection.progress.first)
        } catch {
            return (["it cannot be opened: \(error)"], nil)
        }
    }

    /// LMDB does not sync the directory of a new file. Hearth does, before it reports a commit.
    @Test func theFolderIsSyncedBeforeAnythingIsPromised() throws {
        var random = SeededGenerator.printingSeed()
        let run = try record(durability: 0, &random)
        var isNamed = false
        var isSynced = false
        for event in run.recording.events {
            switch event {
            case .name("recorded.db", _): isNamed = true
            case .folderSync: isSynced = isNamed
            case .mark(let number): #expect(isSynced, "step \(number) was promised before the folder was synced")
            default: break
            }
        }
        #expect(isNamed)
    }
}
