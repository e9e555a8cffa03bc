// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import LMDB
import TestSupport
import Testing

@testable import DocumentEngine

/// Compares merged sorted runs on disk with a dictionary.
@Suite struct SortedRunTests {
    @Test func runsMergeByKeyAndTheHighestRankCounts() throws {
        var random = SeededGenerator.printingSeed()
        let directory = try TemporaryDirectory()
        for round in 0..<Rounds.of(30) {
            let file = try ScratchFile(beside: directory.path("runs"))
            var runs = SortedRuns(file)
            var model: [[UInt8]: (rank: RunRank, value: [UInt8])] = [:]
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let rank = [RunRank.entry, .entry, .removal, .last].randomElement(using: &random)!
                var buffer = EntryBuffer()
                var seen: Set<[UInt8]> = []
                for _ in 0..<Int.random(in: 0..<300, using: &random) {
                    let key = key(&random)
                    // Runs of one rank agree on each key.
                    let value =
                        Array("\(rank) \(key.count)".utf8) + Array(repeating: 7, count: key.count * (round % 5) * 50)
                    guard seen.insert(key).inserted else { continue }
                    buffer.append(key: key, value: value)
                    if let known = model[key], known.rank.rawValue > rank.rawValue { continue }
                    model[key] = (rank, value)
                }
                buffer.sort()
                try runs.append(sorted: buffer, rank)
            }
            let expected = model.filter { $0.value.rank != .removal }.sorted {
                $0.key.lexicographicallyPrecedes($1.key)
            }
            var merger = try RunMerger(runs)
            var found: [(key: [UInt8], value: [UInt8])] = []
            while !merger.isAtEnd {
                var buffer = EntryBuffer()
                try merger.fill(&buffer, limit: 5_000)
                for index in buffer.entries.indices {
                    found.append((Array(buffer.bytes[buffer.key(index)]), Array(buffer.bytes[buffer.value(index)])))
                }
            }
            #expect(found.map(\.key) == expected.map(\.key))
            #expect(found.map(\.value) == expected.map(\.value.value))
        }
    }

    /// Many keys with common prefixes of any length, some repeated: sorted by bytes, equal keys in their original
    /// order.
    @Test func buffersSortAsArraysDo() {
        var random = SeededGenerator.printingSeed()
        for round in 0..<Rounds.of(60) {
            let beginnings = (0..<3).map { _ in
                [UInt8](
                    repeating: UInt8.random(in: 0..<2, using: &random), count: Int.random(in: 0..<50, using: &random))
            }
            var entries: [(key: [UInt8], value: [UInt8])] = []
            for number in 0..<Int.random(in: 0..<(round % 6 == 0 ? 3_000 : 40), using: &random) {
                let end = (0..<Int.random(in: 1..<24, using: &random)).map { _ in
                    UInt8.random(in: 0..<(round % 2 == 0 ? 3 : 255), using: &random)
                }
                // No key is a prefix of another.
                let key = beginnings.randomElement(using: &random)!.map { $0 + 1 } + end.map { max(1, $0) } + [0]
                entries.append((key, [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]))
            }
            var buffer = EntryBuffer()
            for entry in entries { buffer.append(key: entry.key, value: entry.value) }
            var expected = entries.enumerated().sorted { left, right in
                left.element.key == right.element.key
                    ? left.offset < right.offset : left.element.key.lexicographicallyPrecedes(right.element.key)
            }.map(\.element)
            buffer.sortKeepingAll()
            #expect(buffer.entries.indices.map { Array(buffer.bytes[buffer.key($0)]) } == expected.map(\.key))
            #expect(buffer.entries.indices.map { Array(buffer.bytes[buffer.value($0)]) } == expected.map(\.value))
            buffer.sort()
            var kept: Set<[UInt8]> = []
            expected.removeAll { !kept.insert($0.key).inserted }
            #expect(buffer.entries.indices.map { Array(buffer.bytes[buffer.value($0)]) } == expected.map(\.value))
        }
    }

    /// Short keys of few different bytes, some with long common prefixes.
    private func key(_ random: inout SeededGenerator) -> [UInt8] {
        let start = Array(
            repeating: UInt8.random(in: 0..<2, using: &random), count: Int.random(in: 0..<20, using: &random))
        return start
            + (0..<Int.random(in: 1..<4, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test func theFileHasNoNameAndNeedsNoFolder() throws {
        let directory = try TemporaryDirectory()
        let file = try ScratchFile(beside: directory.path("db"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("")).isEmpty)
        let start = try file.append([1, 2, 3, 4])
        var bytes: [UInt8] = [0, 0, 0]
        try file.read(start + 1..<start + 3, into: &bytes, at: 1)
        #expect(bytes == [0, 2, 3])
        _ = try ScratchFile(beside: directory.path("nowhere/db")).append([1])
        try Data().write(to: directory.url.appending(path: "file"))
        #expect {
            _ = try ScratchFile(beside: directory.path("file/db"))
        } throws: { error in (error as? LMDBError)?.code == .notADirectory }
    }
}
