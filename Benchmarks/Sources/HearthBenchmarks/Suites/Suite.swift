// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A part of the benchmarks.
struct Suite: Sendable {
    let name: String
    let summary: String
    let run: @Sendable (Bench) throws -> Void

    /// In the order in which all are run.
    static let all: [Suite] = [
        Suite(name: "reads", summary: "every read shape on tasks, beside SQLite and raw LMDB", run: ReadSuite.run),
        Suite(name: "group", summary: "a collection group", run: GroupSuite.run),
        Suite(name: "emulator", summary: "a collection group, beside the official emulator", run: EmulatorSuite.run),
        Suite(name: "server", summary: "hearth serve, beside the official emulator", run: ServerSuite.run),
        Suite(name: "listen", summary: "listeners of hearth serve, beside the official emulator", run: ListenSuite.run),
        Suite(name: "rules", summary: "security rules: compiling, requests of users", run: RulesSuite.run),
        Suite(name: "decode", summary: "Codable structs, beside GRDB", run: DecodeSuite.run),
        Suite(name: "library", summary: "asynchronous calls, listeners, opening", run: LibrarySuite.run),
        Suite(name: "cities", summary: "234,908 real cities", run: CitySuite.run),
        Suite(name: "nobench", summary: "NoBench's twelve queries in their Firestore forms", run: NoBenchSuite.run),
        Suite(name: "ycsb", summary: "YCSB A to F with 1, 2 and 4 threads, latencies", run: YCSBSuite.run),
        Suite(name: "space", summary: "memory while scanning, bytes a document", run: SpaceSuite.run),
        Suite(name: "growth", summary: "the same at 10,000, 100,000 and 1,000,000 documents", run: GrowthSuite.run),
        Suite(name: "writes", summary: "inserts, batches and updates, beside SQLite and raw LMDB", run: WriteSuite.run),
        Suite(name: "load", summary: "loading a million tasks and building an index over them", run: LoadSuite.run),
        Suite(name: "scale", summary: ScaleSuite.summary, run: ScaleSuite.run),
        Suite(name: "import", summary: "bulk load of 234,908 real cities", run: ImportSuite.run),
    ]
}

/// What a run is about: sizes, where files go, what is measured so far.
struct Bench {
    /// How many documents; nil for each suite's own.
    let size: Int?
    /// A regular expression; without one everything is measured.
    let rows: Regex<AnyRegexOutput>?
    /// The only engine to run, for profiles of it; nil for all.
    let engine: String?
    /// For databases; removed at the end.
    let folder: URL
    let report: Report

    /// Whether a row of a suite is asked for, by its own name or by the suite's.
    func wants(_ row: String, of suite: String) -> Bool {
        guard let rows else { return true }
        return row.firstMatch(of: rows) != nil || suite.firstMatch(of: rows) != nil
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
